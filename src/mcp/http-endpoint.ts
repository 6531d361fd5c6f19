import { randomUUID } from 'node:crypto';
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
  type Tool,
} from '@modelcontextprotocol/server';
import {
  createStrictOriginCheck,
  isMcpCorsOrigin,
  type OriginCheck,
  type OriginSettings,
} from '../access/origin-policy.ts';
import { isJsonObject } from '../analysis/bounded-json.ts';
import { ApiError } from '../errors.ts';
import { RESPONSE_TIMEOUT_MS, timeoutError } from './response-collector.ts';
import type { ToolCallContext } from './tool-call-context.ts';
import { createServerCard } from './server-card.ts';
import type { McpResponseBody } from './json-response-transport.ts';
import {
  acceptsAny,
  firstHeaderValue,
  jsonResponse,
  type McpHttpResponse,
  type McpHttpRequest,
  errorResponse,
  toolsParameter,
  toWebHeaders,
} from './http-messages.ts';
import { answerLegacy, validateLegacyBody } from './legacy-protocol.ts';
import { parseFastPathCall } from './fast-path-call.ts';
import { messageId, isRpcMessage, notMessageError, RPC_CODES, parseRpcJson, createRpcError } from './json-rpc.ts';
import { createMcpServer, type McpServerDeps, findTool } from './server.ts';
import type { McpService } from './service.ts';
import { toolListJson, type McpTool } from './tools.ts';

/** Of a request: the tools that it may see, and who receives it. */
interface RequestScope {
  tools: readonly McpTool[];
  callContext: ToolCallContext;
}
/** Makes the server that answers one request. */
type ServerFactory = (parts: McpServerDeps) => Server;

/** Stands for the list of tools in an answer, which is written once and put in its place. Nobody outside can know it. */
const TOOLS_PLACEHOLDER = `tools ${randomUUID()}`;
const QUOTED_TOOLS_PLACEHOLDER = JSON.stringify(TOOLS_PLACEHOLDER);
const PLACEHOLDER_TOOLS = TOOLS_PLACEHOLDER as unknown as Tool[];
const NO_SESSIONS_MESSAGE = 'Method not allowed: there are no sessions and no standing streams here';
const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Streamable HTTP without sessions: every request is answered from itself, by whichever replica it reaches. */
export class McpEndpoint {
  readonly #service: McpService;
  readonly #originSettings: OriginSettings;
  readonly #originCheck: OriginCheck;
  readonly #createServer: ServerFactory;
  readonly #allToolsJson: string;
  /** What a result of the newest protocol has besides. */
  readonly #modernResultFields: string;
  readonly #modernHandler;
  /** What a request of the newest protocol is answered with, for the time that it takes. */
  readonly #requestScopes = new WeakMap<Request, RequestScope>();

  readonly #responseTimeoutMs: number;

  /** `exchangeMs`: after so long a request that is not answered is told so. */
  constructor(
    service: McpService,
    origins: OriginSettings,
    createServer: ServerFactory = createMcpServer,
    exchangeMs: number = RESPONSE_TIMEOUT_MS,
  ) {
    this.#service = service;
    this.#responseTimeoutMs = exchangeMs;
    this.#originSettings = origins;
    this.#originCheck = createStrictOriginCheck(origins);
    this.#createServer = createServer;
    this.#allToolsJson = toolListJson(service.tools);
    this.#modernResultFields = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: service.serverInfo })}`;
    this.#modernHandler = createMcpHandler(
      ({ requestInfo }) => this.#createServerFor(this.#requestScopes.get(requestInfo!)!),
      {
        legacy: 'reject',
      },
    );
  }

  async answer(request: McpHttpRequest): Promise<McpHttpResponse> {
    const { method, headers } = request;
    const refused = this.#originCheck(headers);
    if (refused !== null) return errorResponse(403, createRpcError(RPC_CODES.serverError, refused.message));
    let tools: readonly McpTool[];
    try {
      tools = this.#service.selectTools(toolsParameter(request.url));
    } catch (error) {
      if (error instanceof ApiError) return errorResponse(400, createRpcError(RPC_CODES.invalidParams, error.message));
      throw error;
    }
    if (method === 'GET' && !acceptsAny(headers, 'text/event-stream')) {
      return jsonResponse(200, JSON.stringify(createServerCard(this.#service, tools)));
    }
    if (method === 'POST') return this.#answerPost(request, tools);
    const {
      status,
      headers: said,
      body,
    } = errorResponse(405, createRpcError(RPC_CODES.serverError, NO_SESSIONS_MESSAGE));
    return { status, headers: { ...said, allow: 'GET, POST' }, body };
  }

  /** True where pages of this origin may read answers: what the headers of CORS say. */
  allowsOrigin(origin: string): boolean {
    return isMcpCorsOrigin(origin, this.#originSettings);
  }

  async close(): Promise<void> {
    await this.#modernHandler.close();
  }

  async #answerPost(request: McpHttpRequest, tools: readonly McpTool[]): Promise<McpHttpResponse> {
    const { headers, callContext, disconnectSignal } = request;
    if (!isJsonContentType(headers['content-type'] ?? null)) {
      return errorResponse(
        415,
        createRpcError(RPC_CODES.serverError, 'Unsupported Media Type: the body must be application/json'),
      );
    }
    if (!acceptsAny(headers, 'application/json', '*/*', 'application/*')) {
      return errorResponse(406, createRpcError(RPC_CODES.serverError, 'Not Acceptable: answers are application/json'));
    }
    const read = parseRpcJson(request.body);
    if ('error' in read) return errorResponse(400, read.error);
    const body = read.value;
    const version = firstHeaderValue(headers, 'mcp-protocol-version');
    const plain = await this.#answerFastPath(request, body, version, tools);
    if (plain !== null) return plain;
    if (!Array.isArray(body) && !isRpcMessage(body)) return errorResponse(400, notMessageError(body));
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      body,
      ...(version === undefined ? {} : { protocolVersionHeader: version }),
    });
    if (route.kind !== 'legacy') return this.#answerModern(request, body, tools);
    const refused = validateLegacyBody(body, version);
    if (refused !== null) return errorResponse(400, refused);
    const server = this.#createServerFor({ tools, callContext });
    const messages = body as JSONRPCMessage | JSONRPCMessage[];
    return this.#toHttpResponse(
      200,
      await answerLegacy(server, messages, disconnectSignal(), this.#responseTimeoutMs),
      tools,
    );
  }

  async #answerFastPath(
    { headers, callContext, disconnectSignal }: McpHttpRequest,
    body: unknown,
    version: string | undefined,
    tools: readonly McpTool[],
  ): Promise<McpHttpResponse | null> {
    const said = {
      version,
      method: firstHeaderValue(headers, 'mcp-method'),
      name: firstHeaderValue(headers, 'mcp-name'),
    };
    const call = parseFastPathCall(body, said, SUPPORTED_PROTOCOL_VERSIONS);
    const tool = call === null ? null : findTool(call.name, tools);
    if (call === null || tool === null) return null;
    const answer = this.#service.respondToCall(
      call,
      tool,
      callContext,
      disconnectSignal,
      call.isModern ? this.#modernResultFields : '',
    );
    return (await this.#withTimeout(answer.then((message) => jsonResponse(200, message)))) ?? timeoutResponse(call);
  }

  async #answerModern(
    { url, headers, disconnectSignal, callContext }: McpHttpRequest,
    body: unknown,
    tools: readonly McpTool[],
  ): Promise<McpHttpResponse> {
    // Nothing here ever changes unasked, so there is nothing to listen to.
    if (isJsonObject(body) && body['method'] === 'subscriptions/listen')
      return errorResponse(404, createRpcError(RPC_CODES.methodNotFound, 'Method not found', messageId(body)));
    const time = AbortSignal.timeout(this.#responseTimeoutMs);
    const asked = new Request(new URL(url, 'http://localhost'), {
      method: 'POST',
      headers: toWebHeaders(headers),
      signal: AbortSignal.any([disconnectSignal(), time]),
    });
    this.#requestScopes.set(asked, { tools, callContext });
    const response = await this.#withTimeout(this.#modernHandler.fetch(asked, { parsedBody: body }));
    if (response === null || time.aborted) return timeoutResponse(body);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const answer = isStream ? Readable.fromWeb(response.body as ReadableStream) : (await response.text()) || null;
    return this.#toHttpResponse(response.status, answer, tools);
  }

  /** Null where the work takes longer than a request may. */
  async #withTimeout<T>(work: Promise<T>): Promise<T | null> {
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(late.resolve, this.#responseTimeoutMs, null);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #createServerFor({ tools, callContext }: RequestScope): Server {
    return this.#createServer({
      service: this.#service,
      tools,
      listedTools: PLACEHOLDER_TOOLS,
      getCallContext: () => callContext,
    });
  }

  #toHttpResponse(status: number, body: McpResponseBody, tools: readonly McpTool[]): McpHttpResponse {
    if (body === null) return { status: status === 200 ? 202 : status, headers: {}, body };
    if (typeof body !== 'string') return { status, headers: EVENT_STREAM_HEADERS, body };
    return jsonResponse(
      status,
      body.includes(QUOTED_TOOLS_PLACEHOLDER)
        ? body.replaceAll(QUOTED_TOOLS_PLACEHOLDER, () => this.#toolsJson(tools))
        : body,
    );
  }

  #toolsJson(tools: readonly McpTool[]): string {
    return tools === this.#service.tools ? this.#allToolsJson : toolListJson(tools);
  }
}

function timeoutResponse(message: unknown): McpHttpResponse {
  return jsonResponse(200, JSON.stringify(timeoutError(messageId(message))));
}
