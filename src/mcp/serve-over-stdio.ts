import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ToolCallContext, ToolCallOutcome } from '../engine/tool-call-context.ts';
import { runOperationToJson } from '../engine/runner.ts';
import { createMcpServer } from './server.ts';
import type { McpService } from './service.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { ToolSet } from './tool-set.ts';

export interface StdioServerOptions {
  service: McpService;
  toolSet: ToolSet;
  input: Readable;
  output: Writable;
  /** A request without a response after this time gets an error; default: longer than any operation may take. */
  responseTimeoutMs?: number;
  log: {
    toolCalled(call: { request_id: string; tool: string; outcome: ToolCallOutcome; ms: number }): void;
    internalError(error: unknown, requestId: string): void;
  };
}

/** Serves MCP to one local client until it closes the connection. There is no quota. */
export async function serveOverStdio(options: StdioServerOptions): Promise<void> {
  const { service, toolSet, input, output, responseTimeoutMs, log } = options;
  const transport = new StdioTransport(input, output, responseTimeoutMs);
  const getCallContext = (): ToolCallContext => {
    const requestId = randomUUID();
    // After the client has closed the connection, a call fails without an error of the service.
    const reportInternalError = (error: unknown): void =>
      transport.isOpen ? log.internalError(error, requestId) : undefined;
    return {
      requestId,
      callerKey: async () => 'local',
      run: ({ operation, parseInput, disconnectSignal }, services) =>
        runOperationToJson(operation, parseInput(), services, { disconnectSignal, reportInternalError }),
      chargeAnswered: async () => true,
      recordCall: (tool, outcome, ms) => log.toolCalled({ request_id: requestId, tool, outcome, ms }),
      logInternalError: reportInternalError,
    };
  };
  const listedTools = [...toolSet.listed(service.tasks !== null)];
  serveStdio(() => createMcpServer({ service, toolSet, listedTools, getCallContext }), { transport });
  await transport.ended;
  service.tasks?.close();
}
