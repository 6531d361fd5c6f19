import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallerAccount } from '../engine/caller-account.ts';
import type { ToolCallContext, ToolCallOutcome } from '../engine/tool-call-context.ts';
import { runOperationToJson } from '../engine/runner.ts';
import { MODERN_PROTOCOL_VERSION } from './protocol-versions.ts';
import { createMcpServer } from './server.ts';
import type { McpService } from './service.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { ToolSet } from './tool-set.ts';
import { WatchSubscriptions } from './watch-subscriptions.ts';

/** Standing requests of one client. */
const MAX_SUBSCRIPTIONS = 100;

export interface StdioServerOptions {
  service: McpService;
  toolSet: ToolSet;
  input: Readable;
  output: Writable;
  /** A request without a response after this time gets an error; default: longer than any operation may take. */
  responseTimeoutMs?: number;
  /** The local user, who has watches; default: nobody. */
  account?: CallerAccount;
  /** How often new events of watches are looked for; default: 5 s. */
  pollMs?: number;
  log: {
    toolCalled(call: { request_id: string; tool: string; outcome: ToolCallOutcome; ms: number }): void;
    internalError(error: unknown, requestId: string): void;
  };
}

/** Serves MCP to one local client until it closes the connection. There is no quota. */
export async function serveOverStdio(options: StdioServerOptions): Promise<void> {
  const { service, toolSet, input, output, responseTimeoutMs, account, pollMs, log } = options;
  const transport = new StdioTransport(input, output, { responseTimeoutMs, allowsListening: account !== undefined });
  const getCallContext = (): ToolCallContext => {
    const requestId = randomUUID();
    // After the client has closed the connection, a call fails without an error of the service.
    const reportInternalError = (error: unknown): void =>
      transport.isOpen ? log.internalError(error, requestId) : undefined;
    return {
      requestId,
      callerKey: async () => 'local',
      run: ({ operation, parseInput, disconnectSignal }, services) =>
        runOperationToJson(operation, parseInput(), services, { disconnectSignal, reportInternalError, self: account }),
      chargeAnswered: async () => true,
      recordCall: (tool, outcome, ms) => log.toolCalled({ request_id: requestId, tool, outcome, ms }),
      logInternalError: reportInternalError,
    };
  };
  const listedTools = [...toolSet.listed(service.tasks !== null)];
  const subscriptions = account === undefined ? undefined : new WatchSubscriptions(() => account.watches());
  serveStdio(
    () => {
      const server = createMcpServer({ service, toolSet, listedTools, getCallContext, subscriptions });
      const notify = (uri: string): void => {
        // Of the modern protocol the SDK knows who listens.
        if (server.negotiatedVersion === MODERN_PROTOCOL_VERSION || subscriptions!.isSubscribed(uri))
          server.sendResourceUpdated({ uri }).catch(() => {});
      };
      void subscriptions?.start(notify, (error) => log.internalError(error, randomUUID()), pollMs);
      return server;
    },
    { transport, maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  await transport.ended;
  subscriptions?.stop();
  service.tasks?.close();
}
