import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { gunzip, looksLikeHtml, readAllBytes, unzip, type ZipLimits } from '../../src/feeds/unpack.ts';
import { eventually } from '../support/engines.ts';
import { inChunks } from './parse-feed.ts';
import { zipOf } from './zip-of.ts';

const HTML = '<!DOCTYPE html>\n<html><head><title>503 Service Unavailable</title></head></html>';
const LIMITS: ZipLimits = { maxBytes: 1_000_000, maxUnpackedBytes: 1_000_000, maxEntries: 100 };

function unpacked(packed: Uint8Array, maxUnpackedBytes = 1_000_000, chunk = 7): Promise<Buffer> {
  return readAllBytes(gunzip(inChunks(packed, chunk), { maxUnpackedBytes }), Number.MAX_SAFE_INTEGER);
}

async function unzipped(archive: Uint8Array, limits: Partial<ZipLimits> = {}): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const entry of unzip(inChunks(archive, 100), { ...LIMITS, ...limits })) {
    files[entry.name] = (await readAllBytes(entry.bytes, 1_000_000)).toString();
  }
  return files;
}

function formatError(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof FeedFormatError && message.test(error.message);
}

test('gunzip gives back what was packed, also of several members in one file (RFC 1952, 2.2)', async () => {
  assert.equal((await unpacked(gzipSync('one small step'))).toString(), 'one small step');
  assert.equal((await unpacked(Buffer.concat([gzipSync('one '), gzipSync('two')]))).toString(), 'one two');
  assert.equal((await unpacked(gzipSync(''))).length, 0);
});

test('gunzip says plainly what is wrong', async () => {
  const packed = gzipSync('x'.repeat(1000));
  const flipped = Buffer.from(packed);
  flipped[packed.length - 6]! ^= 0xff;
  await assert.rejects(unpacked(packed.subarray(0, packed.length - 4)), formatError(/ends before it is complete/));
  await assert.rejects(unpacked(packed.subarray(0, 12)), formatError(/ends before it is complete/));
  await assert.rejects(unpacked(flipped), formatError(/corrupt/));
  await assert.rejects(unpacked(Buffer.from(HTML)), formatError(/an HTML page came in the place of a gzip file/));
  await assert.rejects(unpacked(Buffer.from('cve,epss\n')), formatError(/this is not a gzip file/));
  await assert.rejects(unpacked(Buffer.alloc(0)), formatError(/the file is empty/));
  await assert.rejects(unpacked(Buffer.from([0x1f])), formatError(/this is not a gzip file/));
});

test('a gzip bomb is stopped at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  assert.ok(bomb.length < 100_000);
  let seen = 0;
  const consume = async () => {
    for await (const chunk of gunzip(inChunks(bomb, 65536), { maxUnpackedBytes: 1_000_000 })) seen += chunk.length;
  };
  await assert.rejects(consume(), formatError(/larger than 1000000 bytes/));
  assert.ok(seen <= 1_000_000);
});

test('a failing connection is not taken for a bad file', async () => {
  const reset = new Error('connection reset');
  async function* failing(): AsyncIterable<Uint8Array> {
    yield gzipSync('x'.repeat(1000)).subarray(0, 12);
    throw reset;
  }
  await assert.rejects(readAllBytes(gunzip(failing(), { maxUnpackedBytes: 1000 }), 1000), (error) => error === reset);
});

test('a reader that stops early ends the source too', async () => {
  let ended = false;
  async function* source(): AsyncIterable<Uint8Array> {
    try {
      for (;;) yield gzipSync(Buffer.alloc(500_000));
    } finally {
      ended = true;
    }
  }
  for await (const _chunk of gunzip(source(), { maxUnpackedBytes: Number.MAX_SAFE_INTEGER })) break;
  await eventually(() => ended, 'the source ends');
});

test('unzip gives the files, without folders, in order', async () => {
  const archive = zipOf([
    { name: 'folder/', content: '' },
    { name: 'folder/b.json', content: '{"b":1}' },
    { name: 'a.txt', content: 'é'.repeat(5000) },
    { name: 'empty', content: '' },
  ]);
  const files = await unzipped(archive);
  assert.deepEqual(Object.keys(files), ['folder/b.json', 'a.txt', 'empty']);
  assert.deepEqual(files, { 'folder/b.json': '{"b":1}', 'a.txt': 'é'.repeat(5000), empty: '' });
});

test('files of a zip may be left unread', async () => {
  const names: string[] = [];
  const archive = zipOf([{ name: 'a', content: '1' }, { name: 'b', content: '2' }]); // biome-ignore format: short
  for await (const entry of unzip(inChunks(archive, 10), LIMITS)) names.push(entry.name);
  assert.deepEqual(names, ['a', 'b']);
});

test('unzip says plainly what is wrong', async () => {
  const part = { name: 'a.json', content: 'x'.repeat(1000) };
  // Small files are unpacked at once, large ones as a stream.
  for (const size of [1000, 200_000]) {
    const own = { ...part, content: 'x'.repeat(size) };
    for (const claimedSize of [0, 10, size - 1, size + 1, 5 * size])
      await assert.rejects(unzipped(zipOf([{ ...own, claimedSize }])), formatError(/a\.json in the zip is corrupt/));
    await assert.rejects(unzipped(zipOf([{ ...own, claimedChecksum: 1 }])), formatError(/does not match its checksum/));
    await assert.rejects(unzipped(zipOf([{ ...own, encrypted: true }])), formatError(/corrupt: .*encrypted/));
  }
  await assert.rejects(unzipped(zipOf([part]).subarray(0, 40)), formatError(/the zip file is corrupt/));
  await assert.rejects(unzipped(Buffer.from(HTML)), formatError(/an HTML page came in the place of a zip file/));
  await assert.rejects(unzipped(Buffer.alloc(0)), formatError(/the file is empty/));
});

test('unzip keeps to its limits, over all files together', async () => {
  const half = Buffer.alloc(600_000);
  const two = zipOf([{ name: 'a', content: half }, { name: 'b', content: half }]); // biome-ignore format: short
  await assert.rejects(unzipped(two), formatError(/the unpacked zip is larger than 1000000 bytes/));
  await assert.rejects(unzipped(two, { maxUnpackedBytes: 2_000_000, maxEntries: 1 }), formatError(/more than 1 files/));
  await assert.rejects(unzipped(two, { maxBytes: 500 }), formatError(/the file is larger than 500 bytes/));
});

test('readAll keeps to its limit', async () => {
  assert.equal((await readAllBytes(inChunks(Buffer.alloc(100), 9), 100)).length, 100);
  await assert.rejects(readAllBytes(inChunks(Buffer.alloc(101), 9), 100), formatError(/larger than 100 bytes/));
});

test('web pages are told from data', () => {
  const pages = [
    HTML,
    '\ufeff  <html lang=en>',
    '<!-- portal -->\n<HTML>',
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "">',
  ];
  for (const page of pages) assert.ok(looksLikeHtml(Buffer.from(page)), page);
  const data = ['{"html": "<html>"}', '<?xml version="1.0"?><Weakness_Catalog>', 'id,file\n1,<html>', '', '<htmlish>'];
  for (const text of data) assert.ok(!looksLikeHtml(Buffer.from(text)), text);
});
