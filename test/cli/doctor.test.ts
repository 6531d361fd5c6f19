import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
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

function find(report: Report, check: string): Report['findings'][number] {
  const found = report.findings.find((finding) => finding.check === check);
  assert.ok(found, `no check "${check}"`);
  return found;
}

describe('sextant doctor', { concurrency: 2 }, () => {
  it('finds nothing wrong with a fresh installation, and changes nothing', async () => {
    const { status, report } = await examined({});
    assert.equal(find(report, 'catalog').state, 'note');
    assert.equal(find(report, 'data folder').state, 'ok');
    assert.match(find(report, 'data folder').detail, /made when it is needed/);
    assert.equal(find(report, 'port').state, 'ok');
    assert.equal(report.ok, status === 0);
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
