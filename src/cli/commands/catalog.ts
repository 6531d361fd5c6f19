import type { Command } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

export function addCatalogCommand(program: Command): void {
  const catalog = program
    .command('catalog')
    .description('Show the catalog, export it to one file, or import it.')
    .helpCommand(false);
  catalog
    .command('info')
    .description('Show which generation is in use and how current each source in it is.')
    .option('--coverage', 'show instead which share of the CVEs of each month has products, versions, CVSS and CWE')
    .addOption(createJsonOption())
    .action(async (options: { coverage?: boolean }, command: Command) => {
      if (options.coverage === true) {
        const { printCoverage } = await import('../catalog-coverage.ts');
        printCoverage(wantsJson(command));
        return;
      }
      const { printCatalogInfo } = await import('../catalog-info.ts');
      printCatalogInfo(wantsJson(command));
    });
  catalog
    .command('export')
    .description('Write the catalog to one file, for machines without access to the feeds.')
    .argument('<file>', 'the file to write, or a folder: the file is then named after the catalog')
    .option('--force', 'replace an existing file')
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
    .description('Check an exported file and make it the catalog in use. If it is refused, nothing changes.')
    .argument('<file>', 'the file to import')
    .option('--verify <pem>', 'import it only if it is signed; the file has the Ed25519 public key')
    .addOption(createJsonOption())
    .action(async (file: string, options: { verify?: string }, command: Command) => {
      const { importCatalog } = await import('../catalog-file.ts');
      await importCatalog({ file, keyFile: options.verify ?? null, json: wantsJson(command) });
    });
}
