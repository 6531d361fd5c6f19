import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Operation } from '../operations/operation.ts';
import { parseRoute } from '../operations/route.ts';
import { parseInput } from '../operations/parse-input.ts';
import { runToJson, type Services } from '../operations/runner.ts';
import { logFault } from './faults.ts';
import { inputOf } from './input.ts';

/** One route for each operation, derived from its definition. */
export function mountOperations(app: FastifyInstance, operations: readonly Operation[], services: Services): void {
  for (const operation of operations) {
    const { method, path } = parseRoute(operation.route);
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const input = parseInput(operation, inputOf(operation, request), operations);
        const json = await runToJson(
          operation,
          input,
          services,
          () => abortedWith(reply),
          (error) => logFault(request, error),
        );
        return reply.header('content-type', 'application/json; charset=utf-8').send(json);
      },
    });
  }
}

/** Work for a caller who has gone away is not finished. */
function abortedWith(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
