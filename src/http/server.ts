import { createServer, type RequestListener, type Server } from 'node:http';
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
import { AnswerRenderer } from './answer-form.ts';
import { isApiRequest } from './api-request.ts';
import { mountCallerIdentification } from './caller-identification.ts';
import { mountFeedRoutes } from './feed-routes.ts';
import { mountHealth } from './health.ts';
import { KnownPaths } from './known-paths.ts';
import { mountMcp } from './mcp.ts';
import type { McpRequestHandler } from './mcp-request-handler.ts';
import { type MetricsOptions, mountMetrics } from './metrics.ts';
import { mountOpenApi } from './openapi-route.ts';
import { createOpenApiDocument } from './openapi.ts';
import { loadResponseExamples } from '../operations/load-response-examples.ts';
import { mountPages, sendErrorPage } from './pages.ts';
import { mountOAuthMetadata } from './oauth-metadata.ts';
import type { PageRequestHandler } from './page-request-handler.ts';
import { RepeatedRequests } from './repeated-requests.ts';
import { RepeatedToolCalls } from './repeated-tool-calls.ts';
import { requestIdOf } from './request-id.ts';
import { mountRobotsTxt } from './robots-txt.ts';
import { logRequest } from './log-request.ts';
import { answerProtocolError } from './protocol-errors.ts';
import { mountRequestChecks, SECURITY_HEADERS } from './request-checks.ts';
import { mountOperationRoutes } from './operation-routes.ts';
import { KEEP_ALIVE_TIMEOUT_MS, UnparsedRequests } from './unparsed-requests.ts';
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
  /** Answers requests for pages; without it there are none. */
  pages?: PageRequestHandler;
  /** Counts requests, and may serve `/metrics`; without it nothing is counted. */
  metrics?: MetricsOptions;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_PATH_PARAMETER_LENGTH = 16 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** No route has a schema for the framework, so its compilers of schemas need not be loaded. */
const WITHOUT_SCHEMAS = { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } };

/** The HTTP surface: routes of all operations, MCP, OpenAPI, reference, health. Not listening yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { access, originSettings } = options;
  const knownPaths = new KnownPaths(options.operations);
  const originCheck = createOriginCheck(originSettings);
  const metrics = options.metrics?.metrics;
  const renderer = new AnswerRenderer(options.runnerDeps, access.pseudonyms);
  const repeated = new RepeatedRequests({ ...options, originCheck, metrics, renderer });
  const repeatedCalls =
    options.mcp === undefined ? null : new RepeatedToolCalls({ ...options, handler: options.mcp, metrics });
  const unparsed = new UnparsedRequests((request) => repeated.judge(request) ?? repeatedCalls?.judge(request) ?? null);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The log line has the request id; a child logger for each request would cost more than the line.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY_BYTES,
    schemaController: WITHOUT_SCHEMAS,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH, ignoreTrailingSlash: true },
    genReqId: requestIdOf,
    serverFactory(framework) {
      const server = createNodeServer((request, response) => {
        unparsed.noteParsed(request, response);
        repeated.answer(request, response, () => framework(request, response));
      });
      unparsed.watch(server);
      return server;
    },
    clientErrorHandler: answerProtocolError,
    // No hooks run here, so headers and the log line are added by hand.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
      reply.raw.once('finish', () => logReply(request, reply, () => {}));
      void sendError(access, error, request, reply);
    },
  });
  app.addHook('preClose', (done) => {
    repeated.stop();
    repeatedCalls?.stop();
    done();
  });
  // Before any route: routes mounted earlier would use Fastify's error format.
  app.setErrorHandler((error, request, reply) => sendError(access, error, request, reply));
  // Before the hooks that answer OPTIONS.
  const allowsMcpOrigin = (origin: string): boolean => options.mcp?.allowsOrigin(origin) === true;
  mountRequestChecks(app, originCheck, allowsMcpOrigin);
  app.addHook('onRequest', (request, reply, next) => {
    if (request.method !== 'OPTIONS' || isPreflight(request)) return next();
    return answerOptions(knownPaths, request, reply, next);
  });
  await app.register(fastifyCors, {
    strictPreflight: false,
    origin: corsAllowedOrigins(originSettings),
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Request-ID', 'Retry-After', 'ETag', 'WWW-Authenticate', ...RATE_LIMIT_HEADERS],
    maxAge: 86_400,
  });
  mountCallerIdentification(app, access);
  acceptJsonOnly(app);
  app.setNotFoundHandler((request, reply) => {
    const error = pathError(knownPaths, request, reply);
    const { pages } = options;
    return pages !== undefined && !isApiRequest(request) && pages.acceptsHtml(request.headers.accept)
      ? sendErrorPage({ handler: pages, access }, error, request, reply)
      : sendError(access, error, request, reply);
  });
  app.addHook('onResponse', logReply);
  app.addHook('onRoute', ({ method, url }) => knownPaths.add(method, url));
  if (options.metrics !== undefined) mountMetrics(app, options.metrics);
  mountHealth(app, options);
  mountOperationRoutes(app, { ...options, repeated, renderer });
  mountFeedRoutes(app, { ...options, renderer });
  if (repeatedCalls !== null) mountMcp(app, { handler: options.mcp!, access, metrics, repeated: repeatedCalls });
  if (access.oauth !== null) {
    const restOrigins = corsAllowedOrigins(originSettings);
    const allowsOrigin = (origin: string): boolean =>
      restOrigins === '*' || (restOrigins !== false && restOrigins.includes(origin)) || allowsMcpOrigin(origin);
    mountOAuthMetadata(app, { oauth: access.oauth, allowsOrigin });
  }
  mountRobotsTxt(app);
  if (options.pages !== undefined) mountPages(app, { ...options, handler: options.pages });
  const { version } = options.runnerDeps.serviceState;
  mountOpenApi(app, async () => createOpenApiDocument(options.operations, version, await loadResponseExamples()));
  return app;
}

function refuseSchemas(): never {
  throw new Error('input is checked by the operation, not by a schema of the route');
}

/** The server under the framework. Request checks refuse a missing Host header and unknown expectations, with the body of other errors. */
function createNodeServer(listener: RequestListener): Server {
  const server = createServer({ requireHostHeader: false }, listener);
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  // Without this listener Node would refuse other expectations, in its own format.
  server.on('checkExpectation', listener);
  return server;
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
  app.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json\b/i, { parseAs: 'string' }, (request, body, done) => {
    // Some clients send the content type without a body.
    if (body === '' && request.method === 'DELETE') return done(null);
    if (body === '') return done(new ApiError('invalid_argument', 'This operation takes a JSON body.'));
    try {
      done(null, parseBoundedJson(String(body)));
    } catch (error) {
      if (!(error instanceof JsonDepthError)) return done(new ApiError('invalid_argument', 'The body is not JSON.'));
      done(validationError([{ loc: ['body'], msg: error.message, type: 'too_deep' }]));
    }
  });
}

function logReply(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  logRequest(request.log, {
    id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    milliseconds: reply.elapsedTime,
  });
  done();
}
