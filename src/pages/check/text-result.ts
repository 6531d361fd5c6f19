import type { z } from 'zod';
import type { checkDependencies } from '../../operations/code/check-dependencies.ts';
import type { Problem } from '../../operations/code/lib/report/problem.ts';
import type { Html } from '../html.ts';

export type DependencyAnswer = z.output<(typeof checkDependencies)['output']>;

/** What a check of one text has to say. */
export interface TextResult {
  /** The finding, in a sentence without a full stop. */
  readonly sentence: string;
  /** Without its heading. */
  readonly body: Html;
  /** Findings in the form that all reports share. */
  readonly problems: readonly Problem[];
  /** Of packages. */
  readonly dependencies: DependencyAnswer | null;
}
