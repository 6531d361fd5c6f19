import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EntryKind, EntryByKind } from '../../src/feeds/entries.ts';
import type { Feed, ParseReporter } from '../../src/feeds/feed.ts';
import { openUpstream } from '../../src/feeds/open-upstream.ts';

/** What a feed says of itself. */
export interface FeedNotes {
  asOf: string | null;
  notes: Record<string, string>;
}

/** All entries of a feed in a folder laid out as the upstreams are. Records that cannot be read are passed over. */
export async function* feedEntries<K extends EntryKind>(
  feed: Feed<K>,
  feeds: string,
  told: FeedNotes = { asOf: null, notes: {} },
): AsyncIterable<EntryByKind[K]> {
  const upstream = openUpstream({ address: pathToFileURL(join(feeds, feed.folder, '/')).href, layout: 'mirror' });
  const reporter: ParseReporter = {
    skip() {},
    setExpectedCount() {},
    setRecordCount() {},
    setDataTime(time) {
      told.asOf = time;
    },
    setNote(name, value) {
      told.notes[name] = value;
    },
  };
  for (const file of await feed.files(upstream, { asOf: null, files: new Set() })) {
    const opened = await upstream.open(file.path, null);
    if (opened.status !== 'open') throw new Error(`${feed.id}: ${file.path} is ${opened.status}`);
    for await (const batch of feed.parse(opened.bytes, file, reporter)) yield* batch;
  }
}
