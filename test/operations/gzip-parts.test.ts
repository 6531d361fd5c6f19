import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { GzipParts } from '../../src/engine/gzip-parts.ts';

const DIGITS = ['', '0', '7', '59', '3600', '86399', '31536000', '9'.repeat(300)];

test('zlib reads what was put together from parts, whatever the text and the digits', () => {
  const folder = join(import.meta.dirname, '../../docs/decisions');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  texts.push(Buffer.alloc(0), Buffer.from('a'), Buffer.from('\u00e4\u{1f600}"'.repeat(40_000)));
  let compared = 0;
  for (const [index, before] of texts.entries()) {
    const after = texts[(index + 1) % texts.length]!;
    const gzip = new GzipParts(before, after);
    for (const digits of DIGITS) {
      const text = gunzipSync(Buffer.concat(gzip.parts(digits)));
      assert.ok(text.equals(Buffer.concat([before, Buffer.from(digits), after])), `${index} ${digits}`);
      compared++;
    }
  }
  assert.ok(compared > 150);
});
