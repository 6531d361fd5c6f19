import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CorpusQuality } from './analysis-quality.ts';

/** Material of one blind writer. */
export interface BlindBatch {
  /** Such as `batch 2`. */
  readonly name: string;
  readonly folder: string;
  readonly origin: Extract<CorpusQuality['origin'], 'blind' | 'read'>;
}

const CORPORA = join(import.meta.dirname, 'corpora');
/** Batches that were read afterwards, to learn what is missed; the last one of each analysis was not. */
const READ: Readonly<Record<string, readonly string[]>> = {
  injection: ['batch1', 'batch2', 'batch3', 'batch4', 'batch5', 'batch6'],
};
const USUALLY_READ = ['batch1'];

/** The blind batches of an analysis that are here, in the order in which they were written. */
export function blindBatches(analysis: string): BlindBatch[] {
  const read = READ[analysis] ?? USUALLY_READ;
  return ['batch1', 'batch2', 'batch3', 'batch4', 'batch5', 'batch6', 'batch7']
    .map((batch) => ({ batch, folder: join(CORPORA, analysis, batch) }))
    .filter(({ folder }) => existsSync(folder))
    .map(({ batch, folder }) => ({
      name: batch.replace('batch', 'batch '),
      folder,
      origin: read.includes(batch) ? 'read' : 'blind',
    }));
}
