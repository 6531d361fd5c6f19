import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { sextant, temporaryFolder } from '../cli/command-line.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';

/** Processes of the real service that share one data folder. */

const PATH = '/v1/cves?limit=1';
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

async function serving(t: TestContext, settings: Record<string, string>): Promise<ServeProcess> {
  const process = await startServe(settings);
  t.after(() => process.stop('SIGKILL'));
  return process;
}

function ask(
  { base }: ServeProcess,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, base), { agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end();
  });
}

const MAX_ATTEMPTS = 4;

/**
 * 2,000 requests at once to two processes. On a busy machine a process may be stopped while it writes the counters; the other then counts
 * by itself for a second, and says so in its log: that is another promise, and they are asked anew.
 */
async function askUntilCountedTogether(t: TestContext) {
  for (let attempt = 1; ; attempt++) {
    const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data'), SEXTANT_QUOTA_KEYLESS: '300' };
    const [one, other] = await Promise.all([serving(t, settings), serving(t, settings)]);
    const asked = Array.from({ length: 2000 }, (_, count) => ask(count % 2 === 0 ? one : other, PATH));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    const countedAlone = [one, other].some(({ log }) => log().includes('"msg":"accounts"'));
    if (!countedAlone || attempt === MAX_ATTEMPTS) return { one, other, settings, statuses };
    await Promise.all([one.stop('SIGKILL'), other.stop('SIGKILL')]);
  }
}

describe('two processes on one data folder', () => {
  test('serve exactly the limit of 2,000 requests at once, also after a kill and a restart', async (t) => {
    const { one, other, settings, statuses } = await askUntilCountedTogether(t);
    assert.equal(statuses.filter((status) => status === 200).length, 300);
    assert.equal(statuses.filter((status) => status === 429).length, 1700);
    await one.stop('SIGKILL');
    assert.equal((await ask(other, PATH)).status, 429);
    await other.stop('SIGKILL');
    const again = await serving(t, settings);
    assert.equal((await ask(again, PATH)).status, 429);
  });

  test('share keys and usage; a key revoked on the command line stops working within seconds; a kill loses nothing written', async (t) => {
    const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data') };
    const [one, other] = await Promise.all([serving(t, settings), serving(t, settings)]);
    const issued = JSON.parse((await sextant(['keys', 'issue', '--order', 'o-1', '--json'], settings)).stdout);
    const headers = { 'x-api-key': issued.key };
    for (const process of [one, other, one]) assert.equal((await ask(process, PATH, headers)).status, 200);
    // One that asks has written all of its own before it answers; the other has within a second.
    assert.equal((await ask(one, '/v1/usage', headers)).status, 200);
    assert.equal((await ask(other, '/v1/usage', headers)).status, 200);
    await one.stop('SIGKILL');
    const { total_requests, top_endpoints } = JSON.parse((await ask(other, '/v1/usage', headers)).body);
    assert.ok(total_requests >= 4, String(total_requests));
    assert.deepEqual(top_endpoints[0], { endpoint: 'GET /v1/cves', count: 3 });

    const listed = JSON.parse((await sextant(['keys', 'list', '--json'], settings)).stdout);
    assert.deepEqual([listed.keys.length, listed.keys[0].id, listed.keys[0].state], [1, issued.id, 'active']);
    await sextant(['keys', 'revoke', issued.id], settings);
    const revokedAt = Date.now();
    let status = 200;
    while (status === 200 && Date.now() - revokedAt < 60_000) {
      ({ status } = await ask(other, PATH, headers));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.equal(status, 401);
  });

  test('have one secret: a caller has the same name in both', async (t) => {
    const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data') };
    const processes = await Promise.all([serving(t, settings), serving(t, settings)]);
    const names = await Promise.all(
      processes.map(async (process) => JSON.parse((await ask(process, '/v1/privacy/my-data')).body).client_ip_hash),
    );
    assert.equal(names[0], names[1]);
  });
});
