import { type Command, Option } from 'commander';
import { jsonOption, wantsJson } from '../options.ts';

export function syncCommand(program: Command): void {
  program
    .command('sync')
    .description('Bring the catalog up to date from its feeds. The old one answers until the new one is complete.')
    .argument('[source...]', 'feeds to read; none: all of them')
    .option('--due', 'only feeds whose time has come')
    .addOption(new Option('--report <how>').choices(['ipc']).hideHelp())
    .addOption(jsonOption())
    .action(async (sources: string[], options: { due?: boolean; report?: 'ipc' }, command: Command) => {
      const { syncFromCommandLine } = await import('../sync-from-command-line.ts');
      await syncFromCommandLine({
        sources,
        due: options.due === true,
        ipc: options.report === 'ipc',
        json: wantsJson(command),
      });
    });
}
