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
  nvd: async () => rowParser((await import('../../feeds/nvd/nvd.ts')).nvdFeed.records!),
  cvelist: async () => rowParser((await import('../../feeds/cvelist/cvelist.ts')).cvelistFeed.records!),
};

/** Parses the texts of records into rows. */
export function rowParser(parser: RecordParser<CveFacts>): (texts: readonly RecordText[]) => ParsedRows {
  return (texts) => {
    const skips: ParsedRows['skips'] = [];
    const entries = parseRecords(parser, texts, { skip: (what, why) => skips.push([what, why]) });
    return { batch: encodeBatch(entries), entries: entries.length, skips };
  };
}
