import type { CveFacts } from '../analysis/cve/cve-facts.ts';
import { cveKey } from '../analysis/cve/cve-id.ts';
import { encodeTokens } from './product-tokens.ts';
import { encodeRecord } from './record-codec.ts';
import { recordId } from './record-id.ts';

/** A row of the table `record`. */
export interface RecordRow {
  id: number;
  modified: string | null;
  head: string;
  tokens: string;
  body: Uint8Array | null;
}

/** The rows of CVE records, without those that have no valid CVE id. */
export function toRecordRows(records: readonly CveFacts[]): RecordRow[] {
  return records.flatMap((facts) => {
    const key = cveKey(facts.cve_id);
    if (key === null) return [];
    const { modified, source, products } = facts;
    return [{ id: recordId(key, source), modified, ...encodeRecord(facts), tokens: encodeTokens(products) }];
  });
}
