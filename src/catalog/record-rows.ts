import type { CveFacts } from '../analysis/cve/cve-facts.ts';
import { cveKey } from '../analysis/cve/cve-id.ts';
import { encodeIndexEntry, INDEX_ENTRY_VALUES, indexEntryOfRecord } from './index-entry.ts';
import { type EncodedRecord, encodeRecord, packNumbers, packPart } from './record-encoder.ts';
import { recordId } from './record-id.ts';
import { BatchTexts } from './shared-texts.ts';

/** A record and its index entry, with numbers of texts and names that hold in its batch. */
interface EncodedRow extends Omit<EncodedRecord, 'patchAvailable'> {
  id: number;
  /** Milliseconds since 1970. */
  modified: number | null;
  /** `encodeIndexEntry`. */
  indexed: number[];
}

/** Records that were encoded together, as a thread sends them. */
export interface RecordBatch {
  rows: EncodedRow[];
  /** By their numbers in this batch: texts of heads, and names of posting lists. */
  texts: readonly string[];
  names: readonly string[];
}

/** A row of the table `record`. */
export interface RecordRow {
  id: number;
  modified: number | null;
  indexed: Uint8Array;
  head: Uint8Array;
  body: Uint8Array | null;
}

/** CVE records as rows, without those that have no valid CVE id. */
export function encodeBatch(records: readonly CveFacts[]): RecordBatch {
  const texts = new BatchTexts();
  const names = new BatchTexts();
  const rows = records.flatMap((facts) => {
    const key = cveKey(facts.cve_id);
    if (key === null) return [];
    const { source } = facts;
    const modified = facts.modified === null ? Number.NaN : Date.parse(facts.modified);
    const { patchAvailable, ...encoded } = encodeRecord(facts, texts);
    const indexed = encodeIndexEntry(indexEntryOfRecord(facts, patchAvailable, names));
    return [
      {
        id: recordId(key, source),
        modified: Number.isNaN(modified) ? null : modified,
        indexed,
        ...encoded,
      },
    ];
  });
  return { rows, texts: texts.texts, names: names.texts };
}

/** The numbers in the catalog of the texts and names of a batch. */
export interface CatalogNumbers {
  texts: ArrayLike<number>;
  names: ArrayLike<number>;
}

/** The row of an encoded record. */
export function toRecordRow(row: EncodedRow, { texts, names }: CatalogNumbers): RecordRow {
  const { id, modified, indexed, head, body } = row;
  const numberOf = (text: number): number => texts[text]!;
  return {
    id,
    modified,
    indexed: packNumbers(indexed, (value, at) => (at < INDEX_ENTRY_VALUES ? value : names[value]!)),
    head: packPart(head, numberOf),
    body: body === null ? null : packPart(body, numberOf),
  };
}
