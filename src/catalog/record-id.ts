import type { RecordSource } from '../analysis/cve/cve-facts.ts';

/** The sources of records, by slot. The records of one CVE have adjacent ids: the CVE's key times eight, plus the slot of the source. */
export const RECORD_SOURCES: readonly RecordSource[] = ['nvd', 'cvelist', 'ghsa', 'starter'];
const SLOTS_PER_CVE = 8;

/** Id of a source's record of a CVE, whose key is from `cveKey()`. */
export function recordId(cveKey: number, source: RecordSource): number {
  return cveKey * SLOTS_PER_CVE + RECORD_SOURCES.indexOf(source);
}

/** The first and last possible id of a record of this CVE. */
export function recordIdRange(cveKey: number): [first: number, last: number] {
  return [cveKey * SLOTS_PER_CVE, cveKey * SLOTS_PER_CVE + SLOTS_PER_CVE - 1];
}

export function cveKeyOfRecord(id: number): number {
  return Math.floor(id / SLOTS_PER_CVE);
}

export function sourceOfRecord(id: number): RecordSource {
  return RECORD_SOURCES[id % SLOTS_PER_CVE] as RecordSource;
}

/** The bit of a record's source in the column `sources`. */
export function sourceBit(id: number): number {
  return 1 << (id % SLOTS_PER_CVE);
}

/** SQL expression: `cveKeyOfRecord` of the column `id`. */
export const CVE_KEY_SQL = `id / ${SLOTS_PER_CVE}`;

/** SQL condition for all records of one source. */
export function recordSourceCondition(source: RecordSource): string {
  return `id % ${SLOTS_PER_CVE} = ${RECORD_SOURCES.indexOf(source)}`;
}
