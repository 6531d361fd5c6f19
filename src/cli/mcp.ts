import { Refusal } from '../errors.ts';
import { wordless } from '../redact-error.ts';
import { createLogger } from '../log.ts';
import { McpService } from '../mcp/service.ts';
import { serveOverStdio } from '../mcp/stdio.ts';
import type { McpTool } from '../mcp/tools.ts';
import type { Net } from '../net/net.ts';
import { OPERATIONS } from '../operations/list.ts';
import type { Services } from '../engine/runner.ts';
import { withServices } from './ask.ts';
import { CliError } from '../exit.ts';
import { loadConfig } from './load-config.ts';

/**
 * Serves MCP over this process's standard input and output until the input ends. The log goes to standard error. `net`: the way out;
 * default: as configured.
 */
export async function serveMcp(wanted: string, net?: Net): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  const work = async (services: Services): Promise<void> => {
    const service = new McpService(OPERATIONS, services);
    await serveOverStdio({
      service,
      tools: select(service, wanted),
      input: process.stdin,
      output: process.stdout,
      log: {
        called: (call) => logger.info(call),
        fault: (error, requestId) => logger.error({ err: wordless(error), request_id: requestId }, 'internal error'),
      },
    });
  };
  await withServices(config, work, net);
  logger.flush();
}

function select(service: McpService, wanted: string): readonly McpTool[] {
  try {
    return service.select(wanted);
  } catch (error) {
    throw error instanceof Refusal ? new CliError('usage', error.message) : error;
  }
}
