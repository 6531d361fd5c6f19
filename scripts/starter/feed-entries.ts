import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EntryKind, EntryByKind } from '../../src/feeds/entries.ts';
import type { Feed, ParseReporter } from '../../src/feeds/feed.ts';
import { createUpstream } from '../../src/feeds/create-upstream.ts';

/** Data time and notes of a feed. */
export interface FeedNotes {
  asOf: string | null;
  notes: Record<string, string>;
}

/** All entries of a feed in a mirror folder. Records that cannot be read are skipped. `found` receives data time and notes. */
export async function* feedEntries<K extends EntryKind>(
  feed: Feed<K>,
  feeds: string,
  found: FeedNotes = { asOf: null, notes: {} },
): AsyncIterable<EntryByKind[K]> {
  const upstream = createUpstream({ address: pathToFileURL(join(feeds, feed.folder, '/')).href, layout: 'mirror' });
  const reporter: ParseReporter = {
    skip() {},
    setExpectedCount() {},
    setRecordCount() {},
    setDataTime(time) {
      found.asOf = time;
    },
    setNote(name, value) {
      found.notes[name] = value;
    },
  };
  for (const file of await feed.files(upstream, { asOf: null, files: new Set() })) {
    const opened = await upstream.openFile(file.path, null);
    if (opened.status !== 'open') throw new Error(`${feed.id}: ${file.path} is ${opened.status}`);
    for await (const batch of feed.parse(opened.bytes, file, reporter)) yield* batch;
  }
}
