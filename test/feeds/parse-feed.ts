import { createReadStream } from 'node:fs';
import type { EntryKind, EntryByKind } from '../../src/feeds/entries.ts';
import type { Feed, FeedFile, ParseReporter } from '../../src/feeds/feed.ts';
import type { Upstream } from '../../src/feeds/upstream.ts';

/** What a parser told besides its entries. */
export interface Told {
  skipped: { what: string; why: string }[];
  asOf: string | null;
  notes: Record<string, string>;
  announced: number | null;
  held: number | null;
}

/** Runs a feed's parser over a file on disk or over bytes given, and gathers all that comes out. */
export async function parseFeed<K extends EntryKind>(
  feed: Feed<K>,
  source: string | Uint8Array,
  file: Partial<FeedFile> = {},
): Promise<{ entries: EntryByKind[K][]; told: Told }> {
  const told: Told = { skipped: [], asOf: null, notes: {}, announced: null, held: null };
  const tally: ParseReporter = {
    skip: (what, why) => told.skipped.push({ what, why }),
    setDataTime: (time) => {
      told.asOf = time;
    },
    setNote: (name, value) => {
      told.notes[name] = value;
    },
    setExpectedCount: (count) => {
      told.announced = count;
    },
    setRecordCount: (count) => {
      told.held = count;
    },
  };
  const bytes = typeof source === 'string' ? createReadStream(source) : inChunks(source, 1000);
  const whole: FeedFile = { name: 'file', path: 'file', fingerprint: null, extent: 'whole', sha256: null, ...file };
  const entries: EntryByKind[K][] = [];
  for await (const batch of feed.parse(bytes, whole, tally)) for (const entry of batch) entries.push(entry);
  return { entries, told };
}

/** Bytes as a connection may deliver them: in small pieces that cut characters and records anywhere. */
export async function* inChunks(content: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

/** An upstream that knows what it is given: file names for `list`, answers by path for `json`. */
export function upstreamOf(
  layout: Upstream['layout'],
  { names = [], answers = {} }: { names?: string[]; answers?: Record<string, { body: unknown; next: string | null }> },
): Upstream & { asked: string[] } {
  const asked: string[] = [];
  return {
    layout,
    asked,
    readText: async () => null,
    async readJson(path) {
      asked.push(path);
      return answers[path] ?? null;
    },
    listFiles: async (pattern) => names.filter((name) => pattern.test(name)),
    openFile: async () => ({ status: 'missing' }),
    readFrom: async () => null,
  };
}
