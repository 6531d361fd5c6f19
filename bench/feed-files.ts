import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FEEDS } from '../src/feeds/list.ts';
import { type Upstream } from '../src/feeds/upstream.ts';
import { createUpstream } from '../src/feeds/create-upstream.ts';

const NOTHING_KNOWN = { asOf: null, files: new Set<string>() };

/** Paths of all files that a first sync from a folder of feeds reads: what the feeds, asked for theirs, really open. */
export async function feedFiles(feeds: string): Promise<string[]> {
  const read = new Set<string>();
  for (const feed of FEEDS) {
    const folder = join(feeds, feed.folder);
    const address = `${pathToFileURL(folder).href}/`;
    const upstream = recording(createUpstream({ address, layout: 'mirror' }), (path) => read.add(join(folder, path)));
    for (const file of await feed.files(upstream, NOTHING_KNOWN)) {
      if (file.open === undefined) {
        if (file.content === undefined) await upstream.openFile(file.path, null);
        continue;
      }
      // Put together from several, some of which may be opened only on the way.
      const opened = await file.open(null);
      if (opened.status === 'open') await Array.fromAsync(opened.bytes, () => null);
    }
  }
  return [...read];
}

function recording(upstream: Upstream, seen: (path: string) => void): Upstream {
  const noted = <Found>(path: string, found: Found, exists: boolean): Found => {
    if (exists) seen(path);
    return found;
  };
  return {
    ...upstream,
    readText: async (path, limit) => {
      const text = await upstream.readText(path, limit);
      return noted(path, text, text !== null);
    },
    readJson: async (path, limit) => {
      const answer = await upstream.readJson(path, limit);
      return noted(path, answer, answer !== null);
    },
    openFile: async (path, validator) => {
      const opened = await upstream.openFile(path, validator);
      return noted(path, opened, opened.status === 'open');
    },
  };
}
