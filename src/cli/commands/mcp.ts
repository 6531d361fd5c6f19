import { type Command, Option } from 'commander';
import type { ToolSetRequest } from '../../mcp/tool-set.ts';
import { MCP_CLIENTS, type McpClient } from '../mcp-config.ts';

interface McpOptions extends Partial<ToolSetRequest> {
  printConfig?: McpClient;
}

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('Serve MCP to one client over standard input and output, from the data folder of this installation.')
    .option('--tools <list>', 'only these areas or tools, comma-separated: cve,whois_lookup')
    .option(
      '--mode <mode>',
      'full, brief (without output schemas) or compact (three tools that find, describe and call the others)',
    )
    .addOption(
      new Option('--print-config [client]', 'do not serve, but print what the configuration of a client needs')
        .choices(MCP_CLIENTS)
        .preset('claude'),
    )
    .action(async ({ tools = '', mode = '', printConfig }: McpOptions) => {
      if (printConfig !== undefined) {
        const { printMcpConfig } = await import('../print-mcp-config.ts');
        return printMcpConfig(printConfig, { tools, mode });
      }
      const { serveMcpOverStdio } = await import('../serve-mcp-over-stdio.ts');
      await serveMcpOverStdio({ tools, mode });
    });
}
