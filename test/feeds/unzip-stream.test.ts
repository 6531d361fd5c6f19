import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { readAllBytes } from '../../src/feeds/unpack.ts';
import { unzipStream } from '../../src/feeds/unzip-stream.ts';
import { inChunks } from './parse-feed.ts';
import { type ZipPart, zipOf } from './zip-of.ts';

const LIMITS = { maxUnpackedBytes: 64 * 1024 * 1024, maxEntries: 100 };

async function unzipped(archive: Uint8Array, chunk: number, limits: Partial<typeof LIMITS> = {}) {
  const files: Record<string, string> = {};
  for await (const { name, bytes } of unzipStream(inChunks(archive, chunk), { ...LIMITS, ...limits })) {
    // Entries may be left unread.
    if (!name.startsWith('unread'))
      files[name] = (await readAllBytes(bytes, LIMITS.maxUnpackedBytes)).toString('latin1');
  }
  return files;
}

const refused = (message: RegExp) => (error: unknown) =>
  error instanceof FeedFormatError && message.test(error.message);

test('files come out as they went in, small and large, however the bytes arrive', async () => {
  const large = randomBytes(9 * 1024 * 1024);
  const parts: ZipPart[] = [
    { name: 'folder/', content: '' },
    { name: 'folder/a.txt', content: 'one small step' },
    { name: 'unread', content: randomBytes(5000) },
    { name: 'empty', content: '' },
  ];
  const small = { 'folder/a.txt': 'one small step', empty: '' };
  for (const chunk of [1, 7, 1000, 1_000_000]) assert.deepEqual(await unzipped(zipOf(parts), chunk), small);
  const files = await unzipped(zipOf([...parts, { name: 'large', content: large }]), 65_536);
  assert.deepEqual(Object.keys(files), ['folder/a.txt', 'empty', 'large']);
  assert.ok(Buffer.from(files['large']!, 'latin1').equals(large));
});

test('what is cut, changed, encrypted, too large or not a zip is refused', async () => {
  const parts = [
    { name: 'a', content: 'x'.repeat(3000) + randomBytes(100).toString('hex') },
    { name: 'b', content: 'y' },
  ];
  const whole = zipOf(parts);
  for (let end = 0; end < whole.length; end += 11) {
    await assert.rejects(unzipped(whole.subarray(0, end), 50), FeedFormatError, String(end));
  }
  const changed = Buffer.from(whole);
  changed[60]! ^= 0xff;
  await assert.rejects(unzipped(changed, 50), refused(/corrupt|checksum/));
  const part = { name: 'a', content: 'x'.repeat(3000) };
  await assert.rejects(unzipped(zipOf([{ ...part, claimedSize: 5 }]), 50), FeedFormatError);
  await assert.rejects(unzipped(zipOf([{ ...part, claimedSize: 5000 }]), 50), refused(/checksum/));
  await assert.rejects(unzipped(zipOf([{ ...part, claimedChecksum: 5 }]), 50), refused(/checksum/));
  await assert.rejects(unzipped(zipOf([{ ...part, encrypted: true }]), 50), refused(/encrypted/));
  await assert.rejects(unzipped(whole, 50, { maxUnpackedBytes: 3000 }), refused(/larger than its limit/));
  await assert.rejects(unzipped(whole, 50, { maxEntries: 1 }), refused(/more than 1 files/));
  await assert.rejects(unzipped(Buffer.from('<!doctype html><title>503</title>'), 50), refused(/HTML page/));
});

test('a failing connection is not taken for a bad file', async () => {
  const archive = zipOf([{ name: 'large', content: randomBytes(9 * 1024 * 1024) }]);
  const reset = new Error('connection reset');
  async function* failing(): AsyncIterable<Uint8Array> {
    yield archive.subarray(0, 1_000_000);
    throw reset;
  }
  await assert.rejects(async () => {
    for await (const { bytes } of unzipStream(failing(), LIMITS)) await readAllBytes(bytes, LIMITS.maxUnpackedBytes);
  }, reset);
});
