import type { FastifyRequest } from 'fastify';
import { type Fault, Refusal } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import { tooManyFields } from '../engine/input/input-size.ts';
import { MAX_FAULTS, repeatable, unknownFault, validationRefusal } from '../engine/input/parse-input.ts';
import { type Location, locationOf, parseRoute, type Routed } from '../engine/route.ts';
import { fromText } from '../engine/input/text-input.ts';

/** An operation's input as a request carries it: each field at the place where the operation expects it, and nowhere else. */
export function inputOf(operation: Routed, request: FastifyRequest): Record<string, unknown> {
  const { greedy, path } = parseRoute(operation.route);
  if (greedy !== null) return greedyInput(operation, greedy, path.indexOf('*'), request);
  const query = request.query as Record<string, unknown>;
  const body = operation.route.startsWith('POST ') ? bodyOf(request) : {};
  const tooMany = tooManyFields('query', query) ?? tooManyFields('body', body);
  if (tooMany !== null) throw validationRefusal([tooMany]);
  const faults = [...strangers(operation, 'query', query), ...repeated(query), ...misplaced(operation, body)];
  if (faults.length > 0) throw validationRefusal(faults);
  return { ...body, ...fromText(operation.input, { ...query, ...(request.params as object) }) };
}

/** Also as reports write them, so that nobody clicks on them: `hxxps[:]//`. */
const WEB_ADDRESS = /^(?:h(?:tt|xx)ps?|ftp)(?::|\[:\/?\/?\]|%5b:)/i;

/**
 * The rest of the address is the input: as it stands, with its own query, or percent-encoded whole. Two slashes that a proxy made
 * one of are made two again.
 */
function greedyInput(
  operation: Operation,
  name: string,
  start: number,
  request: FastifyRequest,
): Record<string, unknown> {
  const rest = (request.raw.url ?? '').slice(start);
  if (WEB_ADDRESS.test(rest)) return { [name]: rest.replace(/^(\w+):\/(?!\/)/, '$1://') };
  const query = request.query as Record<string, unknown>;
  const tooMany = tooManyFields('query', query);
  const faults = tooMany === null ? strangers(operation, 'query', query) : [tooMany];
  if (faults.length > 0) throw validationRefusal(faults);
  return { [name]: (request.params as Record<string, string>)['*'] ?? '' };
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined) throw new Refusal('invalid_argument', 'This operation takes a JSON body.');
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw validationRefusal([{ loc: ['body'], msg: 'the body must be a JSON object', type: 'invalid_type' }]);
}

/** Body fields that the operation has elsewhere. Those it does not have at all are the schema's to refuse, with all else. */
function misplaced(operation: Operation, body: Record<string, unknown>): Fault[] {
  return strangers(operation, 'body', body).filter(({ loc }) => Object.hasOwn(operation.input.shape, loc[1] ?? ''));
}

/** Fields that the operation does not have, or has elsewhere. */
function strangers(operation: Operation, location: Location, given: Record<string, unknown>): Fault[] {
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(operation.input.shape, name) || locationOf(operation, name) !== location)
    .slice(0, MAX_FAULTS)
    .map((name) => unknownFault(operation, location, name));
}

function repeated(query: Record<string, unknown>): Fault[] {
  return Object.entries(query)
    .filter(([, value]) => Array.isArray(value))
    .slice(0, MAX_FAULTS)
    .map(([name]) => ({ loc: ['query', repeatable(name)], msg: 'given more than once', type: 'repeated_parameter' }));
}
