import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { RepeatedToolCall, ToolCallContext } from '../engine/tool-call-context.ts';

export const MCP_ROUTE = '/mcp';

/** Answers MCP over HTTP. An interface, because src/http does not import src/mcp; src/server connects them. */
export interface McpRequestHandler {
  answer(request: {
    method: string;
    url: string;
    headers: IncomingHttpHeaders;
    body: string;
    disconnectSignal(): AbortSignal;
    callContext: ToolCallContext;
  }): Promise<{ status: number; headers: Record<string, string>; body: string | Buffer | Readable | null }>;
  /**
   * What finds the answers to bodies sent with this head, of calls that were answered before; null where there are none. It gives null
   * for a body that `answer` must answer.
   */
  repeatedCallsOf(head: {
    url: string;
    headers: IncomingHttpHeaders;
  }): ((body: string) => RepeatedToolCall | null) | null;
  /** True where pages of this origin may read answers. */
  allowsOrigin(origin: string): boolean;
  close(): Promise<void>;
}
