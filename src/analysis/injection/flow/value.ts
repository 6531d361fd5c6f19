import type { IrFunction } from '../ir/ir.ts';
import {
  anySource,
  type InjectionKind,
  isCertain,
  mergeTaints,
  NO_TAINT,
  sourcesOf,
  type Taint,
  type TaintSource,
} from '../taint.ts';

/** An access path that is harmless for these kinds. */
export interface CheckedPath {
  readonly path: string;
  readonly kinds: readonly InjectionKind[];
}

/** What the outcome of a test implies for access paths. */
export interface Refinement {
  readonly whenTrue: readonly CheckedPath[];
  readonly whenFalse: readonly CheckedPath[];
}

/** What is known of a value without running the program: the abstract value of the analysis. */
export interface Value {
  readonly taint: Taint;
  /** The text, with `UNKNOWN_PART` for each part that is not known; null: nothing is known. Cut at `MAX_TEXT_LENGTH`. */
  readonly text: string | null;
  /** Concatenated from several parts. */
  readonly isBuilt: boolean;
  /** The qualified names by which rules find the value: `db`, `child_process.exec`, `conn.createStatement()`. */
  readonly names: readonly string[];
  /** An import or a function of this code: `names` hold its origin, not the variable. */
  readonly isDeclared: boolean;
  readonly typeName: string | null;
  /** Of a list. */
  readonly elements: readonly Value[] | null;
  /** Of a record. */
  readonly fields: ReadonlyMap<string, Value> | null;
  /** A path without `..`. */
  readonly isNormalizedPath: boolean;
  /** The access paths that a test of this value tests as well. */
  readonly refines: readonly string[];
  /** Of the result of a test. */
  readonly refinement: Refinement | null;
  readonly fn: IrFunction | null;
  /** Read from the source by this expression: its members and elements are sources themselves. */
  readonly fromSource: boolean;
  /** The source of a value that is escaped for use between quotes; it is still tainted outside of them. */
  readonly escapedSource: TaintSource | null;
}

const MAX_TEXT_LENGTH = 300;
const MAX_ELEMENTS = 50;
/** In the text of a value: a part that is not known. */
export const UNKNOWN_PART = '\0';

export const UNKNOWN: Value = {
  taint: NO_TAINT,
  text: null,
  isBuilt: false,
  names: [],
  isDeclared: false,
  typeName: null,
  elements: null,
  fields: null,
  isNormalizedPath: false,
  refines: [],
  refinement: null,
  fn: null,
  fromSource: false,
  escapedSource: null,
};

export function literalValue(text: string): Value {
  return { ...UNKNOWN, text: text.slice(0, MAX_TEXT_LENGTH) };
}

export function isTainted({ taint }: Value): boolean {
  return anySource(taint) !== undefined;
}

/** Certainly sent in a request. */
export function isRequestTainted({ taint }: Value): boolean {
  return sourcesOf(taint).some((source) => isCertain(source) && source.level === 'request');
}

/** True if the value certainly comes from outside of the code; a free variable may not. */
export function isUntrusted({ taint }: Value): boolean {
  return sourcesOf(taint).some((source) => isCertain(source) && source.level !== 'free');
}

/** The value without taint of these kinds, as after a sanitizer. */
export function withoutTaint(value: Value, kinds: readonly InjectionKind[]): Value {
  if (!isTainted(value)) return value;
  const taint = { ...value.taint };
  for (const kind of kinds) delete taint[kind];
  const elements = value.elements?.map((item) => withoutTaint(item, kinds)) ?? null;
  return { ...value, taint, elements, fields: null, fromSource: false };
}

/** The concatenation of the values. */
export function concatValues(values: readonly Value[], isBuilt = values.length > 1): Value {
  const flat = values.flatMap((value) => (value.elements === null ? [value] : [value, ...value.elements]));
  return {
    ...UNKNOWN,
    taint: mergeTaints(flat.map(({ taint }) => taint)),
    text: values
      .map(({ text }) => text ?? UNKNOWN_PART)
      .join('')
      .slice(0, MAX_TEXT_LENGTH),
    isBuilt: isBuilt || values.some((value) => value.isBuilt),
  };
}

/** The concatenation, in which an escaped value is tainted unless it is between quotes. */
export function concatWithQuotes(values: readonly Value[]): Value {
  const whole = concatValues(values);
  const taints: Taint[] = [whole.taint];
  let before = '';
  for (const { escapedSource, text } of values) {
    if (escapedSource !== null && before !== '' && before.length < MAX_TEXT_LENGTH && !endsInQuotes(before)) {
      taints.push({ sql: escapedSource });
    }
    before += text ?? UNKNOWN_PART;
  }
  return { ...whole, taint: mergeTaints(taints) };
}

/** Whether a quote is open at the end of the text. */
function endsInQuotes(text: string): boolean {
  let open = '';
  for (const letter of text) {
    if (open === '' && (letter === "'" || letter === '"')) open = letter;
    else if (letter === open) open = '';
  }
  return open !== '';
}

/** The join of several values, of which the program has one: the worst taint, and what they agree on. */
export function mergeValues(values: readonly Value[]): Value {
  const [first] = values;
  if (first === undefined) return UNKNOWN;
  if (values.length === 1 || values.every((value) => value === first)) return first;
  const text = values.find((value) => value.text !== null && isTainted(value))?.text ?? first.text;
  return {
    ...UNKNOWN,
    taint: mergeTaints(values.map(({ taint }) => taint)),
    text,
    isBuilt: values.some(({ isBuilt, taint }) => isBuilt && taint !== NO_TAINT),
    names: values.find(({ names }) => names.length > 0)?.names ?? [],
    isDeclared: values.every(({ isDeclared }) => isDeclared),
    typeName: values.find(({ typeName }) => typeName !== null)?.typeName ?? null,
    elements: values.find(({ elements }) => elements !== null)?.elements ?? null,
    fields: first.fields,
    isNormalizedPath: values.every((value) => value.isNormalizedPath || !isTainted(value)),
    refines: values.flatMap(({ refines }) => refines).slice(0, MAX_ELEMENTS),
    fn: first.fn,
  };
}

export function listValue(elements: readonly Value[]): Value {
  return {
    ...UNKNOWN,
    taint: mergeTaints(elements.map(({ taint }) => taint)),
    elements: elements.slice(0, MAX_ELEMENTS),
  };
}

export function recordValue(entries: readonly (readonly [string | null, Value])[]): Value {
  const named = entries.filter((entry): entry is readonly [string, Value] => entry[0] !== null);
  return {
    ...UNKNOWN,
    taint: mergeTaints(entries.map(([, { taint }]) => taint)),
    fields: new Map(named.slice(0, MAX_ELEMENTS)),
  };
}

/** A list with further elements, or a text with more text. */
export function appendValues(before: Value, added: readonly Value[]): Value {
  if (before.elements !== null) return { ...listValue([...before.elements, ...added]), typeName: before.typeName };
  return { ...concatWithQuotes([before, ...added]), isBuilt: true, typeName: before.typeName, names: before.names };
}
