import type { DatabaseSync } from 'node:sqlite';
import { ChangeWriter, NONE } from '../epss-changes.ts';
import { VarintReader } from '../varints.ts';

/** What the column of `epss_change` was called until schema version 12, when its rows had another form. */
const COLUMN_12 = 'scores BLOB NOT NULL';
const COLUMN = 'changes BLOB NOT NULL';

/** The SQL of the tables of the history as it was until schema version 12, of that of today. */
export function historyLayout12(layout: string): string {
  return layout.replace(COLUMN, COLUMN_12);
}

/** Copies `earlier.epss_change`, which is of schema version 12, into `main.epss_change`. */
export function carryEpssChanges12(db: DatabaseSync): void {
  const insert = db.prepare('INSERT INTO main.epss_change (block, day, changes) VALUES (?, ?, ?)');
  const rows = db.prepare('SELECT block, day, scores FROM earlier.epss_change ORDER BY block, day').iterate();
  for (const { block, day, scores } of rows as Iterable<unknown> as Iterable<{
    block: number;
    day: number;
    scores: Uint8Array;
  }>) {
    const bytes = fromForm12(scores);
    if (bytes !== null) insert.run(block, day, bytes);
  }
}

/**
 * The changes of a row in the form of today. Until schema version 12 they stood in order of their numbers: what a number is more than the last
 * one, the score and the score before, each plus 1, and, where there is a score, the percentile plus 1.
 */
function fromForm12(scores: Uint8Array): Uint8Array | null {
  const reader = new VarintReader(scores);
  const writer = new ChangeWriter();
  let number = -1;
  while (!reader.isAtEnd) {
    number += reader.next();
    const score = reader.next() - 1;
    const before = reader.next() - 1;
    writer.add(number, score, before, score === NONE ? NONE : reader.next() - 1);
  }
  return writer.bytes;
}
