import type { FastifyRequest } from 'fastify';
import { isJsonObject } from '../analysis/bounded-json.ts';
import { urlInPath } from '../analysis/url-in-path.ts';
import { type ValidationIssue, ApiError } from '../errors.ts';
import type { Operation } from '../engine/operation.ts';
import { checkFieldCount } from '../engine/input/input-size.ts';
import { MAX_REPORTED_ISSUES, shortenedName, unknownFieldIssue, validationError } from '../engine/input/parse-input.ts';
import { hasBody, type InputLocation, locationOf, parseRoute, type RestOperation } from '../engine/route.ts';
import { convertTextInput } from '../engine/input/text-input.ts';

/** An operation's input as read from a request. A field is taken only from the location that the operation declares for it. */
export interface RequestInput {
  readonly input: Record<string, unknown>;
  /** One for each field that is unknown, in the wrong location or repeated; these fields are not in `input`. */
  readonly issues: readonly ValidationIssue[];
}

/** Reads an operation's input from a request. Throws `ApiError` (400, 422) for too many fields and for a body that is not an object. */
export function inputFromRequest(operation: RestOperation, request: FastifyRequest): RequestInput {
  const { catchAllParameter, method, path } = parseRoute(operation.route);
  if (catchAllParameter !== null) return wildcardInput(operation, catchAllParameter, path.indexOf('*'), request);
  const query = request.query as Record<string, unknown>;
  const body = hasBody(method) ? jsonObjectBody(operation, request) : {};
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

/** The rest of the path is the input: a URL with its own query as it is, or percent-encoded as a whole. */
function wildcardInput(operation: Operation, name: string, start: number, request: FastifyRequest): RequestInput {
  const url = urlInPath((request.raw.url ?? '').slice(start));
  if (url !== null) return { input: { [name]: url }, issues: [] };
  const query = request.query as Record<string, unknown>;
  const tooMany = checkFieldCount('query', query);
  if (tooMany !== null) throw validationError([tooMany]);
  return {
    input: { [name]: (request.params as Record<string, string>)['*'] ?? '' },
    issues: unknownFieldIssues(operation, 'query', unexpectedFields(operation, 'query', query)),
  };
}

function jsonObjectBody(operation: Operation, { body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined && !takesBody(operation)) return {};
  if (body === undefined) throw new ApiError('invalid_argument', 'This operation takes a JSON body.');
  if (isJsonObject(body)) return body;
  throw validationError([{ loc: ['body'], msg: 'the body must be a JSON object', type: 'invalid_type' }]);
}

/** Whether an operation takes any field from a body. */
function takesBody(operation: Operation): boolean {
  return Object.keys(operation.input.shape).some((name) => locationOf(operation, name) === 'body');
}

/** Body fields that the operation takes in another location. Unknown fields are left for the schema to reject. */
function fieldsInWrongLocation(operation: Operation, body: Record<string, unknown>): string[] {
  return unexpectedFields(operation, 'body', body).filter((name) => Object.hasOwn(operation.input.shape, name));
}

/** Names of fields that the operation does not have, or takes in another location. */
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
