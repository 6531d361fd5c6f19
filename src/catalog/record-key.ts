import type { RecordSource } from '../analysis/cve/facts.ts';

/** The records of one CVE stand side by side: key of the CVE times eight, plus the slot of the source. */
const SLOTS: readonly RecordSource[] = ['nvd', 'cvelist', 'ghsa', 'starter'];
const ROOM = 8;

export function recordId(cveKey: number, source: RecordSource): number {
  return cveKey * ROOM + SLOTS.indexOf(source);
}

/** First and last id that a record of this CVE can have. */
export function recordRange(cveKey: number): [first: number, last: number] {
  return [cveKey * ROOM, cveKey * ROOM + ROOM - 1];
}

export function keyOfRecord(id: number): number {
  return Math.floor(id / ROOM);
}

export function sourceOfRecord(id: number): RecordSource {
  return SLOTS[id % ROOM] as RecordSource;
}

/** SQL condition for all records of one source. */
export function isOfSource(source: RecordSource): string {
  return `id % ${ROOM} = ${SLOTS.indexOf(source)}`;
}
