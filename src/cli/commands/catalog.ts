import { type Command, Option } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

interface PublishFlags {
  key: string;
  root?: string;
  oldRoot?: string;
  expiresDays: string;
  keep: string;
}

export function addCatalogCommand(program: Command): void {
  const catalog = program
    .command('catalog')
    .description(
      'Show the catalog, export it to one file, import it, publish it for others, or follow a published one.',
    )
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
  catalog
    .command('keygen')
    .description('Make a key that signs published catalogs: the private half in a file, the public half as text.')
    .argument('<file>', 'the file to write (PEM); it must not exist')
    .addOption(createJsonOption())
    .action(async (file: string, _options: object, command: Command) => {
      const { makePublishingKey } = await import('../publish-catalog.ts');
      makePublishingKey(file, wantsJson(command));
    });
  catalog
    .command('publish')
    .description(
      'Write the signed catalog, and what changed since the last time, into a folder for a web server or a stick.',
    )
    .argument('<folder>', 'the folder that is published')
    .requiredOption('--key <pem>', 'the Ed25519 private key that signs each publication')
    .option('--root <pem>', 'the root key, where it is another one; needed to change a key')
    .option('--old-root <pem>', 'the root key until now, to change it to that of --root')
    .option('--expires-days <days>', 'after how many days without a publication followers call it too old', '4')
    .option('--keep <count>', 'how many deltas are kept', '30')
    .addOption(createJsonOption())
    .action(async (folder: string, options: PublishFlags, command: Command) => {
      const { publish } = await import('../publish-catalog.ts');
      await publish({ folder, ...options, json: wantsJson(command) });
    });
  catalog
    .command('update')
    .description('Fetch the published catalog that is followed (SEXTANT_CATALOG_FROM), as the service does each hour.')
    .option('--allow-expired', 'also take a publication whose time is over, for example from a stick')
    .addOption(new Option('--report <how>').choices(['ipc']).hideHelp())
    .addOption(createJsonOption())
    .action(async (options: { allowExpired?: boolean; report?: 'ipc' }, command: Command) => {
      const { updateCatalog } = await import('../update-catalog.ts');
      await updateCatalog({
        allowExpired: options.allowExpired === true,
        reportsOverIpc: options.report === 'ipc',
        json: wantsJson(command),
      });
    });
}
