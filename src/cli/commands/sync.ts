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
    .description('Bring the catalog up to date from its feeds. The old one answers until the new one is complete.')
    .argument('[source...]', 'feeds to read; none: all of them')
    .option('--due', 'only feeds whose time has come')
    .option('--allow-shrink', 'take a named feed also when it lost more than a tenth of its records')
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
