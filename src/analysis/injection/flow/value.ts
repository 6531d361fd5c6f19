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
  /** Of a record: its keys that are not known, as one value; null: there are none. */
  readonly keys: Value | null;
  readonly identity: ObjectIdentity | null;
  /** The class of this code whose instance it is; the value of its fields is then known. */
  readonly instanceOf: IrClass | null;
  /** The class of this code that it is. */
  readonly classOf: IrClass | null;
  /** A path without `..`. */
  readonly isNormalizedPath: boolean;
  /** The access paths that a test of this value tests as well. */
  readonly refines: readonly string[];
  /** Of the result of a test. */
  readonly refinement: Refinement | null;
  readonly fn: IrFunction | null;
  /** The values of which this is one, where they are different functions or classes, or objects of different classes. */
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

export const MAX_TEXT_LENGTH = 300;
export const MAX_ELEMENTS = 50;
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
  keys: null,
  identity: null,
  instanceOf: null,
  classOf: null,
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

/** A text that is written in the code. */
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
    keys: null,
    identity: null,
    constant: undefined,
    fromSource: false,
    unfollowed: null,
    escape: null,
    serialized: null,
  };
}

/** Where the value or an element of it is made by what is not followed. */
export function unfollowedPart({ unfollowed, elements }: Value): Span | null {
  return unfollowed ?? elements?.find((element) => element.unfollowed !== null)?.unfollowed ?? null;
}

/** A list of these elements; of those behind the first fifty only the taint is known. */
export function listValue(elements: readonly Value[]): Value {
  return {
    ...UNKNOWN,
    taint: mergeTaints(elements.map(({ taint }) => taint)),
    elements: elements.slice(0, MAX_ELEMENTS),
  };
}
