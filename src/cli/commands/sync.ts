import { type Command, Option } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

interface SyncFlags {
  due?: boolean;
  allowShrink?: boolean;
  report?: 'ipc';
}

export function addSyncCommand(program: Command): void {
  program
    .command('sync')
    .description('Update the catalog from its feeds. The old catalog stays in use until the new one is complete.')
    .argument('[source...]', 'feeds to read; default: all')
    .option('--due', 'only feeds whose update interval has passed')
    .option('--allow-shrink', 'accept a named feed although it lost more than a tenth of its records')
    .addOption(new Option('--report <how>').choices(['ipc']).hideHelp())
    .addOption(createJsonOption())
    .action(async (sources: string[], options: SyncFlags, command: Command) => {
      const { runSyncCommand } = await import('../run-sync-command.ts');
      await runSyncCommand({
        sources,
        onlyDue: options.due === true,
        allowShrink: options.allowShrink === true,
        reportsOverIpc: options.report === 'ipc',
        json: wantsJson(command),
      });
    });
}
