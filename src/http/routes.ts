import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Rate } from '../access/rate.ts';
import { Refusal } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { type ParsedRoute, parseRoute, type Routed, routed } from '../engine/route.ts';
import { runToJson, type Services } from '../engine/runner.ts';
import { tellRate } from './access.ts';
import { logFault } from './faults.ts';
import { inputOf } from './input.ts';

/** What the routes stand on. */
interface Ground {
  operations: readonly Operation[];
  services: Services;
  access: Access;
}

/** One route for each operation, derived from its definition. */
export function mountOperations(app: FastifyInstance, ground: Ground): void {
  for (const operation of routed(ground.operations)) {
    const { method, path, greedy } = parseRoute(operation.route);
    app.route({
      method,
      url: greedy === null ? path : path.replace(/\*.*$/, '*'),
      config: { operation },
      handler: async (request, reply) => {
        const json = await answer(operation, request, reply, ground);
        return reply.header('content-type', 'application/json; charset=utf-8').send(json);
      },
    });
  }
  refuseShadowed(
    app,
    routed(ground.operations).map(({ route }) => parseRoute(route)),
  );
}

/** `GET /v1/sigma/bulk` is the POST path asked wrongly, not a rule whose id is "bulk". */
function refuseShadowed(app: FastifyInstance, routes: readonly ParsedRoute[]): void {
  const taken = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  for (const { method, path, pathNames } of routes) {
    if (method === 'GET' || pathNames.length > 0 || taken.has(path)) continue;
    app.get(path, (_request, reply) => {
      reply.header('allow', method);
      throw new Refusal('method_not_allowed', `This path takes ${method}, not GET.`);
    });
  }
}

/** Checks, charges, works, in this order: what is not valid costs nothing. */
function answer(
  operation: Routed,
  request: FastifyRequest,
  reply: FastifyReply,
  { operations, services, access }: Ground,
): Promise<Buffer> {
  const given = inputOf(operation, request);
  const input = parseInput(operation, given.input, operations, given.faults);
  const caller = request.caller!;
  const call = { caller, operation, input, tell: (rate: Rate) => tellRate(reply, rate) };
  return access.charging.charge(call, ({ input, skipped }) =>
    runToJson(operation, input, services, {
      callerGone: () => abortedWith(reply),
      fault: (error) => logFault(request, error),
      skipped,
      ...(operation.personal === undefined ? null : { self: access.selfOf(caller) }),
    }),
  );
}

/** Work for a caller who has gone away is not finished. */
function abortedWith(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
