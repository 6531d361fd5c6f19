import type { FastifyRequest } from 'fastify';
import { type Fault, Refusal } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import { tooManyFields } from '../engine/input/input-size.ts';
import { MAX_FAULTS, repeatable, unknownFault, validationRefusal } from '../engine/input/parse-input.ts';
import { type Location, locationOf, parseRoute, type Routed } from '../engine/route.ts';
import { fromText } from '../engine/input/text-input.ts';

/** An operation's input as a request carries it: each field at the place where the operation expects it, and nowhere else. */
export interface RequestInput {
  readonly input: Record<string, unknown>;
  /** Of fields that are unknown, at another place, or repeated: those are not in `input`. */
  readonly faults: readonly Fault[];
}

/** Reads the input of a request. Throws `Refusal` for too many fields to look at, and for a body that is not an object. */
export function inputOf(operation: Routed, request: FastifyRequest): RequestInput {
  const { greedy, path } = parseRoute(operation.route);
  if (greedy !== null) return greedyInput(operation, greedy, path.indexOf('*'), request);
  const query = request.query as Record<string, unknown>;
  const body = operation.route.startsWith('POST ') ? bodyOf(request) : {};
  const tooMany = tooManyFields('query', query) ?? tooManyFields('body', body);
  if (tooMany !== null) throw validationRefusal([tooMany]);
  const inQuery = strangers(operation, 'query', query);
  const inBody = misplaced(operation, body);
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
  const text = { ...without(query, [...inQuery, ...repeated]), ...(request.params as object) };
  return {
    input: { ...without(body, inBody), ...fromText(operation.input, text) },
    faults: [
      ...unknownFaults(operation, 'query', inQuery),
      ...repeated.slice(0, MAX_FAULTS).map(repeatedFault),
      ...unknownFaults(operation, 'body', inBody),
    ],
  };
}

/** Also as reports write them, so that nobody clicks on them: `hxxps[:]//`. */
const WEB_ADDRESS = /^(?:h(?:tt|xx)ps?|ftp)(?::|\[:\/?\/?\]|%5b:)/i;

/**
 * The rest of the address is the input: as it stands, with its own query, or percent-encoded whole. Two slashes that a proxy made
 * one of are made two again.
 */
function greedyInput(operation: Operation, name: string, start: number, request: FastifyRequest): RequestInput {
  const rest = (request.raw.url ?? '').slice(start);
  if (WEB_ADDRESS.test(rest)) {
    return { input: { [name]: rest.replace(/^(\w+):\/(?!\/)/, '$1://') }, faults: [] };
  }
  const query = request.query as Record<string, unknown>;
  const tooMany = tooManyFields('query', query);
  if (tooMany !== null) throw validationRefusal([tooMany]);
  const faults = unknownFaults(operation, 'query', strangers(operation, 'query', query));
  return { input: { [name]: (request.params as Record<string, string>)['*'] ?? '' }, faults };
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined) throw new Refusal('invalid_argument', 'This operation takes a JSON body.');
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw validationRefusal([{ loc: ['body'], msg: 'the body must be a JSON object', type: 'invalid_type' }]);
}

/** Body fields that the operation has elsewhere. Those it does not have at all are the schema's to refuse, with all else. */
function misplaced(operation: Operation, body: Record<string, unknown>): string[] {
  return strangers(operation, 'body', body).filter((name) => Object.hasOwn(operation.input.shape, name));
}

/** Names of fields that the operation does not have, or has elsewhere. */
function strangers(operation: Operation, location: Location, given: Record<string, unknown>): string[] {
  return Object.keys(given).filter(
    (name) => !Object.hasOwn(operation.input.shape, name) || locationOf(operation, name) !== location,
  );
}

function unknownFaults(operation: Operation, location: Location, names: readonly string[]): Fault[] {
  return names.slice(0, MAX_FAULTS).map((name) => unknownFault(operation, location, name));
}

function repeatedFault(name: string): Fault {
  return { loc: ['query', repeatable(name)], msg: 'given more than once', type: 'repeated_parameter' };
}

function without(given: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  if (names.length === 0) return given;
  const left = Object.entries(given).filter(([name]) => !names.includes(name));
  return Object.fromEntries(left);
}
