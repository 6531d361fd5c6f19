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
import { createOriginCheck, type OriginSettings, corsAllowedOrigins } from '../access/origin-policy.ts';
import { RATE_LIMIT_HEADERS } from '../access/quota-status.ts';
import { ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { validationError } from '../engine/input/parse-input.ts';
import { mountCallerIdentification } from './caller-identification.ts';
import { mountDocs } from './docs.ts';
import { mountHealth } from './health.ts';
import { KnownPaths } from './known-paths.ts';
import { type McpRequestHandler, mountMcp } from './mcp.ts';
import { type MetricsOptions, mountMetrics } from './metrics.ts';
import { createOpenApiDocument } from './openapi.ts';
import { answerProtocolError } from './protocol-errors.ts';
import { mountRequestChecks, SECURITY_HEADERS } from './request-checks.ts';
import { mountOperationRoutes } from './operation-routes.ts';
import { pathError, sendError } from './error-responses.ts';

export interface HttpServerOptions {
  operations: readonly Operation[];
  runnerDeps: RunnerDeps;
  access: Access;
  logger: FastifyBaseLogger;
  /** Which Host names and web origins are accepted. */
  originSettings: OriginSettings;
  /** True while the process shuts down: `/readyz` reports it. */
  isStopping: () => boolean;
  /** Handles `/mcp`; without it the path does not exist. */
  mcp?: McpRequestHandler;
  /** Counts requests, and may serve `/metrics`; without it nothing is counted. */
  metrics?: MetricsOptions;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_PATH_PARAMETER_LENGTH = 16 * 1024;
const REQUEST_ID_PATTERN = /^[\w.:-]{1,64}$/;

/** The HTTP surface: routes of all operations, MCP, OpenAPI, reference, health. Not listening yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { access, originSettings } = options;
  const knownPaths = new KnownPaths(options.operations);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The log line has the request id; a child logger for each request would cost more than the line.
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
    // Request checks refuse a missing Host header, with the body of other errors.
    http: { requireHostHeader: false },
    clientErrorHandler: answerProtocolError,
    // No hooks run here, so headers and the log line are added by hand.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
      reply.raw.once('finish', () => logRequest(request, reply, () => {}));
      void sendError(access, error, request, reply);
    },
  });
  // Request checks refuse other expectations; without this listener Node would, in its own format.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Before any route: routes mounted earlier would use Fastify's error format.
  app.setErrorHandler((error, request, reply) => sendError(access, error, request, reply));
  // Before the hooks that answer OPTIONS.
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
  mountDocs(app, () => createOpenApiDocument(options.operations, options.runnerDeps.serviceState.version));
  return app;
}

function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Answers an OPTIONS request that is no CORS preflight with the methods of the path (RFC 9110, 9.3.7). */
function answerOptions(
  knownPaths: KnownPaths,
  request: FastifyRequest,
  reply: FastifyReply,
  next: (error: ApiError) => void,
): void {
  const methods = knownPaths.methodsOf(request.url);
  if (methods.length === 0) next(pathError(knownPaths, request, reply));
  else
    reply
      .code(204)
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .send();
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

/** One line for each request: the path template, but no address, query or target. */
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
