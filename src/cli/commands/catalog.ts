import type { Command } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

export function addCatalogCommand(program: Command): void {
  const catalog = program
    .command('catalog')
    .description('Show the catalog, write it to one file, or take it from one.')
    .helpCommand(false);
  catalog
    .command('info')
    .description('Show which generation answers and how current each source in it is.')
    .addOption(createJsonOption())
    .action(async (_, command: Command) => {
      const { printCatalogInfo } = await import('../catalog-info.ts');
      printCatalogInfo(wantsJson(command));
    });
  catalog
    .command('export')
    .description('Write the catalog to one file, for machines that cannot reach the feeds.')
    .argument('<file>', 'the file to write, or a folder for one with a name of its own')
    .option('--force', 'replace a file that is there')
    .option('--sign <pem>', 'sign with the Ed25519 private key in this file')
    .addOption(createJsonOption())
    .action(async (file: string, options: { force?: boolean; sign?: string }, command: Command) => {
      const { exportCatalog } = await import('../catalog-file.ts');
      await exportCatalog({
        file,
        force: options.force === true,
        keyFile: options.sign ?? null,
        json: wantsJson(command),
      });
    });
  catalog
    .command('import')
    .description('Check such a file and make it the catalog that answers here. Refused, it changes nothing.')
    .argument('<file>', 'the file to take')
    .option('--verify <pem>', 'take it only if signed with the key whose public half is in this file')
    .addOption(createJsonOption())
    .action(async (file: string, options: { verify?: string }, command: Command) => {
      const { importCatalog } = await import('../catalog-file.ts');
      await importCatalog({ file, keyFile: options.verify ?? null, json: wantsJson(command) });
    });
}
