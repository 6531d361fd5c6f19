import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { BundleError } from '../../src/catalog/bundle-header.ts';
import { applyDelta, encodeDelta } from '../../src/catalog/published/delta-file.ts';
import { applyDifference, computeDifference } from '../../src/catalog/published/difference.ts';
import { findDeltaPath } from '../../src/catalog/published/delta-path.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-delta-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('the difference of two byte arrays', () => {
  it('leads from any bytes to any others', () => {
    // Few values and repeats, so that copies are found.
    const bytes = fc
      .array(fc.tuple(fc.uint8Array({ maxLength: 40, max: 3 }), fc.integer({ min: 1, max: 9 })), { maxLength: 12 })
      .map((parts) => Buffer.concat(parts.flatMap(([part, times]) => Array.from({ length: times }, () => part))));
    fc.assert(
      fc.property(bytes, bytes, (old, next) => {
        assert.deepEqual(applyDifference(old, computeDifference(old, next), next.length), next);
      }),
    );
  });

  it('of numbers that all grew by one is a run of equal bytes', () => {
    const numbers = Uint32Array.from({ length: 1000 }, (_, index) => index * 4);
    const grown = numbers.map((number) => number + 1);
    const { differences, literals } = computeDifference(Buffer.from(numbers.buffer), Buffer.from(grown.buffer));
    assert.equal(literals.length, 0);
    assert.ok(differences.every((byte, index) => byte === (index % 4 === 0 ? 1 : 0)));
  });

  it('that does not fit is null, never bytes of elsewhere', () => {
    const old = Buffer.from('0123456789');
    const none = { differences: Buffer.alloc(0), literals: Buffer.alloc(0) };
    for (const steps of [
      [0, 5, 6],
      [0, 5, -1],
      [1, 0, 0],
      [0, 11, 0],
      [-1, 1, 0],
      [0, -1, 0],
      [0, 1],
    ]) {
      assert.equal(applyDifference(old, { ...none, steps, differences: Buffer.alloc(5) }, 5), null, String(steps));
    }
    assert.equal(applyDifference(old, { ...none, steps: [0, 5, 0] }, 5), null);
  });
});

describe('a delta', () => {
  const [before, later] = [join(folder, 'before.db'), join(folder, 'later.db')];
  const make = (path: string, rows: number, added: number): void => {
    using db = new DatabaseSync(path);
    db.exec('PRAGMA page_size = 8192; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
    const insert = db.prepare('INSERT INTO t (text) VALUES (?)');
    db.exec('BEGIN');
    for (let row = 0; row < rows; row++) insert.run(`row ${row * 7919 + (row === 500 ? added : 0)} `.repeat(20));
    db.exec('COMMIT');
  };
  make(before, 2000, 0);
  make(later, 2600, 1);

  it('leads to the same bytes, to a longer file and to a shorter one', () => {
    for (const [from, to] of [
      [before, later],
      [later, before],
    ] as const) {
      const copy = join(folder, 'copy.db');
      writeFileSync(copy, readFileSync(from));
      applyDelta(copy, encodeDelta(from, to)!);
      assert.deepEqual(readFileSync(copy), readFileSync(to));
    }
  });

  it('between equal files changes nothing', () => {
    const copy = join(folder, 'copy.db');
    writeFileSync(copy, readFileSync(before));
    applyDelta(copy, encodeDelta(before, before)!);
    assert.deepEqual(readFileSync(copy), readFileSync(before));
  });

  it('is refused where it is cut off, altered or for a file of another length', () => {
    const delta = encodeDelta(before, later)!;
    const copy = join(folder, 'copy.db');
    const refused = (content: Buffer, base = before): void => {
      writeFileSync(copy, readFileSync(base));
      assert.throws(() => applyDelta(copy, content), BundleError);
      assert.deepEqual(readFileSync(copy), readFileSync(base), 'nothing was written');
    };
    refused(delta, later);
    for (const length of [0, 5, 16, 100, delta.length - 1]) refused(delta.subarray(0, length));
    refused(Buffer.concat([delta, Buffer.from('x')]));
    refused(Buffer.from(delta.toString('latin1').replace(/"changed_pages":\d+/, '"changed_pages":900000'), 'latin1'));
    refused(Buffer.from(delta.toString('latin1').replace(/"to_bytes":\d+/, '"to_bytes":8192'), 'latin1'));
  });
});

describe('the way to the published catalog', () => {
  const catalog = { sha256: 'e' };
  const delta = (from: string, to: string, bytes: number) => ({ from, to, bytes, file: `${from}${to}`, sha256: '' });
  const wayFrom = (from: string, deltas: ReturnType<typeof delta>[], fullBytes = 100): string[] | null =>
    findDeltaPath({ catalog, full: { bytes: fullBytes }, deltas } as never, from)?.map(({ file }) => file) ?? null;

  it('has the fewest bytes', () => {
    const deltas = [delta('a', 'b', 10), delta('b', 'c', 10), delta('a', 'c', 15), delta('c', 'e', 10)];
    assert.deepEqual(wayFrom('a', deltas), ['ac', 'ce']);
    assert.deepEqual(wayFrom('b', deltas), ['bc', 'ce']);
    assert.deepEqual(wayFrom('b', deltas.toReversed()), ['bc', 'ce']);
  });

  it('is the full catalog where that has no more bytes, or no delta leads from here', () => {
    const deltas = [delta('a', 'b', 60), delta('b', 'e', 40)];
    assert.equal(wayFrom('a', deltas), null);
    assert.deepEqual(wayFrom('a', deltas, 101), ['ab', 'be']);
    assert.equal(wayFrom('z', deltas), null);
    assert.equal(wayFrom('a', [delta('a', 'b', 1), delta('b', 'a', 1)]), null);
  });
});
