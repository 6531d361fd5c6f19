import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  classifyInboundRequest,
  createMcpHandler,
  isJsonContentType,
  type JSONRPCMessage,
  SERVER_INFO_META_KEY,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import {
  createStrictOriginCheck,
  isMcpCorsOrigin,
  type OriginCheck,
  type OriginSettings,
} from '../access/origin-policy.ts';
import { ApiError } from '../errors.ts';
import { RESPONSE_TIMEOUT_MS, timeoutError } from './response-collector.ts';
import type { RepeatedToolCall, ToolCallContext } from '../engine/tool-call-context.ts';
import { createServerCard } from './server-card.ts';
import type { McpResponseBody } from './json-response-transport.ts';
import {
  acceptsAny,
  firstHeaderValue,
  jsonResponse,
  type McpHttpResponse,
  type McpHttpRequest,
  errorResponse,
  toolSetParameters,
  toWebHeaders,
} from './http-messages.ts';
import type { TargetCall } from './compact/compact-tools.ts';
import { MODERN_PROTOCOL_VERSION } from './protocol-versions.ts';
import { answerLegacy, validateLegacyBody } from './legacy-protocol.ts';
import { type FastPathCall, parseFastPathCall } from './fast-path-call.ts';
import {
  messageId,
  isRpcMessage,
  notMessageError,
  RPC_CODES,
  parseRpcJson,
  createRpcError,
  subscriptionError,
} from './json-rpc.ts';
import { createMcpServer, type McpServerDeps } from './server.ts';
import { foreignTextMarkerOf } from './mark-foreign-text.ts';
import type { McpService, ResultEnds } from './service.ts';
import { fillInToolList, TOOLS_PLACEHOLDER } from './fill-in-tool-list.ts';
import { isLongRunning } from './tasks/long-running.ts';
import type { ToolSet } from './tool-set.ts';
import type { McpTool } from './tools.ts';

/** What a request is answered with. */
interface RequestScope {
  toolSet: ToolSet;
  callContext: ToolCallContext;
  protocolVersion: string | undefined;
}

interface McpEndpointOptions {
  /** Makes the server of each request; the conformance suite needs one with its own tools. */
  createServer?: (deps: McpServerDeps) => Server;
  /** A request without an answer after this time gets an error. */
  responseTimeoutMs?: number;
}

const NO_SESSIONS_MESSAGE = 'Method not allowed: there are no sessions and no standing streams here';
const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** MCP over Streamable HTTP without sessions: any replica can answer any request. */
export class McpEndpoint {
  readonly #service: McpService;
  readonly #originSettings: OriginSettings;
  readonly #originCheck: OriginCheck;
  readonly #createServer: (deps: McpServerDeps) => Server;
  /** JSON field that `_meta` of each result of the modern protocol has. */
  readonly #serverInfoJson: string;
  readonly #modernHandler;
  /** By request of the modern protocol, while it is handled. */
  readonly #requestScopes = new WeakMap<Request, RequestScope>();
  readonly #responseTimeoutMs: number;

  constructor(
    service: McpService,
    originSettings: OriginSettings,
    { createServer = createMcpServer, responseTimeoutMs = RESPONSE_TIMEOUT_MS }: McpEndpointOptions = {},
  ) {
    this.#service = service;
    this.#responseTimeoutMs = responseTimeoutMs;
    this.#originSettings = originSettings;
    this.#originCheck = createStrictOriginCheck(originSettings);
    this.#createServer = createServer;
    this.#serverInfoJson = `"${SERVER_INFO_META_KEY}":${JSON.stringify(service.serverInfo)}`;
    this.#modernHandler = createMcpHandler(
      ({ requestInfo }) => this.#createServerFor(this.#requestScopes.get(requestInfo!)!),
      { legacy: 'reject' },
    );
  }

  /** Answers one request; errors of the protocol are answers with a 4xx status. */
  async answer(request: McpHttpRequest): Promise<McpHttpResponse> {
    const { method, headers } = request;
    const originError = this.#originCheck(headers);
    if (originError !== null) return errorResponse(403, createRpcError(RPC_CODES.serverError, originError.message));
    let toolSet: ToolSet;
    try {
      toolSet = this.#service.toolSets.select(toolSetParameters(request.url));
    } catch (error) {
      if (error instanceof ApiError) return errorResponse(400, createRpcError(RPC_CODES.invalidParams, error.message));
      throw error;
    }
    if (method === 'GET' && !acceptsAny(headers, 'text/event-stream')) {
      return jsonResponse(200, JSON.stringify(createServerCard(this.#service, toolSet)));
    }
    if (method === 'POST') return this.#answerPost(request, toolSet);
    const refusal = errorResponse(405, createRpcError(RPC_CODES.serverError, NO_SESSIONS_MESSAGE));
    return { ...refusal, headers: { ...refusal.headers, allow: 'GET, POST' } };
  }

  /** See `McpRequestHandler`. */
  repeatedCallsOf({
    url,
    headers,
  }: Pick<McpHttpRequest, 'url' | 'headers'>): ((body: string) => RepeatedToolCall | null) | null {
    if (this.#originCheck(headers) !== null || postHeadersError(headers) !== null) return null;
    let toolSet: ToolSet;
    try {
      toolSet = this.#service.toolSets.select(toolSetParameters(url));
    } catch {
      return null;
    }
    return (body) => {
      const parsed = parseRpcJson(body);
      const found = 'error' in parsed ? null : this.#findFastPathCall(headers, parsed.value, toolSet);
      return found && this.#service.findRepeatedCall(found.call, found.tool, this.#resultEnds(found.call, found.tool));
    };
  }

  /** Whether pages of this origin may read answers (CORS). */
  allowsOrigin(origin: string): boolean {
    return isMcpCorsOrigin(origin, this.#originSettings);
  }

  async close(): Promise<void> {
    this.#service.tasks?.close();
    await this.#modernHandler.close();
  }

  async #answerPost(request: McpHttpRequest, toolSet: ToolSet): Promise<McpHttpResponse> {
    const { headers, callContext, disconnectSignal } = request;
    const headersError = postHeadersError(headers);
    if (headersError !== null) return headersError;
    const parsed = parseRpcJson(request.body);
    if ('error' in parsed) return errorResponse(400, parsed.error);
    const body = parsed.value;
    const version = firstHeaderValue(headers, 'mcp-protocol-version');
    const fastPathAnswer = await this.#answerFastPath(request, body, toolSet);
    if (fastPathAnswer !== null) return fastPathAnswer;
    if (!Array.isArray(body) && !isRpcMessage(body)) return errorResponse(400, notMessageError(body));
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      body,
      ...(version === undefined ? {} : { protocolVersionHeader: version }),
    });
    if (route.kind !== 'legacy') return this.#answerModern(request, body, toolSet);
    const error = validateLegacyBody(body, version);
    if (error !== null) return errorResponse(400, error);
    const server = this.#createServerFor({ toolSet, callContext, protocolVersion: version });
    const messages = body as JSONRPCMessage | JSONRPCMessage[];
    const answer = await answerLegacy(server, messages, disconnectSignal(), this.#responseTimeoutMs);
    return this.#toHttpResponse(200, answer, toolSet, this.#service.tasks !== null);
  }

  async #answerFastPath(
    { headers, callContext, disconnectSignal }: McpHttpRequest,
    body: unknown,
    toolSet: ToolSet,
  ): Promise<McpHttpResponse | null> {
    const found = this.#findFastPathCall(headers, body, toolSet);
    if (found === null) return null;
    const { call, tool } = found;
    const ends = this.#resultEnds(call, tool);
    const answer = this.#service.respondToCall(call, tool, callContext, disconnectSignal, ends);
    return (await this.#withTimeout(answer.then((message) => jsonResponse(200, message)))) ?? timeoutResponse(call);
  }

  #findFastPathCall(
    headers: IncomingHttpHeaders,
    body: unknown,
    toolSet: ToolSet,
  ): { call: FastPathCall; tool: McpTool } | null {
    const mcpHeaders = {
      version: firstHeaderValue(headers, 'mcp-protocol-version'),
      method: firstHeaderValue(headers, 'mcp-method'),
      name: firstHeaderValue(headers, 'mcp-name'),
    };
    const call = parseFastPathCall(body, mcpHeaders, SUPPORTED_PROTOCOL_VERSIONS);
    const target = call === null ? null : findTarget(call, toolSet);
    if (call === null || target === null) return null;
    const { tool, rawInput } = target;
    const mayBeTask = this.#service.tasks !== null && call.declaresTasks && isLongRunning(tool.operation);
    return mayBeTask ? null : { call: { ...call, rawInput }, tool };
  }

  #resultEnds({ isModern }: FastPathCall, { operation }: McpTool): ResultEnds {
    const foreign = foreignTextMarkerOf(operation)?.metaJson ?? null;
    if (!isModern) return { ofAnswer: foreign === null ? '' : `,"_meta":{${foreign}}`, ofError: '' };
    const endWith = (meta: string): string => `,"resultType":"complete","_meta":{${meta}}`;
    const ofError = endWith(this.#serverInfoJson);
    return { ofAnswer: foreign === null ? ofError : endWith(`${foreign},${this.#serverInfoJson}`), ofError };
  }

  async #answerModern(
    { url, headers, disconnectSignal, callContext }: McpHttpRequest,
    body: unknown,
    toolSet: ToolSet,
  ): Promise<McpHttpResponse> {
    const error = subscriptionError(body);
    if (error !== null) return errorResponse(404, error);
    const timeoutSignal = AbortSignal.timeout(this.#responseTimeoutMs);
    const webRequest = new Request(new URL(url, 'http://localhost'), {
      method: 'POST',
      headers: toWebHeaders(headers),
      signal: AbortSignal.any([disconnectSignal(), timeoutSignal]),
    });
    this.#requestScopes.set(webRequest, { toolSet, callContext, protocolVersion: MODERN_PROTOCOL_VERSION });
    const response = await this.#withTimeout(this.#modernHandler.fetch(webRequest, { parsedBody: body }));
    if (response === null || timeoutSignal.aborted) return timeoutResponse(body);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const answer = isStream ? Readable.fromWeb(response.body as ReadableStream) : (await response.text()) || null;
    return this.#toHttpResponse(response.status, answer, toolSet, false);
  }

  /** Null if the work takes longer than `responseTimeoutMs`. */
  async #withTimeout<T>(work: Promise<T>): Promise<T | null> {
    const timeout = Promise.withResolvers<null>();
    const timer = setTimeout(timeout.resolve, this.#responseTimeoutMs, null);
    try {
      return await Promise.race([work, timeout.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #createServerFor({ toolSet, callContext, protocolVersion }: RequestScope): Server {
    return this.#createServer({
      service: this.#service,
      toolSet,
      listedTools: TOOLS_PLACEHOLDER,
      getCallContext: () => callContext,
      protocolVersion,
    });
  }

  #toHttpResponse(status: number, body: McpResponseBody, toolSet: ToolSet, withTasks: boolean): McpHttpResponse {
    if (body === null) return { status: status === 200 ? 202 : status, headers: {}, body };
    if (typeof body !== 'string') return { status, headers: EVENT_STREAM_HEADERS, body };
    return jsonResponse(status, fillInToolList(body, toolSet, withTasks));
  }
}

/** The tool that a call runs; null also where its `call_tool` is wrong: the server says how. */
function findTarget({ name, rawInput }: FastPathCall, toolSet: ToolSet): TargetCall | null {
  try {
    return toolSet.targetOf(name, rawInput);
  } catch {
    return null;
  }
}

function timeoutResponse(message: unknown): McpHttpResponse {
  return jsonResponse(200, JSON.stringify(timeoutError(messageId(message))));
}

/** The answer to a POST that is not JSON, or whose client does not accept JSON; else null. */
function postHeadersError(headers: IncomingHttpHeaders): McpHttpResponse | null {
  if (!isJsonContentType(headers['content-type'] ?? null)) {
    const message = 'Unsupported Media Type: the body must be application/json';
    return errorResponse(415, createRpcError(RPC_CODES.serverError, message));
  }
  if (!acceptsAny(headers, 'application/json', '*/*', 'application/*')) {
    return errorResponse(406, createRpcError(RPC_CODES.serverError, 'Not Acceptable: answers are application/json'));
  }
  return null;
}
