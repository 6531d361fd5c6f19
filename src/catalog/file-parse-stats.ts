import type { FeedFile, ParseReporter } from '../feeds/feed.ts';

const MAX_SKIP_REASONS = 5;
/** A complete file may lose this share of its records from one sync to the next. */
const MAX_RECORD_LOSS_RATIO = 0.1;
const MAX_SKIPPED_IN_DELTA = 3;

/** Counts what a parser says of one file. */
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

  /** What a later sync compares with. */
  get records(): number {
    return this.#recordCount ?? this.entries;
  }

  async *countBytes(bytes: AsyncIterable<Uint8Array>, onChunk: () => void): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      this.bytes += chunk.length;
      onChunk();
      yield chunk;
    }
  }
}

export interface FileRejection {
  reason: string;
  /** It lost more than may be; the operator can know better. */
  hasShrunk: boolean;
}

/** Why a file that could be read to its end is refused; null when it is not. `knownRecords` is what it held before. */
export function findRejection(tally: FileParseStats, file: FeedFile, knownRecords: number): FileRejection | null {
  const reason = findDefect(tally, file);
  if (reason !== null) return { reason, hasShrunk: false };
  const { records } = tally;
  if (file.extent !== 'whole' || records >= knownRecords * (1 - MAX_RECORD_LOSS_RATIO)) return null;
  return { reason: `shrank from ${knownRecords} to ${records} records, more than a tenth`, hasShrunk: true };
}

function findDefect(tally: FileParseStats, file: FeedFile): string | null {
  const { entries, skipped, expectedCount } = tally;
  if (expectedCount !== null && entries + skipped < expectedCount) {
    return `holds ${entries + skipped} records where it announces ${expectedCount}`;
  }
  // Of a short list of changes one bad record is a large share, and no reason to do without the others.
  const few = file.extent === 'delta' && entries > skipped && skipped <= MAX_SKIPPED_IN_DELTA;
  if (skipped > 0 && !few && skipped >= (entries + skipped) * MAX_RECORD_LOSS_RATIO) {
    return `${skipped} of ${entries + skipped} records cannot be read (${tally.skips[0]})`;
  }
  return file.extent === 'whole' && entries === 0 ? 'holds no records' : null;
}
