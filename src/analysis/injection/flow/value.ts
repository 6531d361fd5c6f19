import type { IrClass, IrFunction } from '../ir/ir.ts';
import type { Span } from '../syntax-tree.ts';
import {
  anySource,
  hasSource,
  type InjectionKind,
  isCertain,
  mapTaint,
  mergeTaints,
  NO_TAINT,
  type Taint,
  type TaintSource,
  taintOf,
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

/** A string, number, boolean or null that is known in full. */
export type Constant = string | number | boolean | null;

/** Of a list, record or object that can be changed: several variables may hold it. */
export interface ObjectIdentity {
  /** As it was made. */
  readonly initial: Value;
  isChanged: boolean;
}

/** An escape of a value: where it is harmless, and what it is elsewhere. */
export interface Escape {
  readonly source: TaintSource;
  readonly kind: InjectionKind;
  /** `quoted`: between quotes; `bare`: outside of them, since it has its own; `not-single`: outside of single quotes. */
  readonly place: 'quoted' | 'bare' | 'not-single';
}

/** A scope; what it holds is no part of a value. */
export interface ScopeHandle {
  readonly parent: ScopeHandle | null;
}

/** What is known of a value without running the program: the abstract value of the analysis. */
export interface Value {
  readonly taint: Taint;
  /** Sources that an encoding or a check of the text keeps from being harmful: a decoding brings them back. */
  readonly hidden: Taint;
  /** The text, with `UNKNOWN_PART` for each part that is not known; null: nothing is known. Cut at `MAX_TEXT_LENGTH`. */
  readonly text: string | null;
  /** Undefined: not known. */
  readonly constant: Constant | undefined;
  /** Concatenated from several parts. */
  readonly isBuilt: boolean;
  /** The qualified names by which rules find the value: `db`, `child_process.exec`, `conn.createStatement()`. */
  readonly names: readonly string[];
  /** An import or a function of this code: `names` hold its origin, not the variable. */
  readonly isDeclared: boolean;
  readonly typeName: string | null;
  /** Of a list. */
  readonly elements: readonly Value[] | null;
  /** Of a record, map or object. */
  readonly fields: ReadonlyMap<string, Value> | null;
  readonly identity: ObjectIdentity | null;
  /** The class of this code whose instance it is; the value of its fields is then known. */
  readonly instanceOf: IrClass | null;
  /** A path without `..`. */
  readonly isNormalizedPath: boolean;
  /** The access paths that a test of this value tests as well. */
  readonly refines: readonly string[];
  /** Of the result of a test. */
  readonly refinement: Refinement | null;
  readonly fn: IrFunction | null;
  /** The values of which this is one, where they are different functions or objects of different classes. */
  readonly choices: readonly Value[];
  /** Of a function: where it was defined. */
  readonly outside: ScopeHandle | null;
  /** Read from the source by this expression: its members and elements are sources themselves. */
  readonly fromSource: boolean;
  /** Of a value that an escape made harmless in some places of a text alone. */
  readonly escape: Escape | null;
  /** Where the value, or a part of it, is made by what is not followed: nothing tells whether it is harmless. Null: its making is known. */
  readonly unfollowed: Span | null;
  /** Of a text: the value that was serialized as it. */
  readonly serialized: Value | null;
}

const MAX_TEXT_LENGTH = 300;
const MAX_ELEMENTS = 50;
/** In the text of a value: a part that is not known. */
export const UNKNOWN_PART = '\0';
/** The field of a record that holds all values put in under a key that is not known. */
export const UNKNOWN_KEY = '\0';

export const UNKNOWN: Value = {
  taint: NO_TAINT,
  hidden: NO_TAINT,
  text: null,
  constant: undefined,
  isBuilt: false,
  names: [],
  isDeclared: false,
  typeName: null,
  elements: null,
  fields: null,
  identity: null,
  instanceOf: null,
  isNormalizedPath: false,
  refines: [],
  refinement: null,
  fn: null,
  choices: [],
  outside: null,
  fromSource: false,
  escape: null,
  unfollowed: null,
  serialized: null,
};

export function literalValue(text: string): Value {
  return {
    ...UNKNOWN,
    text: text.slice(0, MAX_TEXT_LENGTH),
    constant: text.length > MAX_TEXT_LENGTH ? undefined : text,
  };
}

export function constantValue(constant: Constant): Value {
  return typeof constant === 'string' ? literalValue(constant) : { ...UNKNOWN, text: String(constant), constant };
}

/** The value with an identity, so that a change of it is seen by all that hold it. */
export function withIdentity(value: Value): Value {
  const identity = { initial: value, isChanged: false };
  const identified = { ...value, identity };
  identity.initial = identified;
  return identified;
}

export function isTainted({ taint }: Value): boolean {
  return anySource(taint) !== undefined;
}

/** Certainly sent in a request. */
export function isRequestTainted({ taint }: Value): boolean {
  return hasSource(taint, (source) => isCertain(source) && source.level === 'request');
}

/** True if the value certainly comes from outside of the code; a free variable may not. */
export function isUntrusted({ taint }: Value): boolean {
  return hasSource(taint, (source) => isCertain(source) && source.level !== 'free');
}

/** What is left of a value in a number, boolean or the like: no free text. */
export function scalarPart({ text, constant, refinement, refines }: Value): Value {
  return { ...UNKNOWN, text, constant, refinement, refines };
}

/** The value without taint of these kinds, as after a sanitizer. */
export function withoutTaint(value: Value, kinds: readonly InjectionKind[]): Value {
  // It is the same text still.
  if (kinds.length === 1 && kinds[0] === 'option')
    return value.taint.option === undefined ? value : { ...value, taint: { ...value.taint, option: undefined } };
  if (!isTainted(value)) {
    return value.unfollowed === null && value.escape === null ? value : { ...value, unfollowed: null, escape: null };
  }
  const taint = mapTaint(value.taint, (source, kind) => (kinds.includes(kind) ? undefined : source));
  // What is decoded after a test was not tested.
  const hidden = mergeTaints([value.hidden, value.taint]);
  const elements = value.elements?.map((item) => withoutTaint(item, kinds)) ?? null;
  return {
    ...value,
    taint,
    hidden,
    elements,
    fields: null,
    identity: null,
    constant: undefined,
    fromSource: false,
    unfollowed: null,
    escape: null,
    serialized: null,
  };
}

/** The concatenation of the values. */
export function concatValues(values: readonly Value[], isBuilt = values.length > 1): Value {
  const taints: Taint[] = [];
  let hidden = NO_TAINT;
  let text = '';
  let begins: Taint | null = null;
  let hasBuilt = isBuilt;
  let unfollowed: Span | null = null;
  let escape: Escape | null = null;
  for (const value of values) {
    taints.push(value.taint);
    escape ??= value.escape;
    unfollowed ??= unfollowedPart(value);
    if (value.hidden !== NO_TAINT) hidden = mergeTaints([hidden, value.hidden]);
    if (value.elements !== null) for (const { taint } of value.elements) taints.push(taint);
    if (value.text !== '') begins ??= value.taint;
    if (text.length < MAX_TEXT_LENGTH) text += value.text ?? UNKNOWN_PART;
    hasBuilt ||= value.isBuilt;
  }
  const taint = mergeTaints(taints);
  return {
    ...UNKNOWN,
    // Only the first part can make an option of the text.
    taint: isBuilt && begins !== null && begins.option !== taint.option ? { ...taint, option: begins.option } : taint,
    hidden,
    text: text.slice(0, MAX_TEXT_LENGTH),
    isBuilt: hasBuilt,
    unfollowed,
    escape,
  };
}

/** Where the value or an element of it is made by what is not followed. */
export function unfollowedPart({ unfollowed, elements }: Value): Span | null {
  return unfollowed ?? elements?.find((element) => element.unfollowed !== null)?.unfollowed ?? null;
}

/** The concatenation, in which an escaped value is tainted where the escape is of no use. */
export function concatWithQuotes(values: readonly Value[]): Value {
  const whole = concatValues(values);
  if (whole.escape === null) return whole;
  const taints: Taint[] = [whole.taint];
  let before = '';
  // What is no part of a statement yet may be put between quotes later.
  let open: Escape | null = null;
  for (const { escape, text } of values) {
    if (escape !== null) {
      const quote = before.length < MAX_TEXT_LENGTH ? openQuote(before) : null;
      if (quote !== null && isHarmful(escape, quote)) {
        if (!STATEMENT_PART.test(before)) open = escape;
        else taints.push(taintOf(escape.source, [escape.kind]));
      }
    }
    before += text ?? UNKNOWN_PART;
  }
  return { ...whole, taint: mergeTaints(taints), escape: open };
}

/** Has an operator, a quote or a word of SQL. */
const STATEMENT_PART = /['"=<>(]|\b(?:select|where|and|or|order|by|limit|offset|set|from|in|like|values|having)\b/i;

/** Whether the value does harm behind this open quote, or without one. */
function isHarmful({ place }: Escape, quote: string): boolean {
  if (place === 'quoted') return quote === '';
  return place === 'bare' ? quote !== '' : quote === "'";
}

/** The quote that is open at the end of the text, or none. */
function openQuote(text: string): string {
  let open = '';
  for (const letter of text) {
    if (open === '' && (letter === "'" || letter === '"')) open = letter;
    else if (letter === open) open = '';
  }
  return open;
}

/** The join of several values, of which the program has one: the worst taint, and what they agree on. */
export function mergeValues(values: readonly Value[]): Value {
  const [first] = values;
  if (first === undefined) return UNKNOWN;
  if (values.length === 1 || values.every((value) => value === first)) return first;
  const taints: Taint[] = [];
  let taintedText: string | null = null;
  let isBuilt = false;
  let names = UNKNOWN.names;
  let isDeclared = true;
  let typeName: string | null = null;
  let isNormalizedPath = true;
  let refines = UNKNOWN.refines;
  let { constant, identity, instanceOf, fn, hidden, unfollowed, escape } = first;
  let isChoice = false;
  for (const value of values) {
    const tainted = isTainted(value);
    taints.push(value.taint);
    if (tainted) taintedText ??= value.text;
    isBuilt ||= value.isBuilt && value.taint !== NO_TAINT;
    if (names.length === 0) names = value.names;
    isDeclared &&= value.isDeclared;
    typeName ??= value.typeName;
    isNormalizedPath &&= value.isNormalizedPath || !tainted;
    if (value.refines.length > 0) refines = [...refines, ...value.refines].slice(0, MAX_ELEMENTS);
    if (value.hidden !== hidden) hidden = mergeTaints([hidden, value.hidden]);
    if (value.constant !== constant) constant = undefined;
    if (value.identity !== identity) identity = null;
    isChoice ||= value.choices.length > 0 || differs(value.fn, fn) || differs(value.instanceOf, instanceOf);
    instanceOf ??= value.instanceOf;
    unfollowed ??= value.unfollowed;
    escape ??= value.escape;
    fn ??= value.fn;
  }
  return {
    ...UNKNOWN,
    taint: mergeTaints(taints),
    hidden,
    text: taintedText ?? first.text,
    constant,
    isBuilt,
    names,
    isDeclared,
    typeName,
    elements: mergeElements(values),
    fields: mergeFields(values),
    identity,
    instanceOf,
    isNormalizedPath,
    refines,
    unfollowed,
    escape,
    fn,
    choices: isChoice ? choicesOf(values) : UNKNOWN.choices,
    outside: fn === first.fn ? first.outside : (values.find((value) => value.fn === fn)?.outside ?? null),
  };
}

function differs<Part>(one: Part | null, other: Part | null): boolean {
  return one !== null && other !== null && one !== other;
}

/** One value for each function and class. */
function choicesOf(values: readonly Value[]): readonly Value[] {
  const found = new Map<IrFunction | IrClass, Value>();
  for (const value of values.flatMap((one) => (one.choices.length > 0 ? one.choices : [one]))) {
    const key = value.fn ?? value.instanceOf;
    if (key !== null && !found.has(key)) found.set(key, value);
  }
  return [...found.values()].slice(0, MAX_ELEMENTS);
}

/** Lists by position; one that is shorter does not count behind its end. */
function mergeElements(values: readonly Value[]): readonly Value[] | null {
  const lists = values.map(({ elements }) => elements).filter((elements) => elements !== null);
  const [first] = lists;
  if (first === undefined || lists.length === 1 || lists.every((list) => list === first)) return first ?? null;
  const longest = lists.reduce((one, other) => (other.length > one.length ? other : one));
  return longest.map((_, index) => mergeValues(lists.map((list) => list[index]).filter((item) => item !== undefined)));
}

function mergeFields(values: readonly Value[]): ReadonlyMap<string, Value> | null {
  const records = values.map(({ fields }) => fields).filter((fields) => fields !== null);
  const [first] = records;
  if (first === undefined) return null;
  // A value whose fields are not known may have each of them.
  const other = values.find((value) => value.fields === null && value.instanceOf === null && holdsData(value));
  if (other === undefined && records.every((record) => record === first)) return first;
  const merged = new Map(first);
  for (const record of records.slice(1)) {
    for (const [name, value] of record) {
      const before = merged.get(name);
      merged.set(name, before === undefined || before === value ? value : mergeValues([before, value]));
    }
  }
  return other === undefined ? merged : withAnyField(merged, other);
}

function holdsData({ taint, unfollowed }: Value): boolean {
  return taint !== NO_TAINT || unfollowed !== null;
}

/** The fields where each of them, and any other one, may hold a part of the value. */
export function withAnyField(fields: ReadonlyMap<string, Value>, { taint, unfollowed }: Value): Map<string, Value> {
  const part: Value = { ...UNKNOWN, taint, unfollowed };
  const all = new Map([...fields].map(([name, value]) => [name, mergeValues([value, part])] as const));
  const rest = fields.get(UNKNOWN_KEY);
  all.set(UNKNOWN_KEY, rest === undefined ? part : mergeValues([rest, part]));
  return all;
}

export function listValue(elements: readonly Value[]): Value {
  return {
    ...UNKNOWN,
    taint: mergeTaints(elements.map(({ taint }) => taint)),
    elements: elements.slice(0, MAX_ELEMENTS),
  };
}

export function recordValue(entries: readonly (readonly [string | null, Value])[]): Value {
  const fields = new Map<string, Value>();
  for (const [key, value] of entries) {
    const name = key === null || fields.size >= MAX_ELEMENTS ? UNKNOWN_KEY : key;
    const before = name === UNKNOWN_KEY ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : mergeValues([before, value]));
  }
  return { ...UNKNOWN, taint: mergeTaints(entries.map(([, { taint }]) => taint)), fields };
}

/** A list with further elements, or a text with more text. */
export function appendValues(before: Value, added: readonly Value[]): Value {
  if (before.elements !== null) {
    return { ...listValue([...before.elements, ...added]), typeName: before.typeName, identity: before.identity };
  }
  return {
    ...concatWithQuotes([before, ...added]),
    isBuilt: true,
    typeName: before.typeName,
    names: before.names,
    identity: before.identity,
  };
}
