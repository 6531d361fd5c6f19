import type { Command } from 'commander';

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the service until it gets SIGINT or SIGTERM.')
    .option('--workers <count>', 'number of worker processes; default: SEXTANT_WORKERS')
    .action(async ({ workers }: { workers?: string }) => {
      const [{ serve }, { loadConfig }] = await Promise.all([
        import('../../server/serve.ts'),
        import('../load-config.ts'),
      ]);
      await serve(loadConfig(workers === undefined ? {} : { SEXTANT_WORKERS: workers }));
    });
}
