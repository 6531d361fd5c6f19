import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { kevFeedFolder, sextant, temporaryFolder } from './command-line.ts';

interface Report {
  ok: boolean;
  findings: { check: string; state: string; detail: string; hint: string | null }[];
}

async function examined(settings: Record<string, string>): Promise<{ status: number | null; report: Report }> {
  const data = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data'), SEXTANT_PORT: '0' };
  const { status, stdout } = await sextant(['doctor', '--json'], { ...data, ...settings });
  return { status, report: JSON.parse(stdout) };
}

const NOBODY = 65_534;

/** What another user is told of a folder. */
function asNobody(folder: string): Report['findings'] {
  const script = `import { checkDataFolder } from '${new URL('../../src/cli/doctor/check-data-folder.ts', import.meta.url).href}';
    console.log(JSON.stringify(checkDataFolder(process.argv[1])));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, folder], {
    uid: NOBODY,
    gid: NOBODY,
    encoding: 'utf8',
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

function find(report: Report, check: string): Report['findings'][number] {
  const found = report.findings.find((finding) => finding.check === check);
  assert.ok(found, `no check "${check}"`);
  return found;
}

describe('sextant doctor', { concurrency: 2 }, () => {
  it('finds nothing wrong with a fresh installation, and changes nothing', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const { status, report } = await examined({ SEXTANT_DATA_DIR: dataDir });
    assert.equal(find(report, 'catalog').state, 'note');
    assert.equal(find(report, 'data folder').state, 'ok');
    assert.match(find(report, 'data folder').detail, /made when it is needed/);
    assert.equal(find(report, 'port').state, 'ok');
    // A machine with a full disk is not a fault of the installation.
    const wrong = report.findings.filter(({ state, check }) => state === 'wrong' && check !== 'disk space');
    assert.deepEqual(wrong, []);
    const isDiskFull = find(report, 'disk space').state === 'wrong';
    assert.deepEqual([status, report.ok], isDiskFull ? [1, false] : [0, true]);
    assert.equal(existsSync(dataDir), false, 'nothing was made');
  });

  it('calls it wrong when every feed of the first sync failed', async () => {
    const settings = { SEXTANT_DATA_DIR: temporaryFolder(), SEXTANT_FEEDS: temporaryFolder() };
    assert.equal((await sextant(['sync', 'kev', 'epss'], settings)).status, 1);
    const { status, report } = await examined(settings);
    assert.deepEqual([status, report.ok], [1, false]);
    for (const feed of ['feed kev', 'feed epss']) {
      assert.equal(find(report, feed).state, 'wrong');
      assert.match(find(report, feed).detail, /the last sync failed/);
    }
  });

  it('reads the catalog whole, and says what is wrong with it', async () => {
    const settings = { SEXTANT_DATA_DIR: temporaryFolder() };
    const catalog = join(settings.SEXTANT_DATA_DIR, 'catalog');
    await sextant(['lookup', 'CVE-2021-44228'], settings);
    assert.equal(find((await examined(settings)).report, 'catalog').state, 'note');
    const file = join(catalog, readCurrentGeneration(catalog)!.file);
    const { atime, mtime } = statSync(file);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
    utimesSync(file, atime, mtime);
    const { status, report } = await examined(settings);
    assert.equal(status, 1);
    assert.match(find(report, 'catalog').detail, /checksum is wrong/);
    assert.deepEqual(readFileSync(file), bytes, 'nothing was changed');
    // What comes after goes on with the starter, and the damaged file is named.
    const asked = await sextant(['lookup', 'CVE-2021-44228'], settings);
    assert.equal(asked.status, 0);
    assert.match(asked.stderr, /checksum is wrong.*only the starter/s);
    const after = (await examined(settings)).report;
    assert.deepEqual(
      after.findings.filter(({ check }) => check === 'catalog').map(({ state }) => state),
      ['wrong', 'note'],
    );
  });

  it('names each file that stands in the way', async () => {
    for (const name of ['accounts.db', 'counters.db', 'secret', 'catalog/sync.lock', 'catalog/current.json']) {
      const folder = temporaryFolder();
      mkdirSync(join(folder, name), { recursive: true });
      const { status, report } = await examined({ SEXTANT_DATA_DIR: folder });
      assert.equal(status, 1);
      const finding = report.findings.find(({ check, state }) => check === 'data folder' && state === 'wrong');
      assert.ok(finding?.detail.includes(join(folder, name)), name);
      assert.match(finding!.detail, /a folder, not a file/);
    }
  });

  const isRoot = process.getuid?.() === 0;
  it('names what root left behind, and the remedy', {
    skip: !isRoot && 'only root can leave files to another user',
  }, () => {
    const parent = mkdtempSync(join(tmpdir(), 'sextant-doctor-'));
    try {
      chmodSync(parent, 0o755);
      const folder = join(parent, 'data');
      for (const path of [folder, join(folder, 'catalog')]) mkdirSync(path);
      writeFileSync(join(folder, 'secret'), 'x'.repeat(64), { mode: 0o600 });
      writeFileSync(join(folder, 'accounts.db'), '', { mode: 0o644 });
      chownSync(folder, NOBODY, NOBODY);
      const findings = asNobody(folder);
      const details = findings.map(({ detail }) => detail).join('\n');
      for (const name of ['catalog', 'secret', 'accounts.db']) assert.ok(details.includes(join(folder, name)), details);
      assert.ok(findings.every(({ hint }) => hint?.includes(`chown ${NOBODY}`)));
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });

  it('names wrong settings', async () => {
    const { status, report } = await examined({ SEXTANT_SYNC: 'sometimes' });
    assert.equal(status, 1);
    assert.match(find(report, 'settings').detail, /SEXTANT_SYNC/);
  });

  it('misses folders of feeds that are not there', async () => {
    const { status, report } = await examined({ SEXTANT_FEEDS: kevFeedFolder(['CVE-2024-11111']) });
    assert.equal(status, 1);
    assert.equal(find(report, 'source kev').state, 'ok');
    assert.equal(find(report, 'source epss').state, 'wrong');
  });

  it('tells a service of ours on the port, an answering address and a failing one from others', async () => {
    const server = createServer((request, response) => {
      const healthy = request.url === '/healthz';
      response.writeHead(healthy ? 200 : request.url === '/up/' ? 404 : 503, { 'content-type': 'application/json' });
      response.end(healthy ? '{"status":"ok"}' : '{}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const port = (server.address() as AddressInfo).port;
    try {
      const { status, report } = await examined({
        SEXTANT_PORT: String(port),
        SEXTANT_SOURCE_KEV_URL: `http://user:secret@127.0.0.1:${port}/up`,
        SEXTANT_SOURCE_EPSS_URL: `http://127.0.0.1:${port}/down`,
      });
      assert.equal(status, 1);
      assert.equal(find(report, 'port').state, 'note');
      assert.equal(find(report, 'source kev').state, 'ok');
      assert.match(find(report, 'source epss').detail, /503/);
      assert.doesNotMatch(JSON.stringify(report), /secret/);
    } finally {
      server.close();
    }
  });
});
