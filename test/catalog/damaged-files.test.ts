import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { readCurrentGeneration, removeOldGenerations } from '../../src/catalog/generation.ts';
import { CatalogHandle } from '../../src/catalog/catalog-handle.ts';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { eventually } from '../support/engines.ts';
import { makeMirror, type Mirror, nvdRecords } from '../support/nvd-mirror.ts';
import { startServe } from '../support/serve-process.ts';
import { startService } from '../support/service.ts';
import { NO_SLOW_FILES, slowFile } from '../support/slow-file.ts';

/** What a damaged catalog does: nothing wrong is answered, what is whole answers, and everybody is told. */

const IN_BOTH = '/v1/cve/CVE-2002-0001';
const IN_NEWER = '/v1/cve/CVE-2002-0011';
const USER_VERSION_AT = 60;

interface Folder {
  mirror: Mirror;
  data: string;
  older: string;
  newer: string;
}

/** A catalog of ten CVEs, and the current one of twenty. */
async function twoGenerations(t: TestContext): Promise<Folder> {
  const mirror = makeMirror(t);
  mirror.kev(['CVE-2002-0001']);
  mirror.nvd(2002, nvdRecords(2002, 10));
  await mirror.sync();
  const older = readCurrentGeneration(mirror.data)!.file;
  mirror.nvd(2002, nvdRecords(2002, 20));
  await mirror.sync();
  const newer = readCurrentGeneration(mirror.data)!.file;
  assert.notEqual(newer, older);
  return { mirror, data: mirror.data, older, newer };
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** One bit, in the middle of the file. */
function flip(path: string): void {
  const at = statSync(path).size >> 1;
  overwrite(path, at, Uint8Array.of(readFileSync(path)[at]! ^ 1));
}

function schemaOf(path: string): number {
  return readFileSync(path).readUInt32BE(USER_VERSION_AT);
}

interface Damage {
  to: (path: string) => void;
  says: RegExp;
  /** What is left of the file in the folder, under which ending. */
  kept: '' | '.damaged' | null;
}

const DAMAGES: Record<string, Damage> = {
  'is gone': { to: (path) => rmSync(path), says: /is gone/, kept: null },
  'has no bytes': { to: (path) => truncateSync(path, 0), says: /is empty/, kept: '.damaged' },
  'was cut off in the header': { to: (path) => truncateSync(path, 50), says: /not a database/, kept: '.damaged' },
  'was cut off in the middle': {
    to: (path) => truncateSync(path, statSync(path).size >> 1),
    says: /cut off/,
    kept: '.damaged',
  },
  'has one bit flipped': { to: flip, says: /checksum is wrong/, kept: '.damaged' },
  'is something else': {
    to: (path) => writeFileSync(path, 'x'.repeat(10_000)),
    says: /not a database/,
    kept: '.damaged',
  },
  'is of a newer schema': {
    to: (path) => overwrite(path, USER_VERSION_AT, Uint8Array.of(0, 0, 0, 99)),
    says: /schema 99/,
    kept: '',
  },
  'is a folder': {
    to(path) {
      rmSync(path);
      mkdirSync(path);
    },
    says: /is not a file/,
    kept: '',
  },
  'is a FIFO, which nobody writes to': {
    to(path) {
      rmSync(path);
      execFileSync('mkfifo', [path]);
    },
    says: /is not a file/,
    kept: '',
  },
};

suite('the current catalog file, at a start,', () => {
  for (const [what, { to, says, kept }] of Object.entries(DAMAGES)) {
    test(`${what}: the one before it answers, and this is said`, async (t) => {
      const { mirror, data, older, newer } = await twoGenerations(t);
      const before = readCurrentGeneration(data)!;
      to(join(data, newer));
      await recoverOrCreateCatalog(data, new Date());
      assert.equal(readCurrentGeneration(data)?.file, older);
      const problems: Error[] = [];
      const { get, services } = await startService(t, {
        catalog: data,
        onProblem: (problem) => problems.push(problem),
      });
      assert.deepEqual([(await get(IN_BOTH)).status, (await get(IN_NEWER)).status], [200, 404]);
      const { status, body } = await get('/readyz');
      assert.deepEqual([status, body.status, body.problems.length], [200, 'degraded', 1]);
      const [problem] = body.problems as [string];
      assert.match(problem, says);
      assert.ok(
        problem.includes(before.created_at) && problem.includes(readCurrentGeneration(data)!.created_at),
        problem,
      );
      assert.doesNotMatch(problem, /\/|catalog-/, 'no path and no name of a file');
      assert.deepEqual(
        problems.map(({ message }) => message),
        [problem],
      );
      const shown = (await get('/v1/status')).body;
      assert.equal(shown.status, 'degraded');
      assert.ok(shown.problems.includes(problem));
      if (kept !== null) assert.ok(existsSync(join(data, newer + kept)), 'it is kept');

      const { failed } = await mirror.sync();
      assert.deepEqual(failed, []);
      services.catalog.refresh();
      assert.equal((await get(IN_NEWER)).status, 200, 'the next sync brings back what was lost');
      assert.deepEqual((await get('/readyz')).body, { status: 'ok' });
      if (kept !== null) assert.ok(existsSync(join(data, newer + kept)), 'and it is still kept');
    });
  }

  for (const [what, text] of Object.entries({
    empty: '',
    'half written': '{"file": "cat',
    'of another program': '{"file": "../../etc/passwd", "created_at": "", "sources": {}}',
  })) {
    test(`its pointer is ${what}: the newest catalog answers, and this is said`, async (t) => {
      const { data, newer } = await twoGenerations(t);
      writeFileSync(join(data, 'current.json'), text);
      await recoverOrCreateCatalog(data, new Date());
      const current = readCurrentGeneration(data)!;
      assert.equal(current.file, newer);
      assert.equal(current.sources['nvd']?.records, 20, 'what is known of its sources is not lost');
      assert.match(current.recovered ?? '', /^current\.json is damaged: the catalog of .* answers$/);
      assert.equal(readFileSync(join(data, 'current.json.damaged'), 'utf8'), text);
    });
  }

  test('and the one before it, are both damaged: the starter answers, and this is said', async (t) => {
    const { data, older, newer } = await twoGenerations(t);
    flip(join(data, newer));
    flip(join(data, older));
    await recoverOrCreateCatalog(data, new Date());
    assert.match(
      readCurrentGeneration(data)?.recovered ?? '',
      /checksum is wrong.*: only the starter catalog answers$/,
    );
    const { get } = await startService(t, { catalog: data, onProblem: () => {} });
    assert.equal((await get('/v1/cve/CVE-2021-44228')).status, 200);
    assert.equal((await get('/readyz')).body.status, 'degraded');
  });

  test('is damaged, and a sync cannot reach its feeds: what answers goes on to be called older', async (t) => {
    const { mirror, data, newer } = await twoGenerations(t);
    flip(join(data, newer));
    mirror.remove('nvd/nvdcve-2.0-2002.meta');
    const { failed, generation } = await mirror.sync();
    assert.deepEqual(failed, ['nvd']);
    assert.match(generation?.recovered ?? '', /checksum is wrong/);
  });

  test('is of a newer schema: syncs of the older program leave it for the day on which the newer comes back', async (t) => {
    const { mirror, data, newer } = await twoGenerations(t);
    const schema = schemaOf(join(data, newer));
    overwrite(join(data, newer), USER_VERSION_AT, Uint8Array.of(0, 0, 0, 99));
    for (let count = 21; count < 25; count++) {
      mirror.nvd(2002, nvdRecords(2002, count));
      assert.deepEqual((await mirror.sync()).failed, []);
    }
    overwrite(join(data, newer), USER_VERSION_AT, Uint8Array.of(0, 0, 0, schema));
    for (const name of readdirSync(data)) if (/^catalog-.*\.db$/.test(name) && name !== newer) flip(join(data, name));
    await recoverOrCreateCatalog(data, new Date());
    assert.equal(readCurrentGeneration(data)?.file, newer, 'and it answers again');
  });
});

/** Makes a function of `node:fs` fail for files whose name fits. */
function failing(t: TestContext, which: 'openSync' | 'readSync', code: string, fits: RegExp): void {
  const real = fs[which] as (...given: unknown[]) => unknown;
  const mine = (...given: unknown[]): unknown => {
    if (which === 'openSync' && !fits.test(String(given[0]))) return real(...given);
    throw Object.assign(new Error(`${code}: it fails, '/secret/path'`), { code, syscall: 'open' });
  };
  t.mock.method(fs, which, mine as never);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

suite('what keeps from looking is no damage:', () => {
  for (const code of ['EACCES', 'EMFILE', 'EIO', 'ENFILE']) {
    test(`${code} of the catalog file: thrown, nothing is changed or removed`, async (t) => {
      const { mirror, data } = await twoGenerations(t);
      const before = readdirSync(data).sort();
      failing(t, 'openSync', code, /catalog-[^/]*\.db$/);
      await assert.rejects(recoverOrCreateCatalog(data, new Date()), { code });
      await assert.rejects(mirror.sync(), { code });
      removeOldGenerations(data, readCurrentGeneration(data)!.file);
      assert.deepEqual(readdirSync(data).sort(), before);
    });
  }

  test('a service that has a catalog open goes on with it, tells of it once, and takes the new one when it can', async (t) => {
    const { mirror, data } = await twoGenerations(t);
    const problems: Error[] = [];
    const handle = new CatalogHandle(data, (problem) => problems.push(problem));
    t.after(() => handle.close());
    const before = handle.current;
    mirror.nvd(2002, nvdRecords(2002, 30));
    await mirror.sync();
    const files = (): number => readdirSync('/proc/self/fd').length;
    const open = files();
    failing(t, 'openSync', 'EMFILE', /catalog-[^/]*\.db$/);
    for (let looks = 0; looks < 20; looks++) handle.poll();
    assert.equal(handle.current, before);
    assert.deepEqual([problems.length, handle.problem], [1, 'this process has too many open files']);
    t.mock.restoreAll();
    syncBuiltinESMExports();
    assert.equal(files(), open, 'no descriptor stays behind');
    handle.poll();
    assert.notEqual(handle.current?.cve('CVE-2002-0030', false), null);
    assert.equal(handle.problem, null);
  });

  test('a catalog that cannot be opened leaves no descriptor behind', async (t) => {
    const { data } = await twoGenerations(t);
    const current = readCurrentGeneration(data)!;
    const file = join(data, current.file);
    overwrite(file, 4096, new Uint8Array(statSync(file).size - 4096).fill(0xff));
    const open = readdirSync('/proc/self/fd').length;
    for (let tries = 0; tries < 10; tries++) assert.throws(() => new Catalog(data, current));
    assert.equal(readdirSync('/proc/self/fd').length, open);
  });
});

suite('a new catalog on a disk that is slow', { skip: NO_SLOW_FILES }, () => {
  test('is taken once it is read; until then the one before answers, and it is said', {
    timeout: 120_000,
  }, async (t) => {
    const { mirror, data } = await twoGenerations(t);
    const problems: string[] = [];
    const handle = new CatalogHandle(data, ({ message }) => problems.push(message), { slowCheckMs: 50 });
    t.after(() => handle.close());
    const before = handle.current;
    mirror.nvd(2002, nvdRecords(2002, 30));
    await mirror.sync();
    const path = join(data, readCurrentGeneration(data)!.file);
    // As after it was copied here from elsewhere.
    utimesSync(path, new Date(0), new Date(0));
    const slow = await slowFile(t, path);
    handle.poll();
    await slow.wanted;
    await eventually(() => handle.problem !== null, 'it is said');
    assert.match(handle.problem!, /^the file of the catalog of \S+ is slow to read: the catalog of \S+ answers$/);
    assert.equal(handle.current, before);
    assert.notEqual(before?.cve('CVE-2002-0020', false), null);
    slow.release();
    await eventually(() => handle.current?.cve('CVE-2002-0030', false) != null, 'the new one answers');
    assert.equal(handle.problem, null);
    assert.equal(problems.length, 1);
  });
});

suite('the open catalog file', () => {
  for (const what of ['has no bytes', 'was cut off in the middle', 'has one bit flipped', 'is something else']) {
    test(`${what}, in place: nothing of it is answered; the one before it takes over`, async (t) => {
      const { data, newer } = await twoGenerations(t);
      const problems: Error[] = [];
      const { get, services } = await startService(t, {
        catalog: data,
        onProblem: (problem) => problems.push(problem),
      });
      assert.equal((await get(IN_NEWER)).status, 200);
      // A write in the same tick of the file system's clock would be one that no program can see.
      utimesSync(join(data, newer), new Date(0), new Date(0));
      await eventually(async () => (await get(IN_NEWER)).status === 200, 'the same file answers again');
      DAMAGES[what]!.to(join(data, newer));
      const { status, body } = await get(IN_BOTH);
      assert.deepEqual([status, body.error.code], [503, 'not_ready']);
      assert.equal((await get('/readyz')).status, 503);
      await eventually(async () => (await get(IN_BOTH)).status === 200, 'the older one answers');
      assert.equal((await get(IN_NEWER)).status, 404);
      assert.equal((await get('/readyz')).body.status, 'degraded');
      assert.match(services.catalog.problem ?? '', /answers$/);
      assert.ok(problems.length >= 1);
    });
  }

  test('is touched, but as it was: it answers again', async (t) => {
    const { data, newer } = await twoGenerations(t);
    const { get, services } = await startService(t, { catalog: data, onProblem: () => {} });
    utimesSync(join(data, newer), new Date(0), new Date(0));
    await eventually(async () => (await get(IN_NEWER)).status === 200, 'the same file answers again');
    assert.equal(services.catalog.problem, null);
  });

  test('loses a bit without being written to, as on a failing disk: found by the daily check', async (t) => {
    const { data, newer } = await twoGenerations(t);
    let ahead = 0;
    const { atime, mtime } = statSync(join(data, newer));
    utimesSync(join(data, newer), atime, mtime);
    const handle = new CatalogHandle(data, () => {}, { clock: () => Date.now() + ahead });
    t.after(() => handle.close());
    flip(join(data, newer));
    utimesSync(join(data, newer), atime, mtime);
    handle.poll();
    assert.equal(handle.current?.generation.file, newer, 'nothing shows it');
    ahead = 25 * 3_600_000;
    handle.poll();
    await eventually(() => handle.current?.generation.recovered !== undefined, 'the older one answers');
    assert.match(handle.problem ?? '', /checksum is wrong/);
  });

  test('cannot be read whole by the daily check: what is open answers, and this is said until it can', async (t) => {
    const { data } = await twoGenerations(t);
    let ahead = 0;
    const problems: Error[] = [];
    const handle = new CatalogHandle(data, (problem) => problems.push(problem), { clock: () => Date.now() + ahead });
    t.after(() => handle.close());
    failing(t, 'openSync', 'EIO', /catalog-[^/]*\.db$/);
    ahead = 25 * 3_600_000;
    handle.poll();
    await eventually(() => handle.problem !== null, 'the check failed');
    handle.poll();
    assert.match(handle.problem ?? '', /cannot be checked: the disk failed to read or write$/);
    assert.equal(problems.length, 1);
    assert.notEqual(handle.current?.cve('CVE-2002-0020', false), null);
    t.mock.restoreAll();
    syncBuiltinESMExports();
    ahead += 3_700_000;
    handle.poll();
    await eventually(() => handle.problem === null, 'it was checked');
  });

  test('is deleted: what is open answers, and this is said', async (t) => {
    const { data, newer } = await twoGenerations(t);
    const handle = new CatalogHandle(data, () => {});
    t.after(() => handle.close());
    rmSync(join(data, newer));
    handle.poll();
    assert.notEqual(handle.current?.cve('CVE-2002-0020', false), null);
    assert.match(handle.problem ?? '', /is gone: it answers until the next start/);
  });
});

/** Makes reads of lists of rows fail as SQLite does, in catalogs that are opened from now on. */
function failingReads(t: TestContext): { errcode: number | null } {
  const failing: { errcode: number | null } = { errcode: null };
  const real = StatementSync.prototype.all as (...values: unknown[]) => Record<string, never>[];
  t.mock.method(StatementSync.prototype, 'all', function (this: StatementSync, ...values: unknown[]) {
    if (failing.errcode === null) return real.apply(this, values);
    throw Object.assign(new Error('it fails'), { code: 'ERR_SQLITE_ERROR', errcode: failing.errcode });
  });
  return failing;
}

suite('a read that fails', () => {
  const [IO_ERROR, SHORT_READ, CORRUPT, CORRUPT_INDEX] = [10, 522, 11, 779];

  for (const errcode of [IO_ERROR, SHORT_READ]) {
    test(`${errcode}, of a file that turns out to be whole: 503, and it answers again`, async (t) => {
      const { data, newer } = await twoGenerations(t);
      const failing = failingReads(t);
      const problems: Error[] = [];
      const { get, post } = await startService(t, { catalog: data, onProblem: (problem) => problems.push(problem) });
      failing.errcode = errcode;
      const { status, body } = await get(IN_NEWER);
      assert.deepEqual([status, body.error.code], [503, 'not_ready']);
      assert.equal((await get('/readyz')).status, 503);
      assert.match(problems[0]?.message ?? '', /cannot be read \(a database file cannot be read or written\)/);
      assert.equal((await post('/v1/cves/bulk', { cve_ids: ['CVE-2002-0001'] })).status, 503);
      failing.errcode = null;
      await eventually(async () => (await get(IN_NEWER)).status === 200, 'the same file answers again');
      assert.equal(readCurrentGeneration(data)?.file, newer);
      assert.deepEqual((await get('/readyz')).body, { status: 'ok' });
    });
  }

  for (const errcode of [CORRUPT, CORRUPT_INDEX]) {
    test(`${errcode}, of a file whose checksum is right: it was damaged from the start, and the one before it answers`, async (t) => {
      const { data, newer } = await twoGenerations(t);
      const failing = failingReads(t);
      const { get } = await startService(t, { catalog: data, onProblem: () => {} });
      failing.errcode = errcode;
      assert.equal((await get(IN_NEWER)).status, 503);
      failing.errcode = null;
      await eventually(async () => (await get(IN_BOTH)).status === 200, 'the older one answers');
      assert.equal((await get(IN_NEWER)).status, 404);
      assert.equal((await get('/readyz')).body.status, 'degraded');
      assert.ok(existsSync(join(data, `${newer}.damaged`)));
    });
  }
});

suite('a new generation that is not whole', () => {
  for (const what of ['was cut off in the middle', 'has one bit flipped', 'is something else']) {
    test(`${what}: what answered goes on, and this is said once`, async (t) => {
      const { mirror, data } = await twoGenerations(t);
      const problems: Error[] = [];
      const handle = new CatalogHandle(data, (problem) => problems.push(problem));
      t.after(() => handle.close());
      const before = handle.current;
      mirror.nvd(2002, nvdRecords(2002, 30));
      const { generation } = await mirror.sync();
      DAMAGES[what]!.to(join(data, generation!.file));
      handle.poll();
      await eventually(async () => handle.problem !== null, 'it was read');
      for (let looks = 0; looks < 5; looks++) handle.poll();
      assert.equal(handle.current, before);
      assert.equal(problems.length, 1);
      assert.match(handle.problem ?? '', DAMAGES[what]!.says);
      assert.match(handle.problem ?? '', /the catalog of .* answers$/);
      mirror.nvd(2002, nvdRecords(2002, 31));
      await mirror.sync();
      handle.poll();
      assert.notEqual(handle.current?.cve('CVE-2002-0031', false), null);
      assert.equal(handle.problem, null);
    });
  }
});

suite('the whole service', () => {
  test('outlives a catalog file that is cut off while it answers', async (t) => {
    const { mirror, data, newer } = await twoGenerations(t);
    const dataDir = join(mirror.root, '..', 'installed');
    mkdirSync(dataDir);
    fs.cpSync(data, join(dataDir, 'catalog'), { recursive: true });
    const { base, log, stop } = await startServe({ SEXTANT_DATA_DIR: dataDir, SEXTANT_QUOTA_KEYLESS: '0' });
    t.after(() => stop('SIGKILL'));
    assert.equal((await fetch(base + IN_NEWER)).status, 200);
    truncateSync(join(dataDir, 'catalog', newer), 8192);
    const seen = new Set<number>();
    await eventually(async () => {
      const { status } = await fetch(base + IN_BOTH);
      seen.add(status);
      return status === 200;
    }, 'the older one answers');
    assert.deepEqual(
      [...seen].filter((status) => status !== 200 && status !== 503),
      [],
    );
    assert.equal(((await (await fetch(`${base}/readyz`)).json()) as { status: string }).status, 'degraded');
    await eventually(() => /"level":50.*cut off.*answers/.test(log()), 'an error in the log');
    assert.ok(!log().includes(dataDir), 'no path in the log');
  });
});
