import type { z } from 'zod';
import { type IdentifierKind, identifierKind, KIND_NAMES } from '../../analysis/identifier-kind.ts';
import { shownText } from '../../analysis/text.ts';
import { type Fault, Refusal } from '../../errors.ts';
import { tooManyFields, tooManyValues } from './input-size.ts';
import { inputWords } from './input-words.ts';
import type { Operation } from '../operation.ts';
import { type Location, locationOf, pointTo, routed } from '../route.ts';

/**
 * Input as a surface received it, checked against the operation's schema. Throws `Refusal` 400 or 422.
 * With the list of operations at hand, an identifier of another kind is pointed to the operation that takes it.
 * `faults`: what the surface found wrong with it already, to be told together with the rest.
 */
export function parseInput(
  operation: Operation,
  raw: Record<string, unknown>,
  operations: readonly Operation[] = [],
  faults: readonly Fault[] = [],
): Record<string, unknown> {
  const tooMuch = tooManyFields(spareLocation(operation), raw) ?? tooManyValues(operation, raw);
  if (tooMuch !== null) throw validationRefusal([tooMuch]);
  const parsed = checked(operation, raw);
  if (parsed.success && faults.length === 0) return parsed.data;
  throw refusalOf(operation, { issues: parsed.error?.issues ?? [], faults }, raw, operations);
}

/** What the schema says. Input at which the check itself fails is not valid either. */
function checked(operation: Operation, raw: Record<string, unknown>) {
  const error = inputWords(operation.input, raw);
  try {
    return operation.input.safeParse(raw, { error });
  } catch {
    const refused = refusedWithoutLengths(operation, raw);
    if (refused !== null) return refused;
    throw validationRefusal([{ loc: [spareLocation(operation)], msg: 'the input cannot be read', type: 'invalid' }]);
  }
}

/** A schema compares the `length` of what is neither text nor list, which may be anything: without it, it says what is wrong. */
function refusedWithoutLengths(operation: Operation, raw: Record<string, unknown>) {
  try {
    const parsed = operation.input.safeParse(withoutLengths(raw), { error: inputWords(operation.input, raw) });
    return parsed.success ? null : parsed;
  } catch {
    return null;
  }
}

/** A copy in which no object pretends to a length. */
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
 * A path identifier of the wrong form, where nothing else is wrong, is 400 with its own message. Every other input that is not
 * valid is 422 with a row for each fault, those of the path first.
 */
function refusalOf(
  operation: Operation,
  { issues, faults }: { issues: readonly z.core.$ZodIssue[]; faults: readonly Fault[] },
  raw: Record<string, unknown>,
  operations: readonly Operation[],
): Refusal {
  const known = new Set(faults.map(({ loc }) => JSON.stringify(loc)));
  const found = distinct(issues.slice(0, MAX_ISSUES).flatMap((issue) => faultsOf(operation, issue)));
  // A repeated parameter is not a missing one.
  const rows = [...faults, ...found.filter(({ loc }) => !known.has(JSON.stringify(loc)))];
  const pathRows = rows.filter(({ loc }) => loc[0] === 'path');
  const [inPath] = pathRows;
  if (inPath !== undefined && pathRows.length === rows.length) {
    const kind = otherKind(raw[String(inPath.loc[1])], operation);
    const taker = kind === null ? undefined : routed(operations).find(({ subject }) => subject?.kind === kind);
    return new Refusal(
      'invalid_argument',
      `${inPath.type === 'custom' ? '' : `${inPath.loc[1]}: `}${inPath.msg}${kind === null ? '' : ` It looks like ${KIND_NAMES[kind]}.`}`,
      { pointer: taker && pointTo(taker, 'takes that') },
    );
  }
  const ordered = [...pathRows, ...rows.filter(({ loc }) => loc[0] !== 'path')];
  return validationRefusal(ordered, rows.length + Math.max(0, issues.length - MAX_ISSUES));
}

/**
 * A number far out of range breaks two limits of which only one was meant: the same row twice. What is of the wrong kind has no
 * length that could be wrong, though an object may pretend to one.
 */
function distinct(rows: readonly Fault[]): Fault[] {
  const misfits = new Set(rows.filter(({ type }) => type === 'invalid_type').map(({ loc }) => JSON.stringify(loc)));
  const meant = rows.filter(({ loc, type }) => !type.startsWith('too_') || !misfits.has(JSON.stringify(loc)));
  return [...new Map(meant.map((row) => [JSON.stringify([row.loc, row.msg]), row])).values()];
}

export const MAX_FAULTS = 20;
/** Rows are made of so many: two issues may be one fault. */
const MAX_ISSUES = 5 * MAX_FAULTS;
const MAX_NAME = 64;
const MAX_MESSAGE = 600;

/** A 422 with a row for each fault; of very many faults (`count`) the first twenty say enough. */
export function validationRefusal(faults: readonly Fault[], count = faults.length): Refusal {
  const [first] = faults;
  const where = first === undefined ? 'input' : first.loc.slice(1).join('.') || first.loc[0];
  const more = count > 1 ? ` (and ${count - 1} more, see detail)` : '';
  return new Refusal('validation_error', `${where}: ${first?.msg ?? 'invalid'}${more}`, {
    faults: faults.slice(0, MAX_FAULTS),
  });
}

/** A caller's own name for something, short and plain enough to be repeated to them. */
export function repeatable(name: string): string {
  return shownText(name, MAX_NAME);
}

export function unknownFault(operation: Operation, location: Location, name: string): Fault {
  return { loc: [location, repeatable(name)], msg: unknownName(operation, location, name), type: 'unknown_parameter' };
}

/** The kind that an identifier has in place of the one asked for; null where it looks like nothing known. */
function otherKind(given: unknown, { subject }: Operation): IdentifierKind | null {
  const kind = typeof given === 'string' ? identifierKind(given) : null;
  return kind === subject?.kind ? null : kind;
}

function faultsOf(operation: Operation, issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return issue.keys.slice(0, MAX_FAULTS).map((key) => unknownFault(operation, spareLocation(operation), key));
  }
  const [field, ...rest] = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const msg = shownText(issue.message, MAX_MESSAGE);
  if (field === undefined) return [{ loc: [spareLocation(operation)], msg, type: issue.code }];
  const inside = rest.map((part) => (typeof part === 'string' ? repeatable(part) : part));
  return [{ loc: [locationOf(operation, String(field)), field, ...inside], msg, type: issue.code }];
}

function spareLocation(operation: Operation): 'query' | 'body' {
  return operation.route?.startsWith('GET ') ? 'query' : 'body';
}

function unknownName(operation: Operation, location: Location, name: string): string {
  const known = Object.keys(operation.input.shape).filter((field) => locationOf(operation, field) === location);
  const what = location === 'body' ? 'field' : 'parameter';
  if (known.length === 0) return `unknown ${what}: this operation takes none in the ${location}`;
  const nearest = nearestName(name, known);
  return `unknown ${what}: ${nearest === null ? `this operation takes ${known.join(', ')}` : `did you mean ${nearest}?`}`;
}

/** The known name with the fewest edits, when they are few enough to be a slip. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase().slice(0, 64), candidate) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3))
    ? best.candidate
    : null;
}

/** Insertions, deletions and replacements (Levenshtein); the time grows with the product of both lengths. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    previous = row;
  }
  return previous[b.length]!;
}
