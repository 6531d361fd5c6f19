import type { Span } from './syntax-tree.ts';

export type InjectionKind = 'sql' | 'command' | 'path';
export const INJECTION_KINDS: readonly InjectionKind[] = ['sql', 'command', 'path'];

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
}

/** For each kind of injection the worst source that reaches the value without a sanitizer. */
export type Taint = Readonly<Partial<Record<InjectionKind, TaintSource>>>;

export const NO_TAINT: Taint = {};

/** The same source for all these kinds. */
export function taintOf(source: TaintSource, kinds: readonly InjectionKind[]): Taint {
  return Object.fromEntries(kinds.map((kind) => [kind, source]));
}

/** The sources of a taint, by kind. */
export function sourcesOf({ sql, command, path }: Taint): TaintSource[] {
  return [sql, command, path].filter((source) => source !== undefined);
}

/** One of the sources of the taint; undefined if the value is not tainted. */
export function anySource({ sql, command, path }: Taint): TaintSource | undefined {
  return sql ?? command ?? path;
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
    if (merged === NO_TAINT) {
      merged = taint;
      continue;
    }
    const both: Partial<Record<InjectionKind, TaintSource>> = { ...merged };
    for (const kind of INJECTION_KINDS) {
      const [one, other] = [both[kind], taint[kind]];
      if (other !== undefined && (one === undefined || isWorseSource(other, one))) both[kind] = other;
    }
    merged = both;
  }
  return merged;
}
