import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Rate } from '../access/rate.ts';
import { Refusal } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Operation } from '../engine/operation.ts';
import type { Call } from '../engine/runner.ts';
import { noteRefusedOf, tellRate, wantsNoRow } from './access.ts';
import { logFault } from './faults.ts';

type Input = Record<string, unknown>;
type Admission = Pick<Call, 'skipped' | 'self'> & { input: Input };

/** What a call of a tool meets here as a REST call does: quota, log, faults. */
interface Host {
  requestId: string;
  charged<T>(operation: Operation, input: Input, work: (admission: Admission) => Promise<T>): Promise<T>;
  called(tool: string, outcome: 'ok' | 'error' | 'rate_limited', milliseconds: number): void;
  fault(error: unknown): void;
}

/** What answers MCP over HTTP; it stands beside this room, and is handed in by who puts the parts together. */
export interface McpPort {
  answer(request: {
    method: string;
    url: string;
    headers: IncomingHttpHeaders;
    body: string;
    gone(): AbortSignal;
    host: Host;
  }): Promise<{ status: number; headers: Record<string, string>; body: string | Buffer | Readable | null }>;
  /** True where pages of this origin may read answers. */
  answersPagesOf(origin: string): boolean;
  close(): Promise<void>;
}

/** What the HTTP framework refuses before a message is read, by status. */
const UNREAD: Readonly<Record<number, { code: number; message: string }>> = {
  400: { code: -32700, message: 'Parse error: the request cannot be read' },
  413: { code: -32000, message: 'Payload Too Large: the body is over 1 MiB' },
  415: { code: -32000, message: 'Unsupported Media Type: the body must be application/json' },
};
/** JSON-RPC keeps -32000 to -32099 for servers. */
const REFUSED = -32000;
const FAULT = { code: -32603, message: 'Internal error: the request id finds it in the log' };

/** `/mcp` and `/mcp/`: bodies go on as they came, and failures have the form of JSON-RPC. */
export function mountMcp(app: FastifyInstance, port: McpPort, access: Access, metrics?: Metrics): void {
  app.addHook('onClose', () => port.close());
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    scope.setErrorHandler((error, request, reply) => sendRpcError(access, error, request, reply));
    const cors = {
      origin: (origin: string | undefined, done: (error: null, allowed: boolean) => void) =>
        done(null, origin !== undefined && port.answersPagesOf(origin)),
    };
    scope.route({
      method: ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'],
      url: '/mcp',
      config: { cors },
      handler: async (request, reply) => {
        const { status, headers, body } = await port.answer({
          method: request.method === 'HEAD' ? 'GET' : request.method,
          url: request.url,
          headers: request.headers,
          body: typeof request.body === 'string' ? request.body : '',
          gone: () => goneWith(reply),
          host: hostOf(request, reply, access, metrics),
        });
        if (status >= 400 && status < 500) noteRefusedOf(access, request);
        return reply
          .code(status)
          .headers(headers)
          .send(typeof body === 'string' ? Buffer.from(body) : (body ?? undefined));
      },
    });
    done();
  });
}

function hostOf(request: FastifyRequest, reply: FastifyReply, access: Access, metrics: Metrics | undefined): Host {
  const { gate, charging, note, selfOf } = access;
  let charged = false;
  const tell = (rate: Rate): void => {
    charged ||= rate.cost > 0;
    tellRate(reply, rate);
  };
  return {
    requestId: request.id,
    async charged(operation, input, work) {
      const caller = await gate.identify(request.raw);
      note(caller, operation, wantsNoRow(request.headers));
      const self = operation.personal === undefined ? {} : { self: selfOf(caller) };
      return charging.charge({ caller, operation, input, tell }, (admitted) => work({ ...admitted, ...self }));
    },
    called(tool, outcome, ms) {
      request.log.info({ request_id: request.id, tool, outcome, ms });
      metrics?.toolCall(tool, outcome, ms / 1000);
      if (outcome !== 'ok' && !charged) noteRefusedOf(access, request);
    },
    fault: (error) => logFault(request, error),
  };
}

function goneWith(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function sendRpcError(access: Access, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, error } = rpcErrorOf(thrown);
  if (status === 500) logFault(request, thrown);
  else noteRefusedOf(access, request);
  if (thrown instanceof Refusal && thrown.retryAfterSeconds !== null) {
    reply.header('retry-after', String(thrown.retryAfterSeconds));
  }
  return reply
    .code(status)
    .header('content-type', 'application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

function rpcErrorOf(thrown: unknown): { status: number; error: { code: number; message: string } } {
  if (thrown instanceof Refusal) {
    return { status: thrown.status, error: { code: REFUSED, message: thrown.message } };
  }
  const { statusCode = 500 } = thrown as { statusCode?: number };
  const error = UNREAD[statusCode];
  return error === undefined ? { status: 500, error: FAULT } : { status: statusCode, error };
}
