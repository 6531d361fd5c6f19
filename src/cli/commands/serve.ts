import type { Command } from 'commander';

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the service until a signal ends it.')
    .action(async () => {
      const [{ serve }, { loadConfig }] = await Promise.all([import('../serve.ts'), import('../load-config.ts')]);
      await serve(loadConfig());
    });
}
