import type { FastifyRequest } from 'fastify';
import { type ValidationIssue, ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import { checkFieldCount } from '../engine/input/input-size.ts';
import { MAX_REPORTED_ISSUES, shortenedName, unknownFieldIssue, validationError } from '../engine/input/parse-input.ts';
import { type InputLocation, locationOf, parseRoute, type RestOperation } from '../engine/route.ts';
import { convertTextInput } from '../engine/input/text-input.ts';

/** An operation's input as a request carries it: each field at the place where the operation expects it, and nowhere else. */
export interface RequestInput {
  readonly input: Record<string, unknown>;
  /** Of fields that are unknown, at another place, or repeated: those are not in `input`. */
  readonly issues: readonly ValidationIssue[];
}

/** Reads the input of a request. Throws `ApiError` for too many fields to look at, and for a body that is not an object. */
export function inputFromRequest(operation: RestOperation, request: FastifyRequest): RequestInput {
  const { catchAllParameter, path } = parseRoute(operation.route);
  if (catchAllParameter !== null) return wildcardInput(operation, catchAllParameter, path.indexOf('*'), request);
  const query = request.query as Record<string, unknown>;
  const body = operation.route.startsWith('POST ') ? jsonObjectBody(request) : {};
  const tooMany = checkFieldCount('query', query) ?? checkFieldCount('body', body);
  if (tooMany !== null) throw validationError([tooMany]);
  const unexpectedInQuery = unexpectedFields(operation, 'query', query);
  const misplacedInBody = fieldsInWrongLocation(operation, body);
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
  const textFields = { ...omitFields(query, [...unexpectedInQuery, ...repeated]), ...(request.params as object) };
  return {
    input: { ...omitFields(body, misplacedInBody), ...convertTextInput(operation.input, textFields) },
    issues: [
      ...unknownFieldIssues(operation, 'query', unexpectedInQuery),
      ...repeated.slice(0, MAX_REPORTED_ISSUES).map(repeatedParameterIssue),
      ...unknownFieldIssues(operation, 'body', misplacedInBody),
    ],
  };
}

/** Also as reports write them, so that nobody clicks on them: `hxxps[:]//`. */
const URL_START = /^(?:h(?:tt|xx)ps?|ftp)(?::|\[:\/?\/?\]|%5b:)/i;

/**
 * The rest of the address is the input: as it stands, with its own query, or percent-encoded whole. Two slashes that a proxy made
 * one of are made two again.
 */
function wildcardInput(operation: Operation, name: string, start: number, request: FastifyRequest): RequestInput {
  const rest = (request.raw.url ?? '').slice(start);
  if (URL_START.test(rest)) {
    return { input: { [name]: rest.replace(/^(\w+):\/(?!\/)/, '$1://') }, issues: [] };
  }
  const query = request.query as Record<string, unknown>;
  const tooMany = checkFieldCount('query', query);
  if (tooMany !== null) throw validationError([tooMany]);
  const faults = unknownFieldIssues(operation, 'query', unexpectedFields(operation, 'query', query));
  return { input: { [name]: (request.params as Record<string, string>)['*'] ?? '' }, issues: faults };
}

function jsonObjectBody({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined) throw new ApiError('invalid_argument', 'This operation takes a JSON body.');
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw validationError([{ loc: ['body'], msg: 'the body must be a JSON object', type: 'invalid_type' }]);
}

/** Body fields that the operation has elsewhere. Those it does not have at all are the schema's to refuse, with all else. */
function fieldsInWrongLocation(operation: Operation, body: Record<string, unknown>): string[] {
  return unexpectedFields(operation, 'body', body).filter((name) => Object.hasOwn(operation.input.shape, name));
}

/** Names of fields that the operation does not have, or has elsewhere. */
function unexpectedFields(operation: Operation, location: InputLocation, fields: Record<string, unknown>): string[] {
  return Object.keys(fields).filter(
    (name) => !Object.hasOwn(operation.input.shape, name) || locationOf(operation, name) !== location,
  );
}

function unknownFieldIssues(
  operation: Operation,
  location: InputLocation,
  names: readonly string[],
): ValidationIssue[] {
  return names.slice(0, MAX_REPORTED_ISSUES).map((name) => unknownFieldIssue(operation, location, name));
}

function repeatedParameterIssue(name: string): ValidationIssue {
  return { loc: ['query', shortenedName(name)], msg: 'given more than once', type: 'repeated_parameter' };
}

function omitFields(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  if (names.length === 0) return fields;
  const kept = Object.entries(fields).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept);
}
