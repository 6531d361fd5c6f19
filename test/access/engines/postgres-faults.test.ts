import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import pg from 'pg';
import { openAccounts } from '../../../src/access/access.ts';
import { generateApiKey } from '../../../src/access/api-key.ts';
import type { Caller } from '../../../src/access/caller.ts';
import { BackendUnavailableError } from '../../../src/access/counters.ts';
import { ApiKeyCache } from '../../../src/access/api-key-cache.ts';
import { issueApiKey } from '../../../src/access/api-key-lifecycle.ts';
import { DATABASE_TIMEOUT_MS, PostgresAccounts } from '../../../src/access/postgres/postgres-accounts.ts';
import { UsageRecorder } from '../../../src/access/usage-recorder.ts';
import { eventually, NO_POSTGRES, startPostgres } from '../../support/engines.ts';

const ORDER = { orderId: 'order-1', days: 30, now: new Date() };
/** The bound of one wait, and what a busy machine adds to it. */
const WAIT_MS = DATABASE_TIMEOUT_MS + 20_000;
const CALLER: Caller = {
  tier: 'keyless',
  pseudonym: 'a',
  quotaWindowName: 'quota:a',
  addressPseudonym: 'a',
  key: null,
};

interface Owner {
  after(end: () => Promise<void> | void): void;
}

async function reach(
  owner: Owner,
  url: string,
  startMs = 5000,
): Promise<{ accounts: PostgresAccounts; problems: string[] }> {
  const problems: string[] = [];
  const accounts = new PostgresAccounts({ url, onProblem: ({ message }) => problems.push(message) });
  owner.after(() => accounts.close());
  await accounts.waitUntilReady(startMs);
  return { accounts, problems };
}

/** Passes one connection on; the others are taken and never answered. */
async function silentAfterFirst(owner: Owner, to: number): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    if (sockets.length > 1) return;
    const upstream = connect(to, '127.0.0.1');
    upstream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

function record(owner: Owner, accounts: PostgresAccounts): UsageRecorder {
  const recorder = new UsageRecorder({ accounts, now: () => new Date(), onProblem: () => {} });
  owner.after(() => recorder.close());
  return recorder;
}

async function countOf(accounts: PostgresAccounts): Promise<number> {
  const rows = await accounts.countUsage(['a'], new Date(Date.now() - 600_000));
  return rows.reduce((sum, { count }) => sum + count, 0);
}

describe('PostgreSQL, away and back', { skip: NO_POSTGRES, concurrency: 1 }, () => {
  test('silent after the first connection: commands are not kept waiting at their start', {
    timeout: 60_000,
  }, async (t) => {
    const postgres = await startPostgres(t);
    const { port, sockets } = await silentAfterFirst(t, Number(new URL(postgres.url).port));
    const url = new URL(postgres.url);
    url.port = String(port);
    const accounts = await openAccounts({ dataDir: '.', databaseUrl: url.href }, 'full');
    await assert.rejects(accounts.listKeys(), BackendUnavailableError);
    for (const socket of sockets) socket.destroy();
    await accounts.close();
  });

  test('gone at the start: refuses at once, and is migrated when it comes', async (t) => {
    const postgres = await startPostgres(t, { start: false });
    const { accounts, problems } = await reach(t, postgres.url, 300);
    assert.deepEqual(problems, ['database is away; going on without it']);
    const begun = performance.now();
    await assert.rejects(accounts.findKeyByHash('0'.repeat(64)), BackendUnavailableError);
    assert.ok(performance.now() - begun < DATABASE_TIMEOUT_MS - 50);
    await assert.rejects(openAccounts({ dataDir: '.', databaseUrl: postgres.url }, 'full'), BackendUnavailableError);
    const recorder = record(t, accounts);
    for (let count = 0; count < 5; count++) recorder.record(CALLER, 'GET /v1/status', false);
    await recorder.flush();
    await postgres.restart();
    await eventually(() => accounts.health.isUp, 'it is noticed');
    assert.deepEqual(problems.slice(1), ['database is back']);
    await recorder.flush();
    assert.equal(await countOf(accounts), 5);
  });

  test('killed midway: keys that are known go on, others are not called invalid, and no confirmed row is lost', async (t) => {
    const postgres = await startPostgres(t);
    const { accounts } = await reach(t, postgres.url);
    const { record: key } = await issueApiKey(accounts, ORDER);
    const clock = { ms: 0 };
    const keys = new ApiKeyCache(accounts, () => clock.ms);
    const recorder = record(t, accounts);
    recorder.record(CALLER, 'GET /v1/status', false);
    await recorder.flush();
    assert.equal((await keys.find(key.hash))?.id, key.id);
    await postgres.kill();
    clock.ms += 6000;
    assert.equal((await keys.find(key.hash))?.id, key.id);
    await assert.rejects(async () => keys.find(generateApiKey().hash), { code: 'not_ready' });
    for (let count = 0; count < 10; count++) {
      recorder.record(CALLER, 'GET /v1/status', false);
      await recorder.flush();
    }
    await postgres.restart();
    await eventually(() => accounts.health.isUp, 'it is noticed');
    await recorder.flush();
    assert.equal(await countOf(accounts), 11);
    assert.deepEqual(await accounts.findKeyByHash(key.hash), key);
  });

  test('it stands still and goes on: every wait is bounded, more of them than there are connections', async (t) => {
    const postgres = await startPostgres(t);
    const { accounts } = await reach(t, postgres.url);
    await Promise.all(Array.from({ length: 20 }, () => accounts.listKeys()));
    postgres.stop();
    const waits = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const begun = performance.now();
        await assert.rejects(accounts.listKeys(), BackendUnavailableError);
        return performance.now() - begun;
      }),
    );
    assert.ok(Math.max(...waits) < WAIT_MS, `${Math.max(...waits)} ms`);
    const begun = performance.now();
    await assert.rejects(accounts.listKeys(), BackendUnavailableError);
    assert.ok(performance.now() - begun < DATABASE_TIMEOUT_MS - 50);
    postgres.resume();
    await eventually(() => accounts.health.isUp, 'it is noticed');
    assert.deepEqual(await accounts.listKeys(), []);
  });

  test('one that only reads is noticed without a request', async (t) => {
    const postgres = await startPostgres(t);
    const { accounts } = await reach(t, postgres.url);
    await execute(postgres.url, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
    await eventually(() => !accounts.health.isUp, 'it is noticed');
  });

  test('eight that start at once on an empty database: migrated once', async (t) => {
    const postgres = await startPostgres(t);
    const all = await Promise.all(Array.from({ length: 8 }, () => reach(t, postgres.url)));
    assert.deepEqual(
      all.flatMap(({ problems }) => problems),
      [],
    );
    const rows = await execute(postgres.url, 'SELECT version FROM accounts_version');
    assert.deepEqual(rows, [{ version: 1 }]);
  });

  test('tables of a newer version are refused at the start', async (t) => {
    const postgres = await startPostgres(t);
    await (await openAccounts({ dataDir: '.', databaseUrl: postgres.url }, 'full')).close();
    await execute(postgres.url, 'UPDATE accounts_version SET version = 99');
    await assert.rejects(reach(t, postgres.url), /newer version/);
    await assert.rejects(openAccounts({ dataDir: '.', databaseUrl: postgres.url }, 'full'), /newer version/);
  });

  test('a constraint that is broken is no outage', async (t) => {
    const postgres = await startPostgres(t);
    const { accounts, problems } = await reach(t, postgres.url);
    const { record: key } = await issueApiKey(accounts, ORDER);
    await assert.rejects(accounts.addKey(key), (error) => !(error instanceof BackendUnavailableError));
    assert.equal(accounts.health.isUp, true);
    assert.deepEqual(problems, []);
  });
});

async function execute(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let rows: unknown[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}
