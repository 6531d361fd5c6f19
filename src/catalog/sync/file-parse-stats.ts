import type { FeedFile, ParseReporter } from '../../feeds/feed.ts';

const MAX_SKIP_REASONS = 5;
/** A file with extent `whole` may lose this share of its records from one sync to the next; the same share may be unreadable. */
const MAX_RECORD_LOSS_RATIO = 0.1;
const MAX_SKIPPED_IN_DELTA = 3;

/** Collects what a parser reports about one file. */
export class FileParseStats implements ParseReporter {
  bytes = 0;
  entries = 0;
  skipped = 0;
  skips: string[] = [];
  dataTime: string | null = null;
  notes: Record<string, string> = {};
  expectedCount: number | null = null;
  #recordCount: number | null = null;

  skip(what: string, why: string): void {
    this.skipped++;
    if (this.skips.length < MAX_SKIP_REASONS) this.skips.push(`${what}: ${why}`);
  }

  setDataTime(time: string): void {
    this.dataTime = time;
  }

  setNote(name: string, value: string): void {
    this.notes[name] = value;
  }

  setExpectedCount(count: number): void {
    this.expectedCount = count;
  }

  setRecordCount(count: number): void {
    this.#recordCount = count;
  }

  /** The size of the file in records, for the comparison at the next sync. */
  get records(): number {
    return this.#recordCount ?? this.entries;
  }
}

export interface FileRejection {
  reason: string;
  /** It lost too many records; the operator may know that this is right. */
  hasShrunk: boolean;
}

/** Why a file that was read to its end is rejected; null when it is not. `knownRecords` is its size at the last sync. */
export function findRejection(stats: FileParseStats, file: FeedFile, knownRecords: number): FileRejection | null {
  const reason = findDefect(stats, file);
  if (reason !== null) return { reason, hasShrunk: false };
  const { records } = stats;
  if (file.extent !== 'whole' || records >= knownRecords * (1 - MAX_RECORD_LOSS_RATIO)) return null;
  return { reason: `shrank from ${knownRecords} to ${records} records, more than a tenth`, hasShrunk: true };
}

function findDefect(stats: FileParseStats, file: FeedFile): string | null {
  const { entries, skipped, expectedCount } = stats;
  if (expectedCount !== null && entries + skipped < expectedCount) {
    return `holds ${entries + skipped} records where it announces ${expectedCount}`;
  }
  // In a short list of changes a few bad records are a large share, but no reason to reject the others.
  const areFewInDelta = file.extent === 'delta' && entries > skipped && skipped <= MAX_SKIPPED_IN_DELTA;
  if (skipped > 0 && !areFewInDelta && skipped >= (entries + skipped) * MAX_RECORD_LOSS_RATIO) {
    return `${skipped} of ${entries + skipped} records cannot be read (${stats.skips[0]})`;
  }
  return file.extent === 'whole' && entries === 0 ? 'holds no records' : null;
}
