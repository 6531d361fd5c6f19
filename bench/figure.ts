import type { Workbench } from './workbench.ts';

/** A line of the table. */
export interface Row {
  figure: string;
  measured: string;
  /** What it is measured against, in the same run. */
  reference: string;
  /** The ratio or number that the target limits. */
  result: string;
  target: string;
  /** What comes after the target is reached. */
  goal: string;
  verdict: Verdict;
}

/** Titles of the columns. */
export const COLUMNS: Readonly<Record<keyof Row, string>> = {
  figure: 'figure',
  measured: 'measured',
  reference: 'reference',
  result: 'result',
  target: 'target',
  goal: 'goal',
  verdict: '',
};

/** Empty: for information, without a target. `failed`: could not be measured. */
export type Verdict = 'goal' | 'ok' | 'missed' | `skipped: no ${string}` | 'failed' | '';

export interface Figure {
  name: string;
  /** Lines that cannot be had without the full feeds; none: all of it works on the starter catalog. */
  withoutFeeds?: readonly string[];
  run(bench: Workbench): Promise<Row[]>;
}

/** What a number must reach, and what it should reach later. */
export interface Aim {
  target: string;
  goal: string;
  judge(value: number): Verdict;
}

/** At least `target`; `unit` is written behind both. */
export function atLeast(target: number, goal: number | null = null, unit = ''): Aim {
  return aim('>=', target, goal, unit, (value, limit) => value >= limit);
}

/** At most `target`. */
export function atMost(target: number, goal: number | null = null, unit = ''): Aim {
  return aim('<=', target, goal, unit, (value, limit) => value <= limit);
}

function aim(
  sign: string,
  target: number,
  goal: number | null,
  unit: string,
  met: (value: number, limit: number) => boolean,
): Aim {
  const show = (limit: number): string => `${sign} ${limit.toLocaleString('en')}${unit}`;
  return {
    target: show(target),
    goal: goal === null ? '' : show(goal),
    judge: (value) => (goal !== null && met(value, goal) ? 'goal' : met(value, target) ? 'ok' : 'missed'),
  };
}

/** The worse of two verdicts on one thing: both must hold. */
export function worse(one: Verdict, other: Verdict): Verdict {
  const order: readonly Verdict[] = ['goal', 'ok', 'missed'];
  return order.indexOf(one) >= order.indexOf(other) ? one : other;
}

type Measured = Pick<Row, 'figure' | 'measured' | 'result'> & { reference?: string };

/** A line with a target. `value`: what the aim judges, where the verdict is not given. */
export function judged(row: Measured, { target, goal, judge }: Aim, value: number | Verdict): Row {
  const verdict = typeof value === 'number' ? judge(value) : value;
  return { reference: '', ...row, target, goal, verdict };
}

/** A line for information. */
export function information(row: Measured): Row {
  return { ...EMPTY, ...row };
}

export function skipped(figure: string, verdict: Verdict = 'skipped: no feeds'): Row {
  return { ...EMPTY, figure, verdict };
}

export function unmeasured(figure: string): Row {
  return { ...EMPTY, figure, verdict: 'failed' };
}

const EMPTY = { measured: '', reference: '', result: '', target: '', goal: '', verdict: '' } as const;
