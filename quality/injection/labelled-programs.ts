import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindingType } from '../../src/analysis/injection/findings.ts';

/** A call that runs or opens something, at a line from 1. */
export interface LabelledSink {
  readonly line: number;
  readonly type: FindingType;
}

/** A program of a corpus, and what a reader says of its sinks. */
export interface LabelledProgram {
  /** Path within the corpus. */
  readonly file: string;
  /** As the analysis names it. */
  readonly language: string;
  /** What the program is a case of, in plain words. */
  readonly about: string;
  readonly code: string;
  /** Sinks that an attacker reaches. */
  readonly unsafe: readonly LabelledSink[];
  /** Sinks that look like it, and that no attacker reaches. */
  readonly safe: readonly LabelledSink[];
}

/** The programs that `labels.json` in the folder lists; null: there is none. */
export function readLabelledPrograms(folder: string): LabelledProgram[] | null {
  const labels = join(folder, 'labels.json');
  if (!existsSync(labels)) return null;
  const rows = JSON.parse(readFileSync(labels, 'utf8')) as Omit<LabelledProgram, 'code'>[];
  return rows.map((row) => ({ ...row, code: readFileSync(join(folder, row.file), 'utf8') }));
}
