import type { Span } from './syntax-tree.ts';

/** `option`: an argument of its own that a program takes as an option, because it begins with `-`. */
export type InjectionKind = 'sql' | 'command' | 'path' | 'option';
export const INJECTION_KINDS: readonly InjectionKind[] = ['sql', 'command', 'path', 'option'];

/**
 * How certain it is that an attacker chooses the value: sent in a request, given to the program (arguments, environment, console),
 * a parameter of the function, or a free variable, which the code does not define.
 */
export type SourceLevel = 'request' | 'local' | 'parameter' | 'free';
const RANK: Record<SourceLevel, number> = { request: 3, local: 2, parameter: 1, free: 0 };

export interface TaintSource {
  readonly level: SourceLevel;
  /** Where the source is written: `req.query.id`. */
  readonly span: Span;
  /** The callee of an unknown call between the source and the value: whether its result holds the source is not known. */
  readonly through?: Span;
  /** The value holds a whole request, not a part of it. */
  readonly isWholeRequest?: true;
  /** What the value passed on its way, the last place first. */
  readonly steps?: TaintStep;
}

/** A variable, parameter or field that was given the value. */
export interface TaintStep {
  readonly span: Span;
  readonly before: TaintStep | undefined;
  /** Of this step and those before it. */
  readonly count: number;
}

/** Of a longer way only the beginning and the end are shown. */
const MAX_STEPS = 8;

/** For each kind of injection the worst source that reaches the value without a sanitizer. */
export type Taint = { readonly [Kind in InjectionKind]: TaintSource | undefined };

export const NO_TAINT: Taint = { sql: undefined, command: undefined, path: undefined, option: undefined };

/** The same source for all these kinds. */
export function taintOf(source: TaintSource, kinds: readonly InjectionKind[]): Taint {
  return mapTaint(NO_TAINT, (_, kind) => (kinds.includes(kind) ? source : undefined));
}

/** The taint with another source for each kind. */
export function mapTaint(
  { sql, command, path, option }: Taint,
  map: (source: TaintSource | undefined, kind: InjectionKind) => TaintSource | undefined,
): Taint {
  return {
    sql: map(sql, 'sql'),
    command: map(command, 'command'),
    path: map(path, 'path'),
    option: map(option, 'option'),
  };
}

/** The taint after a further step. */
export function withStep(taint: Taint, span: Span): Taint {
  let known: TaintSource | undefined;
  let longer: TaintSource | undefined;
  return mapTaint(taint, (source) => {
    if (source === undefined) return undefined;
    // Most often all kinds have the same source.
    if (source === known) return longer;
    known = source;
    longer = addStep(source, span);
    return longer;
  });
}

function addStep(source: TaintSource, span: Span): TaintSource {
  const { steps } = source;
  if (span.start === source.span.start || (steps !== undefined && steps.count >= MAX_STEPS)) return source;
  for (let step = steps; step !== undefined; step = step.before) if (step.span.start === span.start) return source;
  return { ...source, steps: { span, before: steps, count: (steps?.count ?? 0) + 1 } };
}

/** Whether one of the sources of the taint is like this. */
export function hasSource(
  { sql, command, path, option }: Taint,
  isSearched: (source: TaintSource) => boolean,
): boolean {
  return (
    (sql !== undefined && isSearched(sql)) ||
    (command !== undefined && isSearched(command)) ||
    (path !== undefined && isSearched(path)) ||
    (option !== undefined && isSearched(option))
  );
}

/** One of the sources of the taint; undefined if the value is not tainted. */
export function anySource({ sql, command, path, option }: Taint): TaintSource | undefined {
  return sql ?? command ?? path ?? option;
}

/** No unknown call is between the source and the value. */
export function isCertain({ through }: TaintSource): boolean {
  return through === undefined;
}

/** Whether the first source is reported rather than the second one. */
export function isWorseSource(one: TaintSource, other: TaintSource): boolean {
  if (isCertain(one) !== isCertain(other)) return isCertain(one);
  return RANK[one.level] > RANK[other.level];
}

/** The worst source of all, for each kind. */
export function mergeTaints(taints: readonly Taint[]): Taint {
  let merged: Taint = NO_TAINT;
  for (const taint of taints) {
    if (taint === NO_TAINT || taint === merged) continue;
    merged =
      merged === NO_TAINT
        ? taint
        : {
            sql: worseSource(merged.sql, taint.sql),
            command: worseSource(merged.command, taint.command),
            path: worseSource(merged.path, taint.path),
            option: worseSource(merged.option, taint.option),
          };
  }
  return merged;
}

/** The second source only where it is worse. */
function worseSource(one: TaintSource | undefined, other: TaintSource | undefined): TaintSource | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isWorseSource(other, one) ? other : one;
}
