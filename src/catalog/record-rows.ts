import type { CveFacts } from '../analysis/cve/cve-facts.ts';
import { cveKey } from '../analysis/cve/cve-id.ts';
import { encodeIndexEntry, INDEX_ENTRY_VALUES, indexEntryOfRecord } from './index-entry.ts';
import { type EncodedRecord, encodeRecord, packHead, packNumbers } from './record-encoder.ts';
import { recordId } from './record-id.ts';
import { BatchTexts } from './shared-texts.ts';

/** A record and its index entry, with numbers of texts that hold in its batch. */
interface EncodedRow extends EncodedRecord {
  id: number;
  modified: string | null;
  /** `encodeIndexEntry`. */
  indexed: number[];
}

/** Records that were encoded together, as a thread sends them. */
export interface RecordBatch {
  rows: EncodedRow[];
  /** The shared texts by their numbers in this batch. */
  texts: readonly string[];
}

/** A row of the table `record`. */
export interface RecordRow {
  id: number;
  modified: string | null;
  indexed: Uint8Array;
  head: Uint8Array;
  body: Uint8Array | null;
}

/** CVE records as rows, without those that have no valid CVE id. */
export function encodeBatch(records: readonly CveFacts[]): RecordBatch {
  const texts = new BatchTexts();
  const rows = records.flatMap((facts) => {
    const key = cveKey(facts.cve_id);
    if (key === null) return [];
    const { modified, source } = facts;
    const indexed = encodeIndexEntry(indexEntryOfRecord(facts, texts));
    return [{ id: recordId(key, source), modified, indexed, ...encodeRecord(facts, texts) }];
  });
  return { rows, texts: texts.texts };
}

/** The row of an encoded record; `numbers` are those of the batch's texts in the catalog. */
export function toRecordRow(
  { id, modified, indexed, numbers: ofHead, own, body }: EncodedRow,
  numbers: ArrayLike<number>,
): RecordRow {
  const numberOf = (text: number): number => numbers[text]!;
  return { id, modified, indexed: packIndexEntry(indexed, numberOf), head: packHead(ofHead, own, numberOf), body };
}

/** The stored form of an encoded index entry. */
export function packIndexEntry(indexed: readonly number[], numberOf: (text: number) => number): Uint8Array {
  return packNumbers(indexed, (value, at) => (at < INDEX_ENTRY_VALUES ? value : numberOf(value)));
}
