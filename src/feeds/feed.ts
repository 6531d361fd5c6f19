/**
 * A feed: where a body of knowledge is published, in which files, and how their bytes become entries.
 * It knows nothing of storage; `src/catalog/sync` reads feeds into a new generation of the catalog.
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
  | 'osv'
  | 'tor'
  | 'firehol'
  | 'cloud'
  | 'feodo'
  | 'starter';

/** One file of a feed, as `files()` finds it. */
export interface FeedFile {
  /** Name within the feed, stable from sync to sync: `nvdcve-2.0-2024.json.gz`. */
  name: string;
  /** Path or absolute address to open it at. */
  path: string;
  /**
   * What changes when the file does: sha256 of a .meta, an asset's name. Null: ask with the transport's own validator
   * (ETag, Last-Modified; size and time of a local file).
   */
  fingerprint: string | null;
  /**
   * `whole`: it holds all of its scope: it may not shrink, and lists (KEV, EPSS, catalogs) are replaced by it. `delta`: it adds and replaces only.
   * `varying`: as `whole`, of what comes and goes: it may shrink, even to nothing.
   */
  extent: 'whole' | 'delta' | 'varying';
  /** SHA-256 (lower-case hex) of the unpacked content, where the upstream tells it. */
  sha256: string | null;
  /** The bytes themselves, where `files()` had to read them to find the next file (an API's pages). */
  content?: Uint8Array;
  /**
   * Opens it in the place of `path`, where one file is put together from several of the upstream's: only all of them
   * together can be parsed, and are unchanged. `validator` is the one that it gave when it was last taken.
   */
  open?: (validator: string | null) => Promise<OpenResult>;
}

/** A file of one name and path that holds all of its scope and is asked for by the transport's validator; `other` says what differs. */
export function feedFile(name: string, other: Partial<FeedFile> = {}): FeedFile {
  return { name, path: name, fingerprint: null, extent: 'whole', sha256: null, ...other };
}

/** What a parser reports about the file besides its entries. */
export interface ParseReporter {
  /** Records that could not be read: skipped, counted, reported with the first few reasons. */
  skip(what: string, why: string): void;
  /** The upstream's own time of the data (ISO 8601 or YYYY-MM-DD). */
  setDataTime(time: string): void;
  /**
   * Facts about the file as a whole that the catalog keeps: EPSS model version, CWE version. One whose name begins with
   * `missing` says what the source has and cannot be had here; answers from the source say it too.
   * An empty value takes a note back.
   */
  setNote(name: string, value: string): void;
  /** How many records the file itself says it holds (NVD totalResults, KEV count). Fewer read than that: the file is refused. */
  setExpectedCount(count: number): void;
  /**
   * How much the file holds, where the number of its entries does not tell (the mappings between D3FEND's defenses and
   * attacks). What counts when a file is judged to have shrunk.
   */
  setRecordCount(count: number): void;
}

/** Asked by `files()`: what the last good sync saw. */
export interface PreviousSync {
  /** Upstream's own time of the data at the last good sync. */
  asOf: string | null;
  /** Names of the files taken then. */
  files: ReadonlySet<string>;
  /** What was noted of the files taken so far. */
  notes?: Readonly<Record<string, string>>;
}

export interface Feed<K extends EntryKind = EntryKind> {
  readonly id: FeedId;
  readonly kind: K;
  /** `NVD JSON 2.0 feeds` */
  readonly title: string;
  /** Default addresses, the first that answers is taken. Each ends with `/`. */
  readonly addresses: readonly string[];
  /** Its folder below `SEXTANT_FEEDS`. */
  readonly folder: string;
  readonly everyHours: number;
  /** Upper bounds for one file: as transferred (kept by the upstream), and unpacked (kept by `parse`). */
  readonly maxBytes: number;
  readonly maxUnpackedBytes: number;
  /** Days after which the upstream's own data time means that the mirror or the upstream stands still; null where releases are rare. */
  readonly staleAfterDays: number | null;
  files(upstream: Upstream, memory: PreviousSync): Promise<FeedFile[]>;
  /**
   * Entries in batches, in the order of the file. A broken record is `reporter.skip`ped; a broken file throws `FeedFormatError`.
   * `bytes` are as transferred (still packed); parsers unpack with the bounded helpers of `unpack.ts`.
   */
  parse(bytes: AsyncIterable<Uint8Array>, file: FeedFile, reporter: ParseReporter): AsyncIterable<EntryByKind[K][]>;
}

/** The file as a whole is not what it should be: an error page, a truncated archive, another format. */
export class FeedFormatError extends Error {
  override readonly name = 'FeedFormatError';
}
