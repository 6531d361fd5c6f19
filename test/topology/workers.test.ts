import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { childrenOf, eventually } from '../support/engines.ts';
import { type Client, clientFrom, type ServeProcess, startServe } from '../support/serve-process.ts';

const LIMIT = 150;
const PATH = '/v1/cve/CVE-2021-44228';
const TOKEN = { authorization: 'Bearer metrics-token' };

test('a worker that is killed leaves no connection open for ever', {
  skip: process.platform !== 'linux' && 'no /proc',
}, async (t) => {
  const service = await startServe({ SEXTANT_QUOTA_KEYLESS: '0' }, ['--workers', '2']);
  t.after(() => service.stop());
  await eventually(() => childrenOf(service.pid).length === 2, 'both workers run');
  const ask = 'GET /v1/cve/CVE-2021-44228 HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n';
  for (let round = 0; round < 3; round++) {
    const closed = Array.from({ length: 300 }, () => {
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', () => {}).resume();
      socket.write(ask);
      return new Promise<void>((resolve) => socket.once('close', () => resolve()));
    });
    await closed[0];
    process.kill(childrenOf(service.pid)[0]!, 'SIGKILL');
    await Promise.all(closed);
    await eventually(() => childrenOf(service.pid).length === 2, 'there are two again');
  }
});

describe('two workers', { skip: process.platform !== 'linux' && 'no /proc' }, () => {
  const clients: Client[] = [];
  const from = (address: string): Client => {
    // A connection for each question, so that both workers get some.
    clients.push(clientFrom(address, false));
    return clients.at(-1)!;
  };
  let service: ServeProcess;
  before(async () => {
    const settings = { SEXTANT_QUOTA_KEYLESS: `${LIMIT}`, SEXTANT_METRICS_TOKEN: 'metrics-token' };
    service = await startServe(settings, ['--workers', '2']);
  });
  after(async () => {
    for (const client of clients) client.close();
    await service.stop();
  });
  const workers = async (): Promise<Set<string>> => {
    const { text } = await from('127.0.0.1').get(`${service.base}/metrics`, TOKEN);
    return new Set([...text.matchAll(/^sextant_build_info\{.*worker="(\d+)"\} 1$/gm)].map(([, worker]) => worker!));
  };

  test('start with --workers 2', async () => {
    await eventually(async () => (await workers()).size === 2, 'both workers answer');
    assert.equal(childrenOf(service.pid).length, 2);
  });

  test('count one quota together, exactly, and both answer', async () => {
    const client = from('127.70.0.1');
    const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, () => client.get(service.base + PATH)));
    const count = (wanted: number): number => answers.filter(({ status }) => status === wanted).length;
    assert.deepEqual([count(200), count(429)], [LIMIT, LIMIT]);
    const { text } = await client.get(`${service.base}/metrics`, TOKEN);
    const served = [
      ...text.matchAll(/^sextant_requests_total\{operation="cve_lookup",status="200",worker="(\d)"\} (\d+)$/gm),
    ];
    assert.deepEqual(new Set(served.map(([, worker]) => worker)), new Set(['1', '2']));
    assert.equal(
      served.reduce((sum, [, , many]) => sum + Number(many), 0),
      LIMIT,
    );
    const refused = [...text.matchAll(/^sextant_quota_refusals_total\{tier="keyless",worker="\d"\} (\d+)$/gm)];
    assert.equal(
      refused.reduce((sum, [, many]) => sum + Number(many), 0),
      LIMIT,
    );
  });

  test('a worker that dies is replaced; the other goes on, and the quota is remembered', async () => {
    const [victim, other] = childrenOf(service.pid);
    process.kill(victim!, 'SIGKILL');
    await eventually(() => !childrenOf(service.pid).includes(victim!), 'it is gone');
    const fresh = from('127.70.0.2');
    for (let asked = 0; asked < 20; asked++) assert.equal((await fresh.get(service.base + PATH)).status, 200);
    assert.equal((await from('127.70.0.1').get(service.base + PATH)).status, 429);
    await eventually(async () => (await workers()).size === 2, 'there are two again');
    const now = childrenOf(service.pid);
    assert.equal(now.length, 2);
    assert.ok(now.includes(other!) && !now.includes(victim!));
    const { text } = await fresh.get(`${service.base}/metrics`, TOKEN);
    assert.match(text, /^sextant_worker_restarts_total 1$/m);
  });

  test('all end when the service is told to', async () => {
    const before = childrenOf(service.pid);
    assert.equal(await service.stop(), 0);
    for (const pid of before) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
});

test('a port that is taken ends the start, with words', async (t) => {
  const first = await startServe();
  t.after(() => first.stop());
  const second = startServe({ SEXTANT_PORT: `${first.port}` }, ['--workers', '2']);
  await assert.rejects(second, /it ended with 1:[\s\S]*the address is in use[\s\S]*the first worker could not start/);
});
