import type { z } from 'zod';
import { type IdentifierKind, detectIdentifierKind, IDENTIFIER_KIND_PHRASES } from '../../analysis/identifier-kind.ts';
import { displayText } from '../../analysis/display-text.ts';
import { type ValidationIssue, ApiError } from '../../errors.ts';
import { nearestName } from './did-you-mean.ts';
import { checkFieldCount, checkValueCount } from './input-size.ts';
import { createIssueFormatter } from './issue-formatter.ts';
import type { Operation } from '../operation.ts';
import { hasBody, type InputLocation, locationOf, operationHintOf, parseRoute, restOperations } from '../route.ts';

/**
 * Checks input against the operation's schema. Throws `ApiError` 400 or 422. With `operations`, the error for an identifier of another
 * kind names the operation that takes it. `surfaceIssues`: issues that the surface already found, reported together with the others.
 */
export function parseInput(
  operation: Operation,
  raw: Record<string, unknown>,
  operations: readonly Operation[] = [],
  surfaceIssues: readonly ValidationIssue[] = [],
): Record<string, unknown> {
  const sizeIssue = checkFieldCount(defaultLocation(operation), raw) ?? checkValueCount(operation, raw);
  if (sizeIssue !== null) throw validationError([sizeIssue]);
  const parsed = safeParse(operation, raw);
  if (parsed.success && surfaceIssues.length === 0) return parsed.data;
  throw toInputError(operation, { issues: parsed.error?.issues ?? [], surfaceIssues }, raw, operations);
}

/** Like zod's `safeParse`; input at which the check itself throws is not valid either. */
function safeParse(operation: Operation, raw: Record<string, unknown>) {
  const error = createIssueFormatter(operation.input, raw);
  try {
    return operation.input.safeParse(raw, { error });
  } catch {
    const failed = safeParseWithoutLengths(operation, raw);
    if (failed !== null) return failed;
    throw validationError([{ loc: [defaultLocation(operation)], msg: 'the input cannot be read', type: 'invalid' }]);
  }
}

/** zod compares the `length` of objects too, which may be of any type: without such fields it reports what is wrong. */
function safeParseWithoutLengths(operation: Operation, raw: Record<string, unknown>) {
  try {
    const parsed = operation.input.safeParse(withoutLengths(raw), {
      error: createIssueFormatter(operation.input, raw),
    });
    return parsed.success ? null : parsed;
  } catch {
    return null;
  }
}

/** A copy in which every own `length` of an object is 0. */
function withoutLengths(raw: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(raw);
  const open: unknown[] = [copy];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next) && Object.hasOwn(next, 'length')) Object.assign(next, { length: 0 });
    for (const value of Object.values(next)) if (typeof value === 'object') open.push(value);
  }
  return copy;
}

/**
 * 400 with its own message where a path identifier of the wrong form is the only issue; else 422 with a row for each issue, those of
 * the path first.
 */
function toInputError(
  operation: Operation,
  { issues, surfaceIssues }: { issues: readonly z.core.$ZodIssue[]; surfaceIssues: readonly ValidationIssue[] },
  raw: Record<string, unknown>,
  operations: readonly Operation[],
): ApiError {
  const known = new Set(surfaceIssues.map(({ loc }) => JSON.stringify(loc)));
  const found = distinctIssues(
    issues.slice(0, MAX_ZOD_ISSUES).flatMap((issue) => toValidationIssues(operation, issue)),
  );
  // A repeated parameter is not a missing one.
  const rows = [...surfaceIssues, ...found.filter(({ loc }) => !known.has(JSON.stringify(loc)))];
  const pathRows = rows.filter(({ loc }) => loc[0] === 'path');
  const [pathIssue] = pathRows;
  if (pathIssue !== undefined && pathRows.length === rows.length) {
    const kind = detectOtherKind(raw[String(pathIssue.loc[1])], operation);
    const matchingOperation =
      kind === null ? undefined : restOperations(operations).find(({ subject }) => subject?.kind === kind);
    return new ApiError(
      'invalid_argument',
      `${pathIssue.type === 'custom' ? '' : `${pathIssue.loc[1]}: `}${pathIssue.msg}${kind === null ? '' : ` It looks like ${IDENTIFIER_KIND_PHRASES[kind]}.`}`,
      { operationHint: matchingOperation && operationHintOf(matchingOperation, 'takes that') },
    );
  }
  const ordered = [...pathRows, ...rows.filter(({ loc }) => loc[0] !== 'path')];
  return validationError(ordered, rows.length + Math.max(0, issues.length - MAX_ZOD_ISSUES));
}

/**
 * zod reports a number far out of range twice: each (location, message) is kept once. A value of the wrong type has no meaningful
 * length: issues of its size are dropped.
 */
function distinctIssues(rows: readonly ValidationIssue[]): ValidationIssue[] {
  const wrongTypes = new Set(rows.filter(({ type }) => type === 'invalid_type').map(({ loc }) => JSON.stringify(loc)));
  const relevant = rows.filter(({ loc, type }) => !type.startsWith('too_') || !wrongTypes.has(JSON.stringify(loc)));
  return [...new Map(relevant.map((row) => [JSON.stringify([row.loc, row.msg]), row])).values()];
}

export const MAX_REPORTED_ISSUES = 20;
/** Issues that are converted; several may become one row. */
const MAX_ZOD_ISSUES = 5 * MAX_REPORTED_ISSUES;
const MAX_NAME_CHARACTERS = 64;
const MAX_MESSAGE_CHARACTERS = 600;

/** `ApiError` 422 with the first 20 issues; `count`: how many there are. */
export function validationError(issues: readonly ValidationIssue[], count = issues.length): ApiError {
  const [first] = issues;
  const where = first === undefined ? 'input' : first.loc.slice(1).join('.') || first.loc[0];
  const more = count > 1 ? ` (and ${count - 1} more, see detail)` : '';
  return new ApiError('validation_error', `${where}: ${first?.msg ?? 'invalid'}${more}`, {
    issues: issues.slice(0, MAX_REPORTED_ISSUES),
  });
}

/** A field name from the input, cleaned and shortened for a message. */
export function shortenedName(name: string): string {
  return displayText(name, MAX_NAME_CHARACTERS);
}

export function unknownFieldIssue(operation: Operation, location: InputLocation, name: string): ValidationIssue {
  return {
    loc: [location, shortenedName(name)],
    msg: unknownFieldMessage(operation, location, name),
    type: 'unknown_parameter',
  };
}

/** The kind of an identifier where it is another than the operation takes; null if unknown. */
function detectOtherKind(given: unknown, { subject }: Operation): IdentifierKind | null {
  const kind = typeof given === 'string' ? detectIdentifierKind(given) : null;
  return kind === subject?.kind ? null : kind;
}

function toValidationIssues(operation: Operation, issue: z.core.$ZodIssue): ValidationIssue[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return issue.keys
      .slice(0, MAX_REPORTED_ISSUES)
      .map((key) => unknownFieldIssue(operation, defaultLocation(operation), key));
  }
  const [field, ...rest] = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const msg = displayText(issue.message, MAX_MESSAGE_CHARACTERS);
  if (field === undefined) return [{ loc: [defaultLocation(operation)], msg, type: issue.code }];
  const inside = rest.map((part) => (typeof part === 'string' ? shortenedName(part) : part));
  return [{ loc: [locationOf(operation, String(field)), field, ...inside], msg, type: issue.code }];
}

function defaultLocation(operation: Operation): 'query' | 'body' {
  return operation.route !== null && !hasBody(parseRoute(operation.route).method) ? 'query' : 'body';
}

function unknownFieldMessage(operation: Operation, location: InputLocation, name: string): string {
  const known = Object.keys(operation.input.shape).filter((field) => locationOf(operation, field) === location);
  const what = location === 'body' ? 'field' : 'parameter';
  if (known.length === 0) return `unknown ${what}: this operation takes none in the ${location}`;
  const nearest = nearestName(name, known);
  return `unknown ${what}: ${nearest === null ? `this operation takes ${known.join(', ')}` : `did you mean ${nearest}?`}`;
}
