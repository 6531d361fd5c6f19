import type { Command } from 'commander';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('Serve MCP to one client over standard input and output, from the data folder of this installation.')
    .option('--tools <list>', 'only these areas or tools, comma-separated: cve,whois_lookup')
    .action(async ({ tools }: { tools?: string }) => {
      const { serveMcpOverStdio } = await import('../serve-mcp-over-stdio.ts');
      await serveMcpOverStdio(tools ?? '');
    });
}
