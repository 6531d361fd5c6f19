import type { FeedFile, Tally } from '../feeds/feed.ts';

const REASONS_KEPT = 5;
/** A complete file may lose this share of its records from one sync to the next. */
const TOLERATED_LOSS = 0.1;
const FEW = 3;

/** Counts what a parser says of one file. */
export class FileTally implements Tally {
  bytes = 0;
  entries = 0;
  skipped = 0;
  skips: string[] = [];
  dataTime: string | null = null;
  notes: Record<string, string> = {};
  announcedCount: number | null = null;
  #held: number | null = null;

  skip(what: string, why: string): void {
    this.skipped++;
    if (this.skips.length < REASONS_KEPT) this.skips.push(`${what}: ${why}`);
  }

  asOf(time: string): void {
    this.dataTime = time;
  }

  note(name: string, value: string): void {
    this.notes[name] = value;
  }

  announced(count: number): void {
    this.announcedCount = count;
  }

  holds(count: number): void {
    this.#held = count;
  }

  /** What a later sync compares with. */
  get records(): number {
    return this.#held ?? this.entries;
  }

  async *countBytes(bytes: AsyncIterable<Uint8Array>, onChunk: () => void): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      this.bytes += chunk.length;
      onChunk();
      yield chunk;
    }
  }
}

export interface FileRefusal {
  reason: string;
  /** It lost more than may be; the operator can know better. */
  shrank: boolean;
}

/** Why a file that could be read to its end is refused; null when it is not. `knownRecords` is what it held before. */
export function refusalOf(tally: FileTally, file: FeedFile, knownRecords: number): FileRefusal | null {
  const reason = brokenReason(tally, file);
  if (reason !== null) return { reason, shrank: false };
  const { records } = tally;
  if (file.extent !== 'whole' || records >= knownRecords * (1 - TOLERATED_LOSS)) return null;
  return { reason: `shrank from ${knownRecords} to ${records} records, more than a tenth`, shrank: true };
}

function brokenReason(tally: FileTally, file: FeedFile): string | null {
  const { entries, skipped, announcedCount } = tally;
  if (announcedCount !== null && entries + skipped < announcedCount) {
    return `holds ${entries + skipped} records where it announces ${announcedCount}`;
  }
  // Of a short list of changes one bad record is a large share, and no reason to do without the others.
  const few = file.extent === 'delta' && entries > skipped && skipped <= FEW;
  if (skipped > 0 && !few && skipped >= (entries + skipped) * TOLERATED_LOSS) {
    return `${skipped} of ${entries + skipped} records cannot be read (${tally.skips[0]})`;
  }
  return file.extent === 'whole' && entries === 0 ? 'holds no records' : null;
}
