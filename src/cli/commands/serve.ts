import type { Command } from 'commander';
import { entryModuleUrl } from '../../program-files.ts';
import { wantsJson } from '../json-option.ts';

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the service until it gets SIGINT or SIGTERM.')
    .option('--workers <count>', 'number of worker processes; default: SEXTANT_WORKERS')
    .action(async ({ workers }: { workers?: string }, command: Command) => {
      // By its address: the build makes a program of its own of it.
      const entry = (await import(entryModuleUrl('cli/serve-command.ts').href)) as typeof import('../serve-command.ts');
      await entry.runServeCommand(workers === undefined ? {} : { SEXTANT_WORKERS: workers }, wantsJson(command));
    });
}
