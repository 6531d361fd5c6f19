import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { sextant } from '../../cli/command-line.ts';
import {
  type Engine,
  eventually,
  NO_POSTGRES,
  NO_REDIS,
  type RedisEngine,
  startPostgres,
  startRedis,
} from '../../support/engines.ts';
import { type ServeProcess, startServe } from '../../support/serve-process.ts';

const LIMIT = 100;
const PRO_LIMIT = 2000;
const PATH = '/v1/cve/CVE-2021-44228';
/** The proxy of these tests is 127.0.0.1; the caller is who it says. */
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

/** Three processes of the service, as behind a proxy, on one Redis and one PostgreSQL. */
describe('three replicas', { skip: NO_REDIS || NO_POSTGRES, concurrency: 1 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-replicas-'));
  let redis: RedisEngine;
  let postgres: Engine;
  let settings: Record<string, string>;
  let replicas: ServeProcess[];

  const launch = (number: number): Promise<ServeProcess> =>
    startServe({ ...settings, SEXTANT_DATA_DIR: join(folder, `${number}`), SEXTANT_LOG_LEVEL: 'trace' });

  const ends: (() => Promise<void>)[] = [];
  const owner = { after: (end: () => Promise<void>) => void ends.push(end) };

  before(async () => {
    redis = await startRedis(owner);
    postgres = await startPostgres(owner);
    settings = {
      SEXTANT_REDIS_URL: redis.url,
      SEXTANT_DATABASE_URL: postgres.url,
      SEXTANT_SECRET: '0123456789abcdef0123456789abcdef',
      SEXTANT_TRUSTED_PROXIES: '127.0.0.1/32',
      SEXTANT_QUOTA_KEYLESS: `${LIMIT}`,
      SEXTANT_QUOTA_PRO: `${PRO_LIMIT}`,
      // Nothing of these tests may reach a real source.
      SEXTANT_SOURCE_GITHUB_URL: 'http://127.0.0.1:9/',
      SEXTANT_SOURCE_SHODAN_CVEDB_URL: 'http://127.0.0.1:9/',
    };
    replicas = await Promise.all([0, 1, 2].map(launch));
  });

  after(async () => {
    await Promise.all((replicas ?? []).map((replica) => replica.stop()));
    for (const end of ends) await end();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (replica: number, path: string, headers: Record<string, string>) =>
    fetch(`${replicas[replica]!.base}${path}`, { headers, signal: AbortSignal.timeout(8000) });
  const readiness = async (replica: number): Promise<string> =>
    ((await (await ask(replica, '/readyz', {})).json()) as { status: string }).status;
  const allSay = (status: string) => async (): Promise<boolean> =>
    (await Promise.all([0, 1, 2].map(readiness))).every((said) => said === status);

  async function issue(): Promise<{ key: string; id: string }> {
    const { status, stdout, stderr } = await sextant(['keys', 'issue', '--order', 'order-1', '--json'], {
      SEXTANT_DATABASE_URL: postgres.url,
    });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as { key: string; id: string };
  }

  /** How many were served, of that many at once over all replicas; and the longest wait. */
  async function flood(times: number, address: string): Promise<{ served: number; longest: number }> {
    let [served, longest, next] = [0, 0, 0];
    const client = async (): Promise<void> => {
      while (next < times) {
        const begun = performance.now();
        const reply = await ask(next++ % 3, PATH, from(address));
        await reply.arrayBuffer();
        assert.ok([200, 429].includes(reply.status), `${reply.status}`);
        if (reply.status === 200) served++;
        longest = Math.max(longest, performance.now() - begun);
      }
    };
    await Promise.all(Array.from({ length: 60 }, client));
    return { served, longest };
  }

  test('2,000 requests of one caller: exactly the limit is served', async () => {
    assert.ok(await allSay('ok')());
    assert.equal((await flood(2000, '198.51.100.7')).served, LIMIT);
    const { headers } = await ask(1, '/v1/status', from('198.51.100.7'));
    assert.equal(headers.get('x-ratelimit-remaining'), '0');
    assert.equal((await ask(1, PATH, from('198.51.100.8'))).status, 200);
  });

  test('a key that was issued once is known to all, and to none once it is revoked', async () => {
    const { key, id } = await issue();
    const headers = { authorization: `Bearer ${key}` };
    for (const replica of [0, 1, 2]) {
      const reply = await ask(replica, PATH, headers);
      assert.deepEqual([reply.status, reply.headers.get('x-ratelimit-remaining')], [200, `${PRO_LIMIT - 1 - replica}`]);
    }
    await sextant(['keys', 'revoke', id], { SEXTANT_DATABASE_URL: postgres.url });
    await eventually(async () => {
      const statuses = await Promise.all([0, 1, 2].map(async (replica) => (await ask(replica, PATH, headers)).status));
      return statuses.every((status) => status === 401);
    }, 'the key is refused everywhere');
  });

  test('Redis stands still, dies, and is back: bounded, degraded, no more than the limit of each, whole again', async () => {
    const address = '198.51.100.20';
    redis.stop();
    const still = await flood(600, address);
    assert.ok(still.longest < 30_000, `${still.longest} ms`);
    assert.ok(still.served <= 3 * LIMIT, `${still.served}`);
    await eventually(allSay('degraded'), 'all say so');
    const status = (await (await ask(0, '/v1/status', {})).json()) as { problems: string[] };
    assert.ok(status.problems.includes('redis is away'), status.problems.join());
    await redis.kill();
    const dead = await flood(600, address);
    await redis.restart();
    await eventually(allSay('ok'), 'all are whole again');
    const back = await flood(600, address);
    const served = still.served + dead.served + back.served;
    assert.ok(served >= LIMIT && served <= 3 * LIMIT, `${served}`);
    assert.equal((await flood(2000, '198.51.100.21')).served, LIMIT);
  });

  test('PostgreSQL stands still, dies, and is back: known keys work, unknown ones are told to come again', async () => {
    const { key } = await issue();
    const headers = { 'x-api-key': key };
    const usage = async (): Promise<number> => (await ask(0, '/v1/usage', headers)).status;
    for (const replica of [0, 1, 2]) assert.equal((await ask(replica, PATH, headers)).status, 200);
    for (const away of [async () => postgres.stop(), () => postgres.kill()]) {
      await away();
      await eventually(allSay('degraded'), 'all say so');
      const begun = performance.now();
      assert.equal((await ask(1, PATH, headers)).status, 200);
      assert.equal((await ask(1, PATH, from('198.51.100.30'))).status, 200);
      const unknown = await ask(1, PATH, { 'x-api-key': `sxt_${'0'.repeat(48)}` });
      assert.equal(unknown.status, 503);
      assert.match(await unknown.text(), /"not_ready"/);
      assert.equal(await usage(), 503);
      assert.ok(performance.now() - begun < 60_000);
    }
    await postgres.restart();
    await eventually(allSay('ok'), 'all are whole again');
    assert.equal(await usage(), 200);
  });

  test('a replica is killed: no key and no row that was confirmed is lost', async () => {
    const { key } = await issue();
    const headers = { 'x-api-key': key };
    for (let count = 0; count < 5; count++) assert.equal((await ask(2, PATH, headers)).status, 200);
    const counted = async (replica: number): Promise<string> => (await ask(replica, '/v1/usage', headers)).text();
    await eventually(async () => (await counted(2)).includes('/v1/cve/{cve_id}'), 'it is written');
    await replicas[2]!.stop('SIGKILL');
    assert.match(await counted(0), /cve\/\{cve_id\}/);
    replicas[2] = await launch(2);
    const reply = await ask(2, PATH, headers);
    assert.equal(reply.status, 200);
    assert.ok(Number(reply.headers.get('x-ratelimit-remaining')) <= PRO_LIMIT - 6);
  });

  test('nowhere is an address, or the name of what was asked; every key of Redis has an end', async () => {
    const traces = /198\.51\.100|cve-2021-44228/i;
    const keys = [...(await redis.say('KEYS *')).matchAll(/\r\n(?!\$|\+)(\S+)/g)].map(([, name]) => name!);
    assert.ok(keys.length > 1);
    for (const key of keys) {
      assert.match(key, /^sxt:(probe|[a-z]+:[0-9a-f]{64})$/);
      // One that ended since the list was made is -2; -1 has no end.
      assert.match(await redis.say(`PTTL ${key}`), /^:(\d+|-2)\r\n/);
    }
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query(
      'SELECT row_to_json(usage) AS row FROM usage UNION ALL SELECT row_to_json(api_key) FROM api_key',
    );
    await client.end();
    assert.ok(rows.length > 0);
    assert.doesNotMatch(JSON.stringify(rows), traces);
    for (const replica of replicas) {
      assert.ok(replica.log().length > 0);
      assert.doesNotMatch(replica.log(), traces);
    }
    for (const file of readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))) {
      // The catalog itself names what it knows.
      if (statSync(file).isFile() && !file.includes('/catalog/'))
        assert.doesNotMatch(readFileSync(file, 'latin1'), traces);
    }
  });
});
