import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { sextant } from '../cli/command-line.ts';
import { type Engine, NO_POSTGRES, NO_REDIS, type RedisEngine, startPostgres, startRedis } from '../support/engines.ts';
import { type Answered, type Client, clientFrom, type ServeProcess, startServe } from '../support/serve-process.ts';
import { type Nginx, NO_NGINX, startNginx } from './nginx.ts';

/** What compose.cluster.yaml puts together, as processes: three replicas, a real Redis and PostgreSQL, nginx with deploy/nginx.conf. */

const LIMIT = 500;
const KNOWN = '/v1/cve/CVE-2021-44228';
/** Asked about; the starter catalog, which lies in the data folders, has none of them. */
const TARGETS = ['CVE-2031-47291', 'CVE-2031-47292', 'zyxprobeware'];
const ORDER = 'order-of-the-probe';

describe('three replicas behind a proxy', { skip: NO_REDIS || NO_POSTGRES || NO_NGINX }, () => {
  const addresses: string[] = [];
  const clients: Client[] = [];
  const ends: (() => Promise<void>)[] = [];
  const owner = { after: (end: () => Promise<void>) => void ends.push(end) };
  const stopped: ServeProcess[] = [];
  let redis: RedisEngine;
  let postgres: Engine;
  let proxy: Nginx;
  let replicas: ServeProcess[];
  let settings: Record<string, string>;
  let key = '';

  /** A caller that the proxy sees at an address of its own. */
  const caller = (address: string): Client => {
    addresses.push(address);
    const client = clientFrom(address);
    clients.push(client);
    return client;
  };
  const remaining = ({ headers }: Answered): number => Number(headers['x-ratelimit-remaining']);
  const bearer = () => ({ authorization: `Bearer ${key}` });

  before(async () => {
    [redis, postgres] = await Promise.all([startRedis(owner), startPostgres(owner)]);
    settings = {
      SEXTANT_REDIS_URL: redis.url,
      SEXTANT_DATABASE_URL: postgres.url,
      SEXTANT_SECRET: 'the secret that all replicas of this test share',
      SEXTANT_TRUSTED_PROXIES: '127.0.0.1',
      SEXTANT_QUOTA_KEYLESS: `${LIMIT}`,
      SEXTANT_LOG_LEVEL: 'trace',
    };
    replicas = await Promise.all([0, 1, 2].map(() => startServe(settings)));
    proxy = await startNginx(
      owner,
      replicas.map(({ port }) => port),
    );
  });

  after(async () => {
    for (const client of clients) client.close();
    await Promise.all((replicas ?? []).map((replica) => replica.stop()));
    for (const end of ends.toReversed()) await end();
  });

  test('a key issued beside one replica works on all', async () => {
    const issued = await sextant(['keys', 'issue', '--order', ORDER, '--days', '30', '--json'], {
      ...settings,
      SEXTANT_DATA_DIR: replicas[0]!.dataDir,
    });
    assert.equal(issued.status, 0, issued.stderr);
    key = (JSON.parse(issued.stdout) as { key: string }).key;
    const client = caller('127.72.0.1');
    const left = new Set<number>();
    for (const { base } of replicas) {
      const answer = await client.get(base + KNOWN, bearer());
      assert.deepEqual([answer.status, answer.headers['x-ratelimit-tier']], [200, 'pro']);
      left.add(remaining(answer));
    }
    assert.equal(left.size, 3, 'each took one of the same quota');
  });

  test('2,000 requests of one caller at once: exactly the limit is served', async () => {
    const client = caller('127.72.0.2');
    const answers = await Promise.all(Array.from({ length: 2000 }, () => client.get(proxy.base + KNOWN)));
    const count = (wanted: number): number => answers.filter(({ status }) => status === wanted).length;
    assert.deepEqual([count(200), count(429)], [LIMIT, 2000 - LIMIT]);
    for (const { status, headers } of answers) if (status === 429) assert.ok(Number(headers['retry-after']) > 0);
  });

  test('a forged X-Forwarded-For is nobody, before the proxy and past it', async () => {
    const spent = clients.at(-1)!;
    for (const claimed of ['198.51.100.1', '127.0.0.1', '127.72.0.9, 127.0.0.1']) {
      const answer = await spent.get(proxy.base + KNOWN, { 'x-forwarded-for': claimed });
      assert.equal(answer.status, 429, claimed);
    }
    // Not through the proxy, and from an address that is not trusted.
    const direct = caller('127.72.0.3');
    const left = [];
    for (const [at, { base }] of replicas.entries()) {
      left.push(remaining(await direct.get(base + KNOWN, { 'x-forwarded-for': `198.51.100.${at}` })));
    }
    assert.deepEqual(left, [LIMIT - 1, LIMIT - 2, LIMIT - 3]);
  });

  test('what was asked about is not found; that costs too', async () => {
    const client = caller('127.72.0.4');
    for (const target of TARGETS.slice(0, 2)) {
      assert.equal((await client.get(`${proxy.base}/v1/cve/${target}`)).status, 404);
      assert.equal((await client.get(`${proxy.base}/v1/cve/${target}`, bearer())).status, 404);
      assert.equal((await client.get(`${proxy.base}/v1/exploit/${target}`)).status < 500, true);
    }
    const last = await client.get(`${proxy.base}/v1/cves?product=${TARGETS[2]}`);
    assert.deepEqual([last.status, remaining(last)], [200, LIMIT - 5]);
  });

  test('kill -9 of a replica: nobody is turned away, and nothing that was confirmed is lost', async () => {
    const victim = replicas[1]!;
    const client = caller('127.72.0.5');
    const usageAt = async (base: string): Promise<Record<string, number>> => {
      const { status, text } = await client.get(`${base}/v1/usage`, bearer());
      assert.equal(status, 200, text);
      const { top_endpoints } = JSON.parse(text) as { top_endpoints: { endpoint: string; count: number }[] };
      return Object.fromEntries(top_endpoints.map(({ endpoint, count }) => [endpoint, count]));
    };
    let before = 0;
    for (let asked = 0; asked < 7; asked++) before = remaining(await client.get(victim.base + KNOWN, bearer()));
    // Answering writes what that replica has noted: from now on it is confirmed.
    const confirmed = (await usageAt(victim.base))['GET /v1/cve/{cve_id}']!;
    assert.ok(confirmed >= 7);
    const visitor = caller('127.72.0.6');
    const underWay = Array.from({ length: 200 }, () => visitor.get(proxy.base + KNOWN));
    await victim.stop('SIGKILL');
    stopped.push(victim);
    const later = Array.from({ length: 60 }, () => visitor.get(proxy.base + KNOWN));
    const answers = await Promise.all([...underWay, ...later]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const survivor = replicas[0]!;
    assert.ok((await usageAt(survivor.base))['GET /v1/cve/{cve_id}']! >= confirmed);
    const after = remaining(await client.get(survivor.base + KNOWN, bearer()));
    assert.ok(after < before && after >= before - 4, `${before} tokens before, ${after} after`);

    replicas[1] = await startServe({ ...settings, SEXTANT_DATA_DIR: victim.dataDir, SEXTANT_PORT: `${victim.port}` });
    assert.equal((await client.get(replicas[1].base + KNOWN, bearer())).status, 200);
  });

  test('the probe: no caller, no target and no key is written down anywhere', async () => {
    const secrets = [...addresses, ...TARGETS, key].flatMap((secret) => [
      secret,
      ...['sha256', 'sha1', 'md5'].map((digest) => createHash(digest).update(secret).digest('hex')),
    ]);
    // A key is known by its hash, and by nothing else.
    const hashOfKey = createHash('sha256').update(key).digest('hex');
    const wanted = secrets.filter((secret) => secret !== hashOfKey);
    const places = new Map<string, string>();

    // Redis, while the windows are open.
    const names = [...(await redis.say('KEYS *')).matchAll(/^(sxt:\S+)\r$/gm)].map(([, name]) => name!);
    assert.ok(
      names.some((name) => name.includes('quota')),
      'there are windows',
    );
    for (const name of names) {
      const ttl = Number(/^:(-?\d+)/m.exec(await redis.say(`PTTL ${name}`))![1]);
      assert.ok(ttl > 0 || ttl === -2, `${name} does not expire (${ttl})`);
    }
    const values = await Promise.all(names.map((name) => redis.say(`GET ${name}`)));
    places.set('Redis', [...names, ...values].join('\n'));

    await Promise.all(replicas.map((replica) => replica.stop()));
    places.set('PostgreSQL', await everyRow(postgres.url));
    for (const [at, { dataDir, log }] of [...replicas, ...stopped].entries()) {
      places.set(`log ${at}`, log());
      for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile()) places.set(path, readFileSync(path, 'latin1'));
      }
    }
    places.set('nginx', proxy.written());

    // What must be there, so that a search that finds nothing means something.
    const known = places.get('PostgreSQL')!;
    for (const there of [ORDER, hashOfKey, 'GET /v1/cve/{cve_id}']) assert.ok(known.includes(there), there);
    assert.ok(places.get('log 0')!.includes('"route":"/v1/cve/:cve_id"'));
    const found = [...places].flatMap(([place, text]) => {
      const lower = text.toLowerCase();
      return wanted.filter((secret) => lower.includes(secret.toLowerCase())).map((secret) => `${secret} in ${place}`);
    });
    assert.deepEqual(found, []);
  });
});

/** All tables, as text. */
async function everyRow(connectionString: string): Promise<string> {
  const database = new pg.Client({ connectionString });
  await database.connect();
  try {
    const { rows } = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    assert.ok(rows.length > 0);
    const lines: string[] = [];
    for (const { name } of rows) {
      const table = await database.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`);
      lines.push(...table.rows.map(({ line }) => line));
    }
    return lines.join('\n');
  } finally {
    await database.end();
  }
}
