import { ApiError } from '../errors.ts';
import { redactError } from '../redact-error.ts';
import { createLogger } from '../log.ts';
import { McpService } from '../mcp/service.ts';
import { serveOverStdio } from '../mcp/serve-over-stdio.ts';
import { TaskStore } from '../mcp/tasks/task-store.ts';
import type { ToolSet, ToolSetRequest } from '../mcp/tool-set.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { OPERATIONS } from '../operations/list.ts';
import { openAppViews } from '../server/app-views.ts';
import { type LocalWatches, withLocalWatches } from './watch/with-local-watches.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';

/**
 * Serves MCP over standard input and output until the input ends. The log goes to standard error. `net`: for tests; default: as
 * configured.
 */
export async function serveMcpOverStdio(request: ToolSetRequest, net?: NetworkClient): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config);
  const serveWith = async ({ runnerDeps, account }: LocalWatches): Promise<void> => {
    const service = new McpService(OPERATIONS, runnerDeps, { tasks: new TaskStore(), views: openAppViews() });
    await serveOverStdio({
      service,
      toolSet: selectToolSet(service, request),
      account,
      input: process.stdin,
      output: process.stdout,
      log: {
        toolCalled: (call) => logger.info(call),
        internalError: (error, requestId) =>
          logger.error({ err: redactError(error), request_id: requestId }, 'internal error'),
      },
    });
  };
  await withLocalWatches(serveWith, config, net);
  logger.flush();
}

function selectToolSet({ toolSets }: McpService, request: ToolSetRequest): ToolSet {
  try {
    return toolSets.select(request);
  } catch (error) {
    throw error instanceof ApiError ? new CliError('usage', error.message) : error;
  }
}
