import { ApiError } from '../errors.ts';
import { redactError } from '../redact-error.ts';
import { createLogger } from '../log.ts';
import { selectTools } from '../mcp/select-tools.ts';
import { McpService } from '../mcp/service.ts';
import { serveOverStdio } from '../mcp/serve-over-stdio.ts';
import type { McpTool } from '../mcp/tools.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { OPERATIONS } from '../operations/list.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { withRunnerDeps } from './with-runner-deps.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';

/**
 * Serves MCP over standard input and output until the input ends. The log goes to standard error. `toolSelection`: areas and tool names,
 * comma-separated; empty for all. `net`: for tests; default: as configured.
 */
export async function serveMcpOverStdio(toolSelection: string, net?: NetworkClient): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  const serveWith = async (runnerDeps: RunnerDeps): Promise<void> => {
    const service = new McpService(OPERATIONS, runnerDeps);
    await serveOverStdio({
      service,
      tools: toolsFor(service, toolSelection),
      input: process.stdin,
      output: process.stdout,
      log: {
        toolCalled: (call) => logger.info(call),
        internalError: (error, requestId) =>
          logger.error({ err: redactError(error), request_id: requestId }, 'internal error'),
      },
    });
  };
  await withRunnerDeps(config, serveWith, net);
  logger.flush();
}

function toolsFor(service: McpService, toolSelection: string): readonly McpTool[] {
  try {
    return selectTools(service.tools, toolSelection);
  } catch (error) {
    throw error instanceof ApiError ? new CliError('usage', error.message) : error;
  }
}
