import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { bearerChallenge, needsChallenge } from '../access/oauth/resource-metadata.ts';
import type { QuotaStatus } from '../access/quota-status.ts';
import { ApiError } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ToolCallContext } from '../engine/tool-call-context.ts';
import { hasOptedOutOfTracking } from './caller-identification.ts';
import { countRefusedRequest } from './refused-requests.ts';
import { setQuotaHeaders } from './quota-headers.ts';
import { logToolCall } from './log-request.ts';
import { MCP_ROUTE, type McpRequestHandler } from './mcp-request-handler.ts';
import type { RepeatedToolCalls } from './repeated-tool-calls.ts';
import { logInternalError } from './log-internal-error.ts';
import { disconnectSignalOf } from './operation-routes.ts';

/** Errors of the HTTP framework, by status: the message was not read. */
const FRAMEWORK_ERRORS: Readonly<Record<number, { code: number; message: string }>> = {
  400: { code: -32700, message: 'Parse error: the request cannot be read' },
  413: { code: -32000, message: 'Payload Too Large: the body is over 1 MiB' },
  415: { code: -32000, message: 'Unsupported Media Type: the body must be application/json' },
};
/** JSON-RPC reserves -32000 to -32099 for servers. */
const SERVER_ERROR_CODE = -32000;
const INTERNAL_ERROR = { code: -32603, message: 'Internal error: the request id finds it in the log' };

interface McpRouteDeps {
  handler: McpRequestHandler;
  access: Access;
  metrics: Metrics | undefined;
  repeated: RepeatedToolCalls;
}

/** Mounts `/mcp`. Bodies are passed on as text; errors have the form of JSON-RPC. */
export function mountMcp(app: FastifyInstance, { handler, access, metrics, repeated }: McpRouteDeps): void {
  app.addHook('onClose', () => handler.close());
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    scope.setErrorHandler((error, request, reply) => sendRpcError(access, error, request, reply));
    const cors = {
      origin: (origin: string | undefined, done: (error: null, allowed: boolean) => void) =>
        done(null, origin !== undefined && handler.allowsOrigin(origin)),
    };
    scope.route({
      method: ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'],
      url: MCP_ROUTE,
      config: { cors },
      handler: async (request, reply) => {
        const { status, headers, body } = await handler.answer({
          method: request.method === 'HEAD' ? 'GET' : request.method,
          url: request.url,
          headers: request.headers,
          body: typeof request.body === 'string' ? request.body : '',
          disconnectSignal: () => disconnectSignalOf(reply),
          callContext: createToolCallContext(request, reply, access, metrics),
        });
        if (status >= 400 && status < 500) countRefusedRequest(access, request);
        reply.code(status).headers(headers);
        repeated.rememberHeaders(request, reply);
        return reply.send(typeof body === 'string' ? Buffer.from(body) : (body ?? undefined));
      },
    });
    done();
  });
}

function createToolCallContext(
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
  metrics: Metrics | undefined,
): ToolCallContext {
  let charged = false;
  const onQuotaStatus = (status: QuotaStatus): void => {
    charged ||= status.cost > 0;
    setQuotaHeaders(reply, status);
  };
  return {
    requestId: request.id,
    callerKey: async () => (await access.admission.authenticate(request.raw)).pseudonym,
    async run(call, runnerDeps) {
      const caller = await access.admission.authenticate(request.raw);
      const optedOut = hasOptedOutOfTracking(request.headers);
      const reportInternalError = (error: unknown): void => logInternalError(request, error);
      return access.callRunner.run({ ...call, caller, optedOut, onQuotaStatus, reportInternalError }, runnerDeps);
    },
    async chargeAnswered(operation, price) {
      try {
        const caller = await access.admission.authenticate(request.raw);
        const optedOut = hasOptedOutOfTracking(request.headers);
        const status = await access.callRunner.chargeAnswered({ caller, operation, optedOut }, price);
        if (status !== null) onQuotaStatus(status);
        return status !== null;
      } catch (error) {
        if (error instanceof ApiError) return false;
        throw error;
      }
    },
    recordCall(tool, outcome, ms) {
      logToolCall(request.log, { id: request.id, tool, outcome, milliseconds: ms });
      metrics?.recordToolCall(tool, outcome, ms / 1000);
      if ((outcome === 'error' || outcome === 'rate_limited') && !charged) countRefusedRequest(access, request);
    },
    logInternalError: (error) => logInternalError(request, error),
  };
}

function sendRpcError(access: Access, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, error } = toRpcError(thrown);
  if (status === 500) logInternalError(request, thrown);
  else if (status < 500) countRefusedRequest(access, request);
  if (thrown instanceof ApiError && thrown.retryAfterSeconds !== null) {
    reply.header('retry-after', String(thrown.retryAfterSeconds));
  }
  if (thrown instanceof ApiError && access.oauth !== null && (needsChallenge(thrown) || status === 400)) {
    reply.header('www-authenticate', bearerChallenge(access.oauth, thrown, MCP_ROUTE));
  }
  return reply
    .code(status)
    .header('content-type', 'application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

function toRpcError(thrown: unknown): { status: number; error: { code: number; message: string } } {
  if (thrown instanceof ApiError) {
    return { status: thrown.status, error: { code: SERVER_ERROR_CODE, message: thrown.message } };
  }
  const { statusCode = 500 } = thrown as { statusCode?: number };
  const error = FRAMEWORK_ERRORS[statusCode];
  return error === undefined ? { status: 500, error: INTERNAL_ERROR } : { status: statusCode, error };
}
