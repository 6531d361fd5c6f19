import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { parseRoute } from '../operations/route.ts';
import { parseInput, runToJson, type Services } from '../operations/runner.ts';
import { fromText } from '../operations/text-input.ts';

/** One route for each operation, derived from its definition. */
export function mountOperations(app: FastifyInstance, operations: readonly Operation[], services: Services): void {
  for (const operation of operations) {
    const { method, path } = parseRoute(operation.route);
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const input = parseInput(operation, inputOf(operation, request), operations);
        const json = await runToJson(operation, input, services, () => abortedWith(reply));
        return reply
          .header('x-request-id', request.id)
          .header('content-type', 'application/json; charset=utf-8')
          .send(json);
      },
    });
  }
}

function inputOf(operation: Operation, request: FastifyRequest): Record<string, unknown> {
  const text = { ...(request.query as object), ...(request.params as object) } as Record<string, unknown>;
  refuseRepeated(text);
  const given = fromText(operation.input, text);
  if (request.method === 'GET') return given;
  const { body } = request;
  if (body === undefined) throw new Refusal('invalid_argument', 'This operation takes a JSON body.');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const fault = { loc: ['body'], msg: 'the body must be a JSON object', type: 'invalid_type' };
    throw new Refusal('validation_error', fault.msg, { faults: [fault] });
  }
  return { ...body, ...given };
}

function refuseRepeated(query: Record<string, unknown>): void {
  const faults = Object.entries(query)
    .filter(([, value]) => Array.isArray(value))
    .map(([name]) => ({ loc: ['query', name], msg: 'given more than once', type: 'repeated_parameter' }));
  if (faults[0] !== undefined) {
    throw new Refusal('validation_error', `${faults[0].loc[1]}: given more than once`, { faults });
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
