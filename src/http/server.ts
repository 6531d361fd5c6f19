import { randomUUID } from 'node:crypto';
import fastifyCors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { JsonDepthError, parseJson } from '../analysis/bounded-json.ts';
import type { Access } from '../access/access.ts';
import { chain, type MaybePromise } from '../access/maybe-promise.ts';
import { createOriginCheck, type OriginSettings, readersOf } from '../access/origin-policy.ts';
import { RATE_HEADERS } from '../access/rate.ts';
import { asRefusal, Refusal } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { Services } from '../engine/runner.ts';
import { validationRefusal } from '../engine/input/parse-input.ts';
import { mountAccess, noteRefused, tellStanding } from './access.ts';
import { mountDocs } from './docs.ts';
import { logFault } from './faults.ts';
import { mountHealth } from './health.ts';
import { KnownPaths } from './known-paths.ts';
import { type McpPort, mountMcp } from './mcp.ts';
import { type MetricsPort, mountMetrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import { mountPrivacyPage } from './privacy-page.ts';
import { answerProtocolError } from './protocol-errors.ts';
import { mountRequestChecks, SAFETY_HEADERS } from './request-checks.ts';
import { mountOperations } from './routes.ts';

export interface HttpOptions {
  operations: readonly Operation[];
  services: Services;
  access: Access;
  logger: FastifyBaseLogger;
  /** Where it listens, and which hosts and pages it answers. */
  origins: OriginSettings;
  /** True while the process is on its way out: `/readyz` says so, new work is refused by the listener. */
  isStopping: () => boolean;
  /** Answers at `/mcp`; none: there is no such path. */
  mcp?: McpPort;
  /** Counts what is asked, and may answer `/metrics`; none: nothing is counted. */
  metrics?: MetricsPort;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_URL_PART = 16 * 1024;
const SANE_REQUEST_ID = /^[\w.:-]{1,64}$/;

/** The REST surface: routes of all operations, OpenAPI, reference, health. It listens to nobody yet. */
export async function createServer(options: HttpOptions): Promise<FastifyInstance> {
  const { access, origins } = options;
  const paths = new KnownPaths(options.operations);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The request id stands in the line itself; a logger for each request would cost more than the line.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionTimeout: 0,
    routerOptions: { maxParamLength: MAX_URL_PART, ignoreTrailingSlash: true },
    genReqId: (request) => {
      const own = request.headers['x-request-id'];
      return typeof own === 'string' && SANE_REQUEST_ID.test(own) ? own : randomUUID();
    },
    // A missing Host is refused here, with the body of every other error.
    http: { requireHostHeader: false },
    clientErrorHandler: answerProtocolError,
    // Here no hook runs: it would go without its line in the log.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(SAFETY_HEADERS);
      reply.raw.once('finish', () => logLine(request, reply, () => {}));
      void sendError(access, error, request, reply);
    },
  });
  // So is an expectation that is not met.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Before any route: what is mounted earlier would answer errors in a form of its own.
  app.setErrorHandler((error, request, reply) => sendError(access, error, request, reply));
  // First of all hooks: a preflight is answered by the next.
  mountRequestChecks(app, createOriginCheck(origins));
  app.addHook('onRequest', (request, reply, next) => {
    if (request.method !== 'OPTIONS' || isPreflight(request)) return next();
    return answerOptions(paths, request, reply, next);
  });
  await app.register(fastifyCors, {
    strictPreflight: false,
    origin: readersOf(origins),
    methods: ['GET', 'POST'],
    exposedHeaders: ['X-Request-ID', 'Retry-After', ...RATE_HEADERS],
    maxAge: 86_400,
  });
  mountAccess(app, access);
  acceptJsonOnly(app);
  app.setNotFoundHandler((request, reply) => sendError(access, notFound(paths, request, reply), request, reply));
  app.addHook('onResponse', logLine);
  app.addHook('onRoute', ({ method, url }) => paths.add(method, url));
  if (options.metrics !== undefined) mountMetrics(app, options.metrics);
  mountHealth(app, options);
  mountOperations(app, options);
  if (options.mcp !== undefined) mountMcp(app, options.mcp, options.access, options.metrics?.metrics);
  mountDocs(app, () => openApiDocument(options.operations, options.services.health.version));
  mountPrivacyPage(app);
  return app;
}

/** Everything that a caller sees of a failure: the registry's status and body, never a stack or a path. */
function sendError(
  access: Access,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<FastifyReply> {
  const refusal = thrown instanceof Refusal ? thrown : frameworkRefusal(thrown);
  if (refusal.code === 'internal_error') logFault(request, thrown);
  if (refusal.retryAfterSeconds !== null) reply.header('retry-after', String(refusal.retryAfterSeconds));
  if (refusal.code === 'rate_limit_exceeded') reply.header('ratelimit-reset', String(refusal.retryAfterSeconds));
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  return chain(tellStanding(access, request, reply), () => {
    noteRefused(access, request, reply, refusal.status);
    return reply
      .header('x-request-id', request.id)
      .header('content-type', 'application/json; charset=utf-8')
      .code(refusal.status)
      .send(JSON.stringify(refusal.body(request.id)));
  });
}

/** A path that does not exist, or not under this method. */
function notFound(paths: KnownPaths, { url, method }: FastifyRequest, reply: FastifyReply): Refusal {
  const methods = paths.methodsOf(url);
  if (methods.length === 0) {
    const nearest = paths.nearest(url);
    const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
    return new Refusal('not_found', `There is no such path.${hint} /docs lists all of them.`);
  }
  reply.header('allow', methods.join(', '));
  return new Refusal('method_not_allowed', `This path takes ${methods.join(' and ')}, not ${method}.`);
}

function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** OPTIONS that asks what a path takes (RFC 9110, 9.3.7). */
function answerOptions(
  paths: KnownPaths,
  request: FastifyRequest,
  reply: FastifyReply,
  refuse: (refusal: Refusal) => void,
): void {
  const methods = paths.methodsOf(request.url);
  if (methods.length === 0) refuse(notFound(paths, request, reply));
  else
    reply
      .code(204)
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .send();
}

/** What the HTTP framework itself refuses, in the registry's words. */
function frameworkRefusal(thrown: unknown): Refusal {
  const { code, statusCode } = thrown as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('body_too_large', 'The body is over 1 MiB.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Refusal('unsupported_media_type', 'Bodies are application/json.');
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH' || statusCode === 414) {
    return new Refusal('invalid_argument', 'The path is too long or not valid percent-encoded UTF-8.');
  }
  if (statusCode === 400) return new Refusal('invalid_argument', 'The request cannot be read.');
  return asRefusal(thrown);
}

function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json\b/i, { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(new Refusal('invalid_argument', 'This operation takes a JSON body.'));
    try {
      done(null, parseJson(String(body)));
    } catch (error) {
      if (!(error instanceof JsonDepthError)) return done(new Refusal('invalid_argument', 'The body is not JSON.'));
      done(validationRefusal([{ loc: ['body'], msg: error.message, type: 'too_deep' }]));
    }
  });
}

/** One line a request. No address, no query, no target: the template of the route says enough. */
function logLine(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.log.info({
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  });
  done();
}
