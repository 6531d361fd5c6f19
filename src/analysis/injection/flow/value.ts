import type { Routine } from '../ir/ir.ts';

export type Kind = 'sql' | 'command' | 'path';
export const KINDS: readonly Kind[] = ['sql', 'command', 'path'];

/**
 * How sure it is that somebody else chooses the value: sent in a request, given to the program (arguments, environment, console),
 * a parameter of the function, or a name that the text gives no meaning.
 */
export type Level = 'request' | 'local' | 'parameter' | 'free';
const RANK: Record<Level, number> = { request: 3, local: 2, parameter: 1, free: 0 };

export interface Source {
  readonly level: Level;
  /** Where it is written: `req.query.id`. */
  readonly at: Place;
  /** A call that is not followed lies between: whether its result holds the value is not known. */
  readonly through?: Place;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** For each kind of injection, the worst source that reaches the value unchecked. */
export type Taint = Readonly<Partial<Record<Kind, Source>>>;

/** What a step on the way to being checked says about names: these are harmless for these kinds. */
export interface Fact {
  readonly key: string;
  readonly kinds: readonly Kind[];
}

export interface Facts {
  readonly yes: readonly Fact[];
  readonly no: readonly Fact[];
}

/** What is known of a value without running the program. */
export interface Value {
  readonly taint: Taint;
  /** The literal text of it, with a NUL for what is not known; null: nothing known. At most `TEXT_KEPT` long. */
  readonly text: string | null;
  /** Put together from several parts. */
  readonly built: boolean;
  /** By what names it is known: `db`, `child_process.exec`, `conn.createStatement()`. */
  readonly paths: readonly string[];
  /** An import or a routine of this text: the name by which it goes here says nothing. */
  readonly fixed: boolean;
  readonly typeName: string | null;
  readonly items: readonly Value[] | null;
  readonly fields: ReadonlyMap<string, Value> | null;
  /** A path without `..` left in it. */
  readonly normal: boolean;
  /** The names that a test of this value also tests. */
  readonly about: readonly string[];
  readonly facts: Facts | null;
  readonly routine: Routine | null;
  /** Read from the source right here: what is taken out of it is still the source. */
  readonly direct: boolean;
  /** Escaped for what stands in quotes; without them it is as its source. */
  readonly escaped: Source | null;
}

const TEXT_KEPT = 300;
const ITEMS_KEPT = 50;
export const HOLE = '\0';
const NO_TAINT: Taint = {};

export const UNKNOWN: Value = {
  taint: NO_TAINT,
  text: null,
  built: false,
  paths: [],
  fixed: false,
  typeName: null,
  items: null,
  fields: null,
  normal: false,
  about: [],
  facts: null,
  routine: null,
  direct: false,
  escaped: null,
};

export function literalValue(text: string): Value {
  return { ...UNKNOWN, text: text.slice(0, TEXT_KEPT) };
}

export function isTainted({ taint }: Value): boolean {
  return taint.sql !== undefined || taint.command !== undefined || taint.path !== undefined;
}

/** Certainly sent in a request. */
export function isRequested({ taint }: Value): boolean {
  return [taint.sql, taint.command, taint.path].some((source) => isCertain(source) && source.level === 'request');
}

/** Tainted by more than being a name whose meaning is not in this text. */
export function isChosen({ taint }: Value): boolean {
  return [taint.sql, taint.command, taint.path].some((source) => isCertain(source) && source.level !== 'free');
}

function isCertain(source: Source | undefined): source is Source {
  return source !== undefined && source.through === undefined;
}

/** The more certain source of two goes before the worse one. */
function isWorse(one: Source, other: Source): boolean {
  if (isCertain(one) !== isCertain(other)) return isCertain(one);
  return RANK[one.level] > RANK[other.level];
}

export function taintOf(source: Source, kinds: readonly Kind[]): Taint {
  return Object.fromEntries(kinds.map((kind) => [kind, source]));
}

export function without(value: Value, kinds: readonly Kind[]): Value {
  if (!isTainted(value)) return value;
  const taint = { ...value.taint };
  for (const kind of kinds) delete taint[kind];
  const items = value.items?.map((item) => without(item, kinds)) ?? null;
  return { ...value, taint, items, fields: null, direct: false };
}

export function mergeTaints(taints: readonly Taint[]): Taint {
  let merged: Taint = NO_TAINT;
  for (const taint of taints) {
    if (taint === NO_TAINT || taint === merged) continue;
    if (merged === NO_TAINT) {
      merged = taint;
      continue;
    }
    const both: Partial<Record<Kind, Source>> = { ...merged };
    for (const kind of KINDS) {
      const [one, other] = [both[kind], taint[kind]];
      if (other !== undefined && (one === undefined || isWorse(other, one))) both[kind] = other;
    }
    merged = both;
  }
  return merged;
}

/** One text out of several values. */
export function joined(values: readonly Value[], built = values.length > 1): Value {
  const flat = values.flatMap((value) => (value.items === null ? [value] : [value, ...value.items]));
  return {
    ...UNKNOWN,
    taint: mergeTaints(flat.map(({ taint }) => taint)),
    text: values
      .map(({ text }) => text ?? HOLE)
      .join('')
      .slice(0, TEXT_KEPT),
    built: built || values.some((value) => value.built),
  };
}

/** One text out of several, in which what was escaped has to stand in quotes. */
export function concatenated(values: readonly Value[]): Value {
  const whole = joined(values);
  const taints: Taint[] = [whole.taint];
  let before = '';
  for (const { escaped, text } of values) {
    if (escaped !== null && before !== '' && before.length < TEXT_KEPT && !endsInQuotes(before)) {
      taints.push({ sql: escaped });
    }
    before += text ?? HOLE;
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

/** One of several values. What they agree on is kept. */
export function oneOf(values: readonly Value[]): Value {
  const [first] = values;
  if (first === undefined) return UNKNOWN;
  if (values.length === 1 || values.every((value) => value === first)) return first;
  const text = values.find((value) => value.text !== null && isTainted(value))?.text ?? first.text;
  return {
    ...UNKNOWN,
    taint: mergeTaints(values.map(({ taint }) => taint)),
    text,
    built: values.some(({ built, taint }) => built && taint !== NO_TAINT),
    paths: values.find(({ paths }) => paths.length > 0)?.paths ?? [],
    fixed: values.every(({ fixed }) => fixed),
    typeName: values.find(({ typeName: type }) => type !== null)?.typeName ?? null,
    items: values.find(({ items }) => items !== null)?.items ?? null,
    fields: first.fields,
    normal: values.every((value) => value.normal || !isTainted(value)),
    about: values.flatMap(({ about }) => about).slice(0, ITEMS_KEPT),
    routine: first.routine,
  };
}

export function listValue(items: readonly Value[]): Value {
  return { ...UNKNOWN, taint: mergeTaints(items.map(({ taint }) => taint)), items: items.slice(0, ITEMS_KEPT) };
}

export function recordValue(entries: readonly (readonly [string | null, Value])[]): Value {
  const named = entries.filter((entry): entry is readonly [string, Value] => entry[0] !== null);
  return {
    ...UNKNOWN,
    taint: mergeTaints(entries.map(([, { taint }]) => taint)),
    fields: new Map(named.slice(0, ITEMS_KEPT)),
  };
}

/** What is there, and what is added to it: to a list an element, to a text more text. */
export function appended(before: Value, added: readonly Value[]): Value {
  if (before.items !== null) return { ...listValue([...before.items, ...added]), typeName: before.typeName };
  return { ...concatenated([before, ...added]), built: true, typeName: before.typeName, paths: before.paths };
}
