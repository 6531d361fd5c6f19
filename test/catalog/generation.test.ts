import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createDatabaseName, readCurrentGeneration, removeOldGenerations } from '../../src/catalog/generation.ts';
import { CatalogHandle } from '../../src/catalog/catalog-handle.ts';
import { tryLockCatalog } from '../../src/catalog/catalog-lock.ts';
import { contextOf } from '../support/full-catalog.ts';
import { makeMirror, nvdRecords } from '../support/nvd-mirror.ts';

test('names of databases stand in the order in which they were made, whatever the clock says', (t) => {
  const { data } = makeMirror(t);
  const times = [
    '2024-01-01T00:00:00.000Z',
    '2024-01-01T00:00:00.001Z',
    '2027-10-01T00:00:00.000Z',
    '2025-01-01T00:00:00.000Z',
    '2025-01-01T00:00:00.000Z',
  ];
  const names = times.map((time) => {
    const name = createDatabaseName(data, new Date(time));
    writeFileSync(join(data, name), '');
    return name;
  });
  assert.deepEqual(names, names.toSorted());
  assert.match(names[2]!, /^catalog-20271001T000000000Z-/, 'the time of the clock, where it is later');
});

test('two databases of one moment have different names', (t) => {
  const { data } = makeMirror(t);
  const now = new Date('2024-01-01T00:00:00.000Z');
  assert.notEqual(createDatabaseName(data, now), createDatabaseName(data, now));
});

test('tidying up touches databases and what was written aside, nothing else', (t) => {
  const { data } = makeMirror(t);
  for (const name of [
    'catalog-a.db',
    'catalog-b.db',
    'catalog-b.db-journal',
    'current.json.abc.tmp',
    'current.json',
    'accounts.db',
    'notes.txt',
  ]) {
    writeFileSync(join(data, name), '');
  }
  removeOldGenerations(data, 'catalog-a.db');
  assert.deepEqual(readdirSync(data).sort(), ['accounts.db', 'catalog-a.db', 'current.json', 'notes.txt']);
});

test('a lock holds against others and is free when let go', (t) => {
  const { data } = makeMirror(t);
  const lock = tryLockCatalog(data)!;
  assert.equal(tryLockCatalog(data), null);
  lock.release();
  const again = tryLockCatalog(data);
  assert.notEqual(again, null);
  again!.release();
});

test('a lock that cannot be opened names its file', (t) => {
  const { data } = makeMirror(t);
  const path = join(data, 'sync.lock');
  mkdirSync(path);
  assert.throws(() => tryLockCatalog(data), { path });
});

suite('a data folder that was damaged', () => {
  for (const [what, damage] of Object.entries({
    'a pointer of no bytes': (folder: string) => writeFileSync(join(folder, 'current.json'), ''),
    'a pointer that is no JSON': (folder: string) => writeFileSync(join(folder, 'current.json'), '{"file": '),
    'a pointer out of the folder': (folder: string) =>
      writeFileSync(join(folder, 'current.json'), '{"file": "../../etc/passwd", "created_at": "", "sources": {}}'),
    'a database that is gone': (folder: string) => rmSync(join(folder, readCurrentGeneration(folder)!.file)),
    'a database of no bytes': (folder: string) => writeFileSync(join(folder, readCurrentGeneration(folder)!.file), ''),
    'a database that is none': (folder: string) =>
      writeFileSync(join(folder, readCurrentGeneration(folder)!.file), 'x'.repeat(10_000)),
  })) {
    test(`${what}: the next sync makes it whole`, async (t) => {
      const mirror = makeMirror(t);
      mirror.kev(['CVE-2002-0001']);
      mirror.nvd(2002, nvdRecords(2002, 20));
      await mirror.sync();
      damage(mirror.data);
      const { failed, generation } = await mirror.sync();
      assert.deepEqual(failed, []);
      assert.equal(generation!.sources['nvd']!.records, 20);
      assert.equal(contextOf(mirror.data).catalog.cve('CVE-2002-0001', true)?.record?.status, 'Analyzed');
      assert.equal(readdirSync(mirror.data).filter((name) => name.endsWith('.db')).length, 1);
    });

    test(`${what}: a reader says so, and nothing of the damage answers`, async (t) => {
      const mirror = makeMirror(t);
      mirror.kev(['CVE-2002-0001']);
      mirror.nvd(2002, nvdRecords(2002, 20));
      await mirror.sync();
      const problems: Error[] = [];
      const handle = new CatalogHandle(mirror.data, (problem) => problems.push(problem));
      t.after(() => handle.close());
      const before = handle.current!;
      damage(mirror.data);
      handle.poll();
      handle.poll();
      const told = problems.length;
      assert.ok(told > 0);
      handle.poll();
      assert.equal(problems.length, told, 'the same is not told again');
      assert.notEqual(handle.problem, null);
      if (/no bytes|none/.test(what) && what.includes('database')) assert.equal(handle.current, null);
      else {
        assert.equal(handle.current, before);
        assert.equal(handle.current?.cve('CVE-2002-0001', false)?.record?.status, 'Analyzed');
      }
    });
  }
});

test('a reader takes a new generation when it looks, and closes none that is in use', async (t) => {
  const mirror = makeMirror(t);
  mirror.kev(['CVE-2002-0001']);
  mirror.nvd(2002, nvdRecords(2002, 20));
  const handle = new CatalogHandle(mirror.data, (problem) => assert.fail(problem));
  t.after(() => handle.close());
  assert.equal(handle.current, null, 'none yet');
  await mirror.sync();
  handle.refresh();
  const first = handle.current!;
  mirror.nvd(2002, nvdRecords(2002, 21));
  await mirror.sync();
  await mirror.sync();
  handle.refresh();
  assert.notEqual(handle.current, first);
  assert.notEqual(handle.current!.cve('CVE-2002-0021', false), null);
  assert.equal(first.cve('CVE-2002-0021', false), null);
  assert.notEqual(first.cve('CVE-2002-0020', true), null);
});
