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
import { JsonDepthError, parseBoundedJson } from '../analysis/bounded-json.ts';
import type { Access } from '../access/access.ts';
import { mapMaybePromise, type MaybePromise } from '../access/maybe-promise.ts';
import { createOriginCheck, type OriginSettings, corsAllowedOrigins } from '../access/origin-policy.ts';
import { RATE_LIMIT_HEADERS } from '../access/quota-status.ts';
import { toApiError, ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { validationError } from '../engine/input/parse-input.ts';
import { mountCallerIdentification, countUnchargedRefusal, setCurrentQuotaHeaders } from './caller-identification.ts';
import { mountDocs } from './docs.ts';
import { logInternalError } from './log-internal-error.ts';
import { mountHealth } from './health.ts';
import { KnownPaths } from './known-paths.ts';
import { type McpRequestHandler, mountMcp } from './mcp.ts';
import { type MetricsOptions, mountMetrics } from './metrics.ts';
import { createOpenApiDocument } from './openapi.ts';
import { mountPrivacyPage } from './privacy-page.ts';
import { answerProtocolError } from './protocol-errors.ts';
import { mountRequestChecks, SECURITY_HEADERS } from './request-checks.ts';
import { mountOperationRoutes } from './operation-routes.ts';

export interface HttpServerOptions {
  operations: readonly Operation[];
  services: RunnerDeps;
  access: Access;
  logger: FastifyBaseLogger;
  /** Where it listens, and which hosts and pages it answers. */
  originSettings: OriginSettings;
  /** True while the process is on its way out: `/readyz` says so, new work is refused by the listener. */
  isStopping: () => boolean;
  /** Answers at `/mcp`; none: there is no such path. */
  mcp?: McpRequestHandler;
  /** Counts what is asked, and may answer `/metrics`; none: nothing is counted. */
  metrics?: MetricsOptions;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_PATH_PARAMETER_LENGTH = 16 * 1024;
const REQUEST_ID_PATTERN = /^[\w.:-]{1,64}$/;

/** The REST surface: routes of all operations, OpenAPI, reference, health. It listens to nobody yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { access, originSettings } = options;
  const knownPaths = new KnownPaths(options.operations);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The request id stands in the line itself; a logger for each request would cost more than the line.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionTimeout: 0,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH, ignoreTrailingSlash: true },
    genReqId: (request) => {
      const sentId = request.headers['x-request-id'];
      return typeof sentId === 'string' && REQUEST_ID_PATTERN.test(sentId) ? sentId : randomUUID();
    },
    // A missing Host is refused here, with the body of every other error.
    http: { requireHostHeader: false },
    clientErrorHandler: answerProtocolError,
    // Here no hook runs: it would go without its line in the log.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
      reply.raw.once('finish', () => logRequest(request, reply, () => {}));
      void sendError(access, error, request, reply);
    },
  });
  // So is an expectation that is not met.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Before any route: what is mounted earlier would answer errors in a form of its own.
  app.setErrorHandler((error, request, reply) => sendError(access, error, request, reply));
  // First of all hooks: a preflight is answered by the next.
  mountRequestChecks(app, createOriginCheck(originSettings));
  app.addHook('onRequest', (request, reply, next) => {
    if (request.method !== 'OPTIONS' || isPreflight(request)) return next();
    return answerOptions(knownPaths, request, reply, next);
  });
  await app.register(fastifyCors, {
    strictPreflight: false,
    origin: corsAllowedOrigins(originSettings),
    methods: ['GET', 'POST'],
    exposedHeaders: ['X-Request-ID', 'Retry-After', ...RATE_LIMIT_HEADERS],
    maxAge: 86_400,
  });
  mountCallerIdentification(app, access);
  acceptJsonOnly(app);
  app.setNotFoundHandler((request, reply) => sendError(access, pathError(knownPaths, request, reply), request, reply));
  app.addHook('onResponse', logRequest);
  app.addHook('onRoute', ({ method, url }) => knownPaths.add(method, url));
  if (options.metrics !== undefined) mountMetrics(app, options.metrics);
  mountHealth(app, options);
  mountOperationRoutes(app, options);
  if (options.mcp !== undefined) mountMcp(app, options.mcp, options.access, options.metrics?.metrics);
  mountDocs(app, () => createOpenApiDocument(options.operations, options.services.serviceState.version));
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
  const error = thrown instanceof ApiError ? thrown : fromFrameworkError(thrown);
  if (error.code === 'internal_error') logInternalError(request, thrown);
  if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
  if (error.code === 'rate_limit_exceeded') reply.header('ratelimit-reset', String(error.retryAfterSeconds));
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  return mapMaybePromise(setCurrentQuotaHeaders(access, request, reply), () => {
    countUnchargedRefusal(access, request, reply, error.status);
    return reply
      .header('x-request-id', request.id)
      .header('content-type', 'application/json; charset=utf-8')
      .code(error.status)
      .send(JSON.stringify(error.toBody(request.id)));
  });
}

/** A path that does not exist, or not under this method. */
function pathError(knownPaths: KnownPaths, { url, method }: FastifyRequest, reply: FastifyReply): ApiError {
  const methods = knownPaths.methodsOf(url);
  if (methods.length === 0) {
    const nearest = knownPaths.nearestTemplate(url);
    const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
    return new ApiError('not_found', `There is no such path.${hint} /docs lists all of them.`);
  }
  reply.header('allow', methods.join(', '));
  return new ApiError('method_not_allowed', `This path takes ${methods.join(' and ')}, not ${method}.`);
}

function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** OPTIONS that asks what a path takes (RFC 9110, 9.3.7). */
function answerOptions(
  knownPaths: KnownPaths,
  request: FastifyRequest,
  reply: FastifyReply,
  next: (refusal: ApiError) => void,
): void {
  const methods = knownPaths.methodsOf(request.url);
  if (methods.length === 0) next(pathError(knownPaths, request, reply));
  else
    reply
      .code(204)
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .send();
}

/** What the HTTP framework itself refuses, in the registry's words. */
function fromFrameworkError(thrown: unknown): ApiError {
  const { code, statusCode } = thrown as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('body_too_large', 'The body is over 1 MiB.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError('unsupported_media_type', 'Bodies are application/json.');
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH' || statusCode === 414) {
    return new ApiError('invalid_argument', 'The path is too long or not valid percent-encoded UTF-8.');
  }
  if (statusCode === 400) return new ApiError('invalid_argument', 'The request cannot be read.');
  return toApiError(thrown);
}

function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json\b/i, { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(new ApiError('invalid_argument', 'This operation takes a JSON body.'));
    try {
      done(null, parseBoundedJson(String(body)));
    } catch (error) {
      if (!(error instanceof JsonDepthError)) return done(new ApiError('invalid_argument', 'The body is not JSON.'));
      done(validationError([{ loc: ['body'], msg: error.message, type: 'too_deep' }]));
    }
  });
}

/** One line a request. No address, no query, no target: the template of the route says enough. */
function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.log.info({
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  });
  done();
}
