import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonSequence, asSequenceRecord } from '../../src/feeds/d3fend/json-sequence.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { inChunks } from './parse-feed.ts';

const RS = '\x1e';
const all = (text: string, chunk = 1000, limit = 1000) =>
  Array.fromAsync(readJsonSequence(inChunks(Buffer.from(text), chunk), limit));

test('the example of RFC 7464 with a number, a string and a list, however it is cut', async () => {
  const text = `${RS}1\n${RS}"é ☃"\n${RS}[\n {"a": null}\n]\n`;
  for (let chunk = 1; chunk < 12; chunk++) assert.deepEqual(await all(text, chunk), [1, 'é ☃', [{ a: null }]]);
});

test('separators that follow one another are one (RFC 7464, 2.1)', async () => {
  assert.deepEqual(await all(`${RS}${RS}${RS}{}\n`), [{}]);
  assert.deepEqual(await all(''), []);
});

test('what is written can be read', async () => {
  const parts = [Buffer.from('{"a":'), Buffer.from('"\\u001e"}')];
  const written = Buffer.concat([
    ...(await Array.fromAsync(asSequenceRecord(parts))),
    ...(await Array.fromAsync(asSequenceRecord([Buffer.from('2')]))),
  ]);
  assert.deepEqual(await all(written.toString()), [{ a: '\x1e' }, 2]);
});

test('a text that is cut off, or too large, is refused', async () => {
  await assert.rejects(all(`${RS}{"a": 1}\n${RS}{"a": `), FeedFormatError);
  await assert.rejects(all(`${RS}"${'x'.repeat(200)}"\n`, 50, 100), /larger than 100 bytes/);
});
