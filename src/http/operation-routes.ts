import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { QuotaStatus } from '../access/quota-status.ts';
import { ApiError } from '../errors.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { type ParsedRoute, parseRoute, type RestOperation, restOperations } from '../engine/route.ts';
import { type CachedAnswer, joinParts } from '../engine/cached-answer.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { type AnswerForm, answerFormOf, type AnswerRenderer, SHARED_ANSWER_HEADERS } from './answer-form.ts';
import { hasOptedOutOfTracking } from './caller-identification.ts';
import { setQuotaHeaders } from './quota-headers.ts';
import { logInternalError } from './log-internal-error.ts';
import type { RepeatedRequests } from './repeated-requests.ts';
import { inputFromRequest } from './input-from-request.ts';

interface RouteDeps {
  operations: readonly Operation[];
  runnerDeps: RunnerDeps;
  access: Access;
  repeated: RepeatedRequests;
  renderer: AnswerRenderer;
}

/** One route for each operation, derived from its definition. */
export function mountOperationRoutes(app: FastifyInstance, deps: RouteDeps): void {
  for (const operation of restOperations(deps.operations)) {
    const { method, path, catchAllParameter } = parseRoute(operation.route);
    app.route({
      method,
      url: catchAllParameter === null ? path : path.replace(/\*.*$/, '*'),
      config: { operation },
      handler: async (request, reply) => {
        const form = answerFormOf(request.headers);
        const { input, json, shared } = await runRequest(operation, request, reply, form, deps);
        reply.header('content-type', 'application/json; charset=utf-8');
        if (shared === null || method !== 'GET') return reply.send(json);
        setSharedAnswerHeaders(reply, deps.renderer.entityTagOf(shared));
        deps.repeated.remember(request, reply, operation, input);
        if (deps.renderer.isKnown(shared, form)) return reply.removeHeader('content-type').code(304).send();
        const { parts, isGzip } = deps.renderer.render(shared, form);
        if (isGzip) reply.header('content-encoding', 'gzip');
        return reply.send(joinParts(parts));
      },
    });
  }
  rejectGetOnPostPaths(
    app,
    restOperations(deps.operations).map(({ route }) => parseRoute(route)),
  );
}

/** `GET /v1/sigma/bulk` is a POST path with the wrong method, not a rule whose id is "bulk". */
function rejectGetOnPostPaths(app: FastifyInstance, routes: readonly ParsedRoute[]): void {
  const ofPath = Map.groupBy(routes, ({ path }) => path);
  for (const [path, ofThis] of ofPath) {
    const methods = ofThis.map(({ method }) => method);
    if (methods.includes('GET') || ofThis[0]!.pathParameters.length > 0) continue;
    app.get(path, (_request, reply) => {
      reply.header('allow', methods.join(', '));
      throw new ApiError('method_not_allowed', `This path takes ${methods.join(' and ')}, not GET.`);
    });
  }
}

function setSharedAnswerHeaders(reply: FastifyReply, entityTag: string): void {
  const vary = [reply.getHeader('vary') ?? [], SHARED_ANSWER_HEADERS.vary].flat().join(', ');
  reply.headers({ ...SHARED_ANSWER_HEADERS, vary, etag: entityTag });
}

/** Parses, charges and runs, in this order: input that is not valid costs nothing. */
async function runRequest(
  operation: RestOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  form: AnswerForm,
  { operations, runnerDeps, access, renderer }: RouteDeps,
): Promise<{ input: OperationInput; json: Buffer; shared: CachedAnswer | null }> {
  let parsed: OperationInput = {};
  let shared: CachedAnswer | null = null;
  const call = {
    caller: request.caller!,
    operation,
    parseInput() {
      const { input, issues } = inputFromRequest(operation, request);
      parsed = parseInput(operation, input, operations, issues);
      return parsed;
    },
    optedOut: hasOptedOutOfTracking(request.headers),
    onQuotaStatus: (status: QuotaStatus) => setQuotaHeaders(reply, status),
    disconnectSignal: () => disconnectSignalOf(reply),
    reportInternalError: (error: unknown) => logInternalError(request, error),
    onSharedAnswer(answer: CachedAnswer) {
      shared = answer;
    },
    hasAnswer: (answer: CachedAnswer) => operation.route.startsWith('GET ') && renderer.isKnown(answer, form),
  };
  const json = await access.callRunner.run(call, runnerDeps);
  return { input: parsed, json, shared };
}

/** Aborted when the client closes the connection before the answer is written: the work is then not finished. */
export function disconnectSignalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
