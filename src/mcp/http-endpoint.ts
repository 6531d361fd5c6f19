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
import { createStrictOriginCheck, mayReadMcp, type OriginCheck, type OriginSettings } from '../access/origin-policy.ts';
import { Refusal } from '../errors.ts';
import { EXCHANGE_MS, lateAnswer } from './answers.ts';
import type { CallHost } from './call-host.ts';
import { cardOf } from './card.ts';
import type { ExchangeBody } from './exchange.ts';
import {
  accepts,
  headerOf,
  json,
  type McpAnswer,
  type McpRequest,
  refusal,
  wantedTools,
  webHeaders,
} from './http-parts.ts';
import { answerLegacy, refuseLegacy } from './legacy.ts';
import { plainCall } from './plain-call.ts';
import { idOf, isMessage, isPlain, notMessage, RPC, readJson, rpcError } from './rpc.ts';
import { createMcpServer, type ServerParts, toolNamed } from './server.ts';
import type { McpService } from './service.ts';
import { listJson, type McpTool } from './tools.ts';

/** Of a request: the tools that it may see, and who receives it. */
interface Asked {
  tools: readonly McpTool[];
  host: CallHost;
}
/** Makes the server that answers one request. */
type ServerFactory = (parts: ServerParts) => Server;

/** Stands for the list of tools in an answer, which is written once and put in its place. Nobody outside can know it. */
const LIST_PLACE = `tools ${randomUUID()}`;
const QUOTED_PLACE = JSON.stringify(LIST_PLACE);
const LISTED = LIST_PLACE as unknown as Tool[];
const NO_SESSIONS = 'Method not allowed: there are no sessions and no standing streams here';
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Streamable HTTP without sessions: every request is answered from itself, by whichever replica it reaches. */
export class McpEndpoint {
  readonly #service: McpService;
  readonly #origins: OriginSettings;
  readonly #originCheck: OriginCheck;
  readonly #createServer: ServerFactory;
  readonly #wholeList: string;
  /** What a result of the newest protocol has besides. */
  readonly #modernPart: string;
  readonly #modern;
  /** What a request of the newest protocol is answered with, for the time that it takes. */
  readonly #asked = new WeakMap<Request, Asked>();

  readonly #exchangeMs: number;

  /** `exchangeMs`: after so long a request that is not answered is told so. */
  constructor(
    service: McpService,
    origins: OriginSettings,
    createServer: ServerFactory = createMcpServer,
    exchangeMs: number = EXCHANGE_MS,
  ) {
    this.#service = service;
    this.#exchangeMs = exchangeMs;
    this.#origins = origins;
    this.#originCheck = createStrictOriginCheck(origins);
    this.#createServer = createServer;
    this.#wholeList = listJson(service.tools);
    this.#modernPart = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: service.identity })}`;
    this.#modern = createMcpHandler(({ requestInfo }) => this.#serverFor(this.#asked.get(requestInfo!)!), {
      legacy: 'reject',
    });
  }

  async answer(request: McpRequest): Promise<McpAnswer> {
    const { method, headers } = request;
    const refused = this.#originCheck(headers);
    if (refused !== null) return refusal(403, rpcError(RPC.serverError, refused.message));
    let tools: readonly McpTool[];
    try {
      tools = this.#service.select(wantedTools(request.url));
    } catch (error) {
      if (error instanceof Refusal) return refusal(400, rpcError(RPC.invalidParams, error.message));
      throw error;
    }
    if (method === 'GET' && !accepts(headers, 'text/event-stream')) {
      return json(200, JSON.stringify(cardOf(this.#service, tools)));
    }
    if (method === 'POST') return this.#post(request, tools);
    const { status, headers: said, body } = refusal(405, rpcError(RPC.serverError, NO_SESSIONS));
    return { status, headers: { ...said, allow: 'GET, POST' }, body };
  }

  /** True where pages of this origin may read answers: what the headers of CORS say. */
  answersPagesOf(origin: string): boolean {
    return mayReadMcp(origin, this.#origins);
  }

  async close(): Promise<void> {
    await this.#modern.close();
  }

  async #post(request: McpRequest, tools: readonly McpTool[]): Promise<McpAnswer> {
    const { headers, host, gone } = request;
    if (!isJsonContentType(headers['content-type'] ?? null)) {
      return refusal(415, rpcError(RPC.serverError, 'Unsupported Media Type: the body must be application/json'));
    }
    if (!accepts(headers, 'application/json', '*/*', 'application/*')) {
      return refusal(406, rpcError(RPC.serverError, 'Not Acceptable: answers are application/json'));
    }
    const read = readJson(request.body);
    if ('error' in read) return refusal(400, read.error);
    const body = read.value;
    const version = headerOf(headers, 'mcp-protocol-version');
    const plain = await this.#plainly(request, body, version, tools);
    if (plain !== null) return plain;
    if (!Array.isArray(body) && !isMessage(body)) return refusal(400, notMessage(body));
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      body,
      ...(version === undefined ? {} : { protocolVersionHeader: version }),
    });
    if (route.kind !== 'legacy') return this.#answerModern(request, body, tools);
    const refused = refuseLegacy(body, version);
    if (refused !== null) return refusal(400, refused);
    const server = this.#serverFor({ tools, host });
    const messages = body as JSONRPCMessage | JSONRPCMessage[];
    return this.#written(200, await answerLegacy(server, messages, gone(), this.#exchangeMs), tools);
  }

  async #plainly(
    { headers, host, gone }: McpRequest,
    body: unknown,
    version: string | undefined,
    tools: readonly McpTool[],
  ): Promise<McpAnswer | null> {
    const said = { version, method: headerOf(headers, 'mcp-method'), name: headerOf(headers, 'mcp-name') };
    const call = plainCall(body, said, SUPPORTED_PROTOCOL_VERSIONS);
    const tool = call === null ? null : toolNamed(call.name, tools);
    if (call === null || tool === null) return null;
    const answer = this.#service.callToMessage(call, tool, host, gone, call.modern ? this.#modernPart : '');
    return (await this.#inTime(answer.then((message) => json(200, message)))) ?? lateAnswerTo(call);
  }

  async #answerModern(
    { url, headers, gone, host }: McpRequest,
    body: unknown,
    tools: readonly McpTool[],
  ): Promise<McpAnswer> {
    // Nothing here ever changes unasked, so there is nothing to listen to.
    if (isPlain(body) && body['method'] === 'subscriptions/listen')
      return refusal(404, rpcError(RPC.methodNotFound, 'Method not found', idOf(body)));
    const time = AbortSignal.timeout(this.#exchangeMs);
    const asked = new Request(new URL(url, 'http://localhost'), {
      method: 'POST',
      headers: webHeaders(headers),
      signal: AbortSignal.any([gone(), time]),
    });
    this.#asked.set(asked, { tools, host });
    const response = await this.#inTime(this.#modern.fetch(asked, { parsedBody: body }));
    if (response === null || time.aborted) return lateAnswerTo(body);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const answer = isStream ? Readable.fromWeb(response.body as ReadableStream) : (await response.text()) || null;
    return this.#written(response.status, answer, tools);
  }

  /** Null where the work takes longer than a request may. */
  async #inTime<T>(work: Promise<T>): Promise<T | null> {
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(late.resolve, this.#exchangeMs, null);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #serverFor({ tools, host }: Asked): Server {
    return this.#createServer({ service: this.#service, tools, listed: LISTED, host: () => host });
  }

  #written(status: number, body: ExchangeBody, tools: readonly McpTool[]): McpAnswer {
    if (body === null) return { status: status === 200 ? 202 : status, headers: {}, body };
    if (typeof body !== 'string') return { status, headers: STREAM_HEADERS, body };
    return json(status, body.includes(QUOTED_PLACE) ? body.replaceAll(QUOTED_PLACE, () => this.#listOf(tools)) : body);
  }

  #listOf(tools: readonly McpTool[]): string {
    return tools === this.#service.tools ? this.#wholeList : listJson(tools);
  }
}

function lateAnswerTo(message: unknown): McpAnswer {
  return json(200, JSON.stringify(lateAnswer(idOf(message))));
}
