import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallHost, CallOutcome } from './call-host.ts';
import { createMcpServer } from './server.ts';
import type { McpService } from './service.ts';
import { StdioWire } from './stdio-wire.ts';
import type { McpTool } from './tools.ts';

export interface StdioOptions {
  service: McpService;
  tools: readonly McpTool[];
  input: Readable;
  output: Writable;
  /** After so long a request that is not answered is told so; default: longer than any may take. */
  exchangeMs?: number;
  log: {
    called(call: { request_id: string; tool: string; outcome: CallOutcome; ms: number }): void;
    fault(error: unknown, requestId: string): void;
  };
}

/** Serves the one client at the other end until it goes. Nobody else asks here, so nobody pays. */
export async function serveOverStdio({ service, tools, input, output, exchangeMs, log }: StdioOptions): Promise<void> {
  const wire = new StdioWire(input, output, exchangeMs);
  const host = (): CallHost => {
    const requestId = randomUUID();
    return {
      requestId,
      charged: (_operation, given, work) => work({ input: given }),
      called: (tool, outcome, ms) => log.called({ request_id: requestId, tool, outcome, ms }),
      // What fails because the client has gone is nobody's fault.
      fault: (error) => (wire.isOpen ? log.fault(error, requestId) : undefined),
    };
  };
  const listed = tools.map(({ definition }) => definition);
  serveStdio(() => createMcpServer({ service, tools, listed, host }), { transport: wire });
  await wire.ended;
}
