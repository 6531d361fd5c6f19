import { Refusal } from '../errors.ts';
import { createLogger } from '../log.ts';
import { McpService } from '../mcp/service.ts';
import { serveOverStdio } from '../mcp/stdio.ts';
import type { McpTool } from '../mcp/tools.ts';
import { OPERATIONS } from '../operations/list.ts';
import { withServices } from './ask.ts';
import { CliError } from './exit.ts';
import { loadConfig } from './load-config.ts';

/** Serves MCP over this process's standard input and output until the input ends. The log goes to standard error. */
export async function serveMcp(wanted: string): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  await withServices(config, async (services) => {
    const service = new McpService(OPERATIONS, services);
    await serveOverStdio({
      service,
      tools: select(service, wanted),
      input: process.stdin,
      output: process.stdout,
      log: {
        called: (call) => logger.info(call),
        fault: (error, requestId) => logger.error({ err: error, request_id: requestId }, 'internal error'),
      },
    });
  });
  logger.flush();
}

function select(service: McpService, wanted: string): readonly McpTool[] {
  try {
    return service.select(wanted);
  } catch (error) {
    throw error instanceof Refusal ? new CliError('usage', error.message) : error;
  }
}
