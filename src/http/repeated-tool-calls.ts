import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { setRateLimitHeaders } from '../access/quota-status.ts';
import type { RepeatedToolCall } from '../engine/tool-call-context.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { hasOptedOutOfTracking, refusedRequestsError } from './caller-identification.ts';
import { logRequest, logToolCall } from './log-request.ts';
import { mcpCredentialsError } from './mcp-credentials.ts';
import { MCP_ROUTE, type McpRequestHandler } from './mcp-request-handler.ts';
import { protocolError } from './request-checks.ts';
import { requestIdOf } from './request-id.ts';
import { SharedHeaders } from './shared-headers.ts';
import { isKeptOpen, type KnownHeadAnswerer, responseHead, type WrittenResponse } from './unparsed-requests.ts';

interface RepeatedToolCallsDeps {
  handler: McpRequestHandler;
  access: Access;
  logger: FastifyBaseLogger;
  metrics: Metrics | undefined;
}

const MCP_PATH = /^\/mcp\/?(?:\?|$)/;
/** Headers with which a request takes the usual way: it is answered in parts, or comes from a page (CORS). */
const UNUSUAL_HEADERS = ['origin', 'expect', 'transfer-encoding'] as const;

/**
 * Answers a tool call over HTTP that was answered before, on a connection that sent the same headers before, without the framework
 * (docs/decisions/024-requests-known-by-their-bytes.md). What must be refused, or waits for a backend, is left to the framework.
 */
export class RepeatedToolCalls {
  readonly #deps: RepeatedToolCallsDeps;
  #shared: SharedHeaders | null = null;
  #stopped = false;

  constructor(deps: RepeatedToolCallsDeps) {
    this.#deps = deps;
  }

  /** Takes the headers that all answers have from the first one that the framework is about to send. */
  rememberHeaders({ raw, method }: FastifyRequest, reply: FastifyReply): void {
    if (this.#shared !== null || method !== 'POST' || reply.statusCode !== 200 || isUnusual(raw)) return;
    if (reply.getHeader('content-type') === 'application/json') this.#shared = new SharedHeaders(reply.getHeaders());
  }

  /** What answers tool calls with the head of this request; null where they must be parsed. */
  judge(request: IncomingMessage): KnownHeadAnswerer | null {
    const { method, url, headers } = request;
    if (method !== 'POST' || !MCP_PATH.test(url!) || !isKeptOpen(request) || isUnusual(request)) return null;
    if (protocolError(request) !== null) return null;
    if (mcpCredentialsError(this.#deps.access.oauth, request) !== null) return null;
    const find = this.#deps.handler.repeatedCallsOf({ url: url!, headers });
    if (find === null) return null;
    const optedOut = hasOptedOutOfTracking(headers);
    return (_url, body) => this.#answer(request, body!, find, optedOut);
  }

  /** From now on every call is left to the framework, which closes its connections. */
  stop(): void {
    this.#stopped = true;
  }

  #answer(
    request: IncomingMessage,
    body: Buffer,
    find: (body: string) => RepeatedToolCall | null,
    optedOut: boolean,
  ): WrittenResponse | null {
    const started = performance.now();
    const shared = this.#shared;
    const { access, logger, metrics } = this.#deps;
    if (this.#stopped || shared === null || refusedRequestsError(access, request) !== null) return null;
    const call = find(body.toString());
    if (call === null) return null;
    const { operation, price } = call;
    const status = access.callRunner.chargeAnsweredAtOnce(request, { operation, optedOut }, price);
    if (status === null) return null;
    const id = requestIdOf(request);
    const parts = call.render();
    const headers = ['x-request-id', id];
    setRateLimitHeaders(status, (name, value) => headers.push(name, value));
    headers.push('content-length', String(parts.reduce((sum, part) => sum + part.length, 0)));
    const head = responseHead(200, headers, shared.lines(200));
    const milliseconds = performance.now() - started;
    logToolCall(logger, { id, tool: operation.id, outcome: 'ok', milliseconds });
    logRequest(logger, { id, method: 'POST', route: MCP_ROUTE, status: 200, milliseconds });
    metrics?.recordToolCall(operation.id, 'ok', milliseconds / 1000);
    metrics?.recordHttpRequest('mcp', 200, milliseconds / 1000);
    return { head, parts };
  }
}

function isUnusual({ headers }: IncomingMessage): boolean {
  return UNUSUAL_HEADERS.some((name) => headers[name] !== undefined);
}
