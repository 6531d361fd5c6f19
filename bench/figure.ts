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
  verdict: Verdict;
}

/** Empty: for information, without a target. `failed`: could not be measured. */
export type Verdict = 'ok' | 'missed' | 'skipped: no feeds' | 'skipped: no redis-server' | 'failed' | '';

export interface Figure {
  name: string;
  /** Lines that cannot be had without the full feeds; none: all of it works on the starter catalog. */
  withoutFeeds?: readonly string[];
  run(bench: Workbench): Promise<Row[]>;
}

export function judge(met: boolean): Verdict {
  return met ? 'ok' : 'missed';
}

export function skipped(figure: string, verdict: Verdict = 'skipped: no feeds'): Row {
  return { ...EMPTY, figure, verdict };
}

export function unmeasured(figure: string): Row {
  return { ...EMPTY, figure, verdict: 'failed' };
}

const EMPTY = { measured: '', reference: '', result: '', target: '' };
