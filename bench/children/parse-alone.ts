import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import { FEEDS } from '../../src/feeds/list.ts';
import { openUpstream } from '../../src/feeds/upstream.ts';
import { readAll } from '../../src/feeds/unpack.ts';

/** Unpacks every file that a sync of all feeds reads and parses those that are JSON; nothing else. */
const mirror = process.argv[2]!;
const nothingKnown = { asOf: null, files: new Set<string>() };

for (const feed of FEEDS) {
  const folder = join(mirror, feed.folder);
  const upstream = openUpstream({ address: `${pathToFileURL(folder).href}/`, layout: 'mirror' });
  for (const { path } of await feed.files(upstream, nothingKnown)) await read(join(folder, path));
}

async function read(path: string): Promise<void> {
  const bytes = readFileSync(path);
  if (path.endsWith('.gz')) parse(path.slice(0, -'.gz'.length), gunzipSync(bytes));
  else if (path.endsWith('.zip')) await readZip(bytes);
  else parse(path, bytes);
}

async function readZip(bytes: Buffer): Promise<void> {
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) {
      parse(entry.fileName, await readAll(await zip.openReadStreamPromise(entry), entry.uncompressedSize));
    }
  }
}

function parse(name: string, content: Buffer): void {
  const text = content.toString();
  if (name.endsWith('.json')) JSON.parse(text);
}
