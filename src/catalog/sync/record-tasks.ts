import type { CveFacts } from '../../analysis/cve/cve-facts.ts';
import { parseRecords, type RecordParser, type RecordText } from '../../feeds/feed.ts';
import { encodeBatch, type RecordBatch } from '../record-rows.ts';

/** Rows for the catalog from the texts of records. */
export interface ParsedRows {
  batch: RecordBatch;
  /** Entries, also those that make no row. */
  entries: number;
  skips: [what: string, why: string][];
}

/** What the threads of a sync do, by feed. */
export const RECORD_TASKS = {
  nvd: async () => packedParser((await import('../../feeds/nvd/nvd.ts')).nvdFeed.records!),
  cvelist: async () => packedParser((await import('../../feeds/cvelist/cvelist.ts')).cvelistFeed.records!),
};

/** Parses the texts of records into rows. */
export function rowParser(parser: RecordParser<CveFacts>): (texts: readonly RecordText[]) => ParsedRows {
  return (texts) => {
    const skips: ParsedRows['skips'] = [];
    const entries = parseRecords(parser, texts, { skip: (what, why) => skips.push([what, why]) });
    return { batch: encodeBatch(entries), entries: entries.length, skips };
  };
}

/** Texts of records in one buffer, which is moved to a thread instead of copied. */
interface PackedTexts {
  names: (string | null)[];
  /** Where each text ends in `bytes`. */
  ends: number[];
  bytes: Uint8Array;
}

export function packTexts(texts: readonly RecordText[]): { packed: PackedTexts; transfer: ArrayBuffer[] } {
  const ends: number[] = [];
  let length = 0;
  for (const { json } of texts) ends.push((length += json.length));
  const bytes = new Uint8Array(length);
  texts.forEach(({ json }, at) => bytes.set(json, ends[at]! - json.length));
  return { packed: { names: texts.map(({ name }) => name), ends, bytes }, transfer: [bytes.buffer] };
}

function packedParser(parser: RecordParser<CveFacts>): (packed: PackedTexts) => ParsedRows {
  const parse = rowParser(parser);
  return ({ names, ends, bytes }) =>
    parse(names.map((name, at) => ({ name, json: bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]) })));
}
