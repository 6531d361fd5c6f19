import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import { readAllBytes } from '../../src/feeds/unpack.ts';

/** Unpacks every file of a list and parses those that are JSON; nothing else. */
for (const path of JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as string[]) await read(path);

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
      parse(entry.fileName, await readAllBytes(await zip.openReadStreamPromise(entry), entry.uncompressedSize));
    }
  }
}

function parse(name: string, content: Buffer): void {
  const text = content.toString();
  if (name.endsWith('.json')) JSON.parse(text);
}
