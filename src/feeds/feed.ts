/**
 * A feed: where data is published, in which files, and how their bytes become entries. Feeds do not store anything:
 * `src/catalog/sync.ts` loads them into a new generation of the catalog.
 */

import type { EntryKind, EntryByKind } from './entries.ts';
import type { OpenResult, Upstream } from './upstream.ts';

export type FeedId =
  | 'nvd'
  | 'cvelist'
  | 'ghsa'
  | 'kev'
  | 'epss'
  | 'cwe'
  | 'exploitdb'
  | 'atlas'
  | 'd3fend'
  | 'sigma'
  | 'attack'
  | 'endoflife'
  | 'purl2cpe'
  | 'osv'
  | 'vex'
  | 'csaf'
  | 'tor'
  | 'firehol'
  | 'cloud'
  | 'feodo'
  | 'warninglists'
  | 'starter';

/** One file of a feed. */
export interface FeedFile {
  /** Name within the feed, the same at each sync: `nvdcve-2.0-2024.json.gz`. */
  name: string;
  /** Path at the upstream, or absolute address. */
  path: string;
  /**
   * A text that changes when the file does: a SHA-256 from a .meta file, the name of a release asset. Null: the transport's own
   * validator tells (ETag, Last-Modified; size and time of a local file).
   */
  fingerprint: string | null;
  /**
   * `whole`: all records of its scope; it may not shrink, and it replaces lists (KEV, EPSS, documents).
   * `varying`: as `whole`, but it may shrink, even to no records.
   * `delta`: it only adds and replaces records.
   */
  extent: 'whole' | 'delta' | 'varying';
  /** SHA-256 (lower-case hex) of the unpacked content, if the upstream publishes it. */
  sha256: string | null;
  /** The content, if `files()` had to read it to find the next file (pages of an API). */
  content?: Uint8Array;
  /**
   * Opens the file instead of `path`, for a file that is put together from several files of the upstream. `validator` is the
   * one that it returned when the file was last loaded.
   */
  open?: (validator: string | null) => Promise<OpenResult>;
}

/** A file whose path is its name, with extent `whole` and without fingerprint or checksum; `other` replaces fields. */
export function feedFile(name: string, other: Partial<FeedFile> = {}): FeedFile {
  return { name, path: name, fingerprint: null, extent: 'whole', sha256: null, ...other };
}

/** What a parser reports about the file besides its entries. */
export interface ParseReporter {
  /** A record that could not be read. Skipped records are counted; the first few are reported with their reason. */
  skip(what: string, why: string): void;
  /** The upstream's own time of the data (ISO 8601 or YYYY-MM-DD). */
  setDataTime(time: string): void;
  /**
   * A fact about the whole file that is stored in the feed's state: EPSS model version, CWE version. A note whose name begins
   * with `missing` says which data of the source could not be loaded; answers from the source repeat it.
   * An empty value removes the note.
   */
  setNote(name: string, value: string): void;
  /** Number of records according to the file itself (NVD totalResults, KEV count). If fewer are read, the file is rejected. */
  setExpectedCount(count: number): void;
  /**
   * The size of the file in records, if that is not the number of its entries (D3FEND: mappings between defenses and attacks).
   * It decides whether the file has shrunk.
   */
  setRecordCount(count: number): void;
}

/** The state after the last successful sync. */
export interface PreviousSync {
  /** The upstream's own time of the data. */
  asOf: string | null;
  /** Names of the files loaded so far. */
  files: ReadonlySet<string>;
  /** Notes of the files loaded so far. */
  notes?: Readonly<Record<string, string>>;
}

/** The JSON text of one record in UTF-8; `name` is what reports call it, null where the record's own id does. */
export interface RecordText {
  name: string | null;
  json: Uint8Array;
}

/** For files of many records, each of which can be read without the others: by several threads. */
export interface RecordParser<Entry> {
  /** The texts of the records, in the order of the file. A broken file throws `FeedFormatError`. */
  split(bytes: AsyncIterable<Uint8Array>, file: FeedFile, reporter: ParseReporter): AsyncIterable<RecordText[]>;
  /** Null: a broken record, which was skipped with `reporter.skip`. */
  parseRecord(record: RecordText, reporter: Pick<ParseReporter, 'skip'>): Entry | null;
}

export interface Feed<K extends EntryKind = EntryKind> {
  readonly id: FeedId;
  readonly kind: K;
  /** `NVD JSON 2.0 feeds` */
  readonly title: string;
  /** The publisher's addresses; the first one that answers is used. Each ends with `/`. */
  readonly addresses: readonly string[];
  /** Its folder below `SEXTANT_FEEDS`. */
  readonly folder: string;
  readonly everyHours: number;
  /** Upper bounds for one file: as transferred (kept by the upstream), and unpacked (kept by `parse`). */
  readonly maxBytes: number;
  readonly maxUnpackedBytes: number;
  /** If the data time is older than this many days, the mirror or the publisher is not updated any more; null if releases are rare. */
  readonly staleAfterDays: number | null;
  files(upstream: Upstream, previous: PreviousSync): Promise<FeedFile[]>;
  /**
   * Arrays of entries in the order of the file. A broken record is skipped with `reporter.skip`; a broken file throws
   * `FeedFormatError`. `bytes` are as transferred (still packed): parsers unpack them with the helpers of `unpack.ts`.
   */
  parse(bytes: AsyncIterable<Uint8Array>, file: FeedFile, reporter: ParseReporter): AsyncIterable<EntryByKind[K][]>;
  /** The steps of `parse`, where its records can be read independently. */
  readonly records?: RecordParser<EntryByKind[K]>;
}

/** The fields `records` and `parse` of a feed whose records can be read independently. */
export function recordFeed<Entry extends EntryByKind[EntryKind]>(
  records: RecordParser<Entry>,
): {
  records: RecordParser<Entry>;
  parse(bytes: AsyncIterable<Uint8Array>, file: FeedFile, reporter: ParseReporter): AsyncIterable<Entry[]>;
} {
  return {
    records,
    async *parse(bytes, file, reporter) {
      for await (const texts of records.split(bytes, file, reporter)) yield parseRecords(records, texts, reporter);
    },
  };
}

/** The entries of these records, without those that were skipped. */
export function parseRecords<Entry>(
  parser: RecordParser<Entry>,
  texts: readonly RecordText[],
  reporter: Pick<ParseReporter, 'skip'>,
): Entry[] {
  return texts.map((text) => parser.parseRecord(text, reporter)).filter((entry) => entry !== null);
}

/** The whole file is unusable: an error page, a truncated archive, another format. */
export class FeedFormatError extends Error {
  override readonly name = 'FeedFormatError';
}
