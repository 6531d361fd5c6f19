import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { exportBundle, importBundle } from '../../src/catalog/bundle.ts';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { describeSystemError } from '../../src/system-error.ts';
import { sextant } from '../cli/command-line.ts';
import { contextOf } from '../support/full-catalog.ts';
import { makeMirror, type Mirror, nvdRecords } from '../support/nvd-mirror.ts';

/** A real file system with little room, so that every write of a sync, an export and an import meets its end somewhere. */

const DISK_BYTES = 12 * 1024 * 1024;
const disk = mkdtempSync(join(tmpdir(), 'sextant-disk-'));
const mounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]).status === 0;
const ends: (() => void)[] = [];

suite('a full disk', { skip: !mounted && 'a small file system cannot be mounted here' }, () => {
  const data = join(disk, 'catalog');
  let mirror: Mirror;
  let bundle: string;

  before(async () => {
    mirror = makeMirror({ after: (end) => ends.push(end) });
    put(10, 'Analyzed', '2024-01-01T00:00:00.000');
    mkdirSync(data);
    await sync();
    const elsewhere = makeMirror({ after: (end) => ends.push(end) });
    elsewhere.kev(['CVE-2002-0001']);
    elsewhere.nvd(2002, nvdRecords(2002, 300));
    await elsewhere.sync();
    bundle = join(elsewhere.root, 'catalog.sextant');
    await exportBundle({ folder: elsewhere.data, file: bundle });
  });
  after(() => {
    spawnSync('umount', [disk]);
    rmdirSync(disk);
    for (const end of ends) end();
  });

  function put(count: number, vulnStatus: string, lastModified: string): void {
    mirror.kev(['CVE-2002-0001']);
    mirror.nvd(2002, nvdRecords(2002, count, { vulnStatus, lastModified }));
  }
  const sync = () => sextant(['sync', 'nvd', 'kev'], { SEXTANT_DATA_DIR: disk, SEXTANT_FEEDS: mirror.root });
  const known = (): number => {
    const { catalog, services } = contextOf(data);
    try {
      return catalog.search({ sort: 'published_desc', limit: 1, offset: 0 }).total;
    } finally {
      services.catalog.close();
    }
  };
  /** Takes the room until so many bytes are left. */
  const leave = (bytes: number): void => {
    rmSync(join(disk, 'ballast'), { force: true });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
  };
  const free = (): void => rmSync(join(disk, 'ballast'), { force: true });
  const unfinished = () => readdirSync(data).filter((name) => name.endsWith('.tmp'));

  test('at any moment of a sync: what was known answers, and the reason is plain', async () => {
    assert.equal(known(), 10);
    let failures = 0;
    for (const bytes of [0, 4096, 100_000, 300_000, 500_000, 700_000]) {
      put(300, 'Modified', '2024-02-01T00:00:00.000');
      leave(bytes);
      const { status, stdout, stderr } = await sync();
      const told = stdout + stderr;
      assert.ok(status === 0 || status === 1, told);
      if (status === 1) {
        failures++;
        assert.equal(known(), 10, `${bytes}: ${told}`);
        assert.match(told, /full/);
      }
      assert.deepEqual(unfinished(), []);
      free();
      if (status === 0) break;
    }
    assert.ok(failures >= 2, 'the disk was not small enough');
    const again = await sync();
    assert.equal(again.status, 0, again.stdout + again.stderr);
    assert.equal(known(), 300);
  });

  test('an import is refused before anything is written', async () => {
    const before = readCurrentGeneration(data);
    leave(200_000);
    await assert.rejects(importBundle({ folder: data, file: bundle, now: new Date() }), (error: Error) => {
      assert.equal(describeSystemError(error), 'the disk is full');
      return true;
    });
    assert.deepEqual([readCurrentGeneration(data), unfinished()], [before, []]);
    const { status, stderr } = await sextant(['catalog', 'import', bundle], { SEXTANT_DATA_DIR: disk });
    assert.equal(status, 1);
    assert.match(stderr, /the disk is full: free some space/);
    free();
  });

  test('an export leaves nothing behind', async () => {
    leave(8192);
    const file = join(disk, 'out.sextant');
    const { status, stderr } = await sextant(['catalog', 'export', file], { SEXTANT_DATA_DIR: disk });
    assert.equal(status, 1);
    assert.match(stderr, /the disk is full: free some space/);
    assert.deepEqual([existsSync(file), readdirSync(disk).filter((name) => name.includes('.tmp'))], [false, []]);
    free();
  });
});
