import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createFeedUpstreams } from '../../src/catalog/create-feed-upstreams.ts';
import { syncCatalog } from '../../src/catalog/sync.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { serve } from '../net/servers.ts';
import { startService } from '../support/service.ts';
import { buildFixtureCatalog, temporaryFolder } from './fixture-catalog.ts';
import { NOW } from './fixture-facts.ts';

/** A fixture catalog in which the last sync of the known-exploited catalog, from `address`, failed. */
async function afterFailedSync(t: TestContext, address: string) {
  const folder = buildFixtureCatalog();
  const feed = kevFeed as unknown as Feed;
  const addressing = { feeds: 'upstream', sourceUrls: new Map([['kev', address]]), githubToken: null };
  const upstreams = () => createFeedUpstreams(feed, addressing);
  const { failed } = await syncCatalog({ folder, feeds: [{ feed, upstreams }], now: () => NOW, report: () => {} });
  assert.deepEqual(failed, ['kev']);
  return startService(t, { catalog: folder });
}

describe('/v1/status', () => {
  test('all is well: ok, with the age of each source', async (t) => {
    const { get } = await startService(t);
    const { body } = await get('/v1/status');
    assert.deepEqual([body.status, body.catalog, body.problems, body.uptime_seconds], ['ok', 'synced', [], 60]);
    assert.equal(body.data_sources.nvd.age_seconds, 3600);
  });

  test('a source that missed many turns is stale', async (t) => {
    const { get, clock } = await startService(t);
    clock.now = new Date(NOW.getTime() + 24 * 3_600_000);
    const { body } = await get('/v1/status');
    assert.equal(body.data_sources.nvd.status, 'stale');
    assert.equal(body.status, 'degraded');
  });

  test('a feed that was never synced is empty', async (t) => {
    const { get } = await startService(t, { catalog: buildFixtureCatalog(['epss']) });
    const { body } = await get('/v1/status');
    const { status, records, last_success_at, age_seconds } = body.data_sources.epss;
    assert.deepEqual([status, records, last_success_at, age_seconds], ['empty', 0, null, null]);
    assert.equal(body.catalog, 'partial');
  });

  test('a failed sync is an error that names no address', async (t) => {
    const server = await serve(t, (_, response) => response.writeHead(500).end('boom'));
    const { get } = await afterFailedSync(t, server.url);
    const { body, text } = await get('/v1/status');
    assert.equal(body.data_sources.kev.status, 'error');
    assert.ok(body.data_sources.kev.last_error.length > 0);
    assert.ok(!text.includes(new URL(server.url).host), body.data_sources.kev.last_error);
  });

  test('nor a refused connection', async (t) => {
    const { get } = await afterFailedSync(t, 'http://127.0.0.1:9/');
    const { body, text } = await get('/v1/status');
    assert.doesNotMatch(text, /127\.0\.0\.1/, body.data_sources.kev.last_error);
  });

  test('a mirror folder that is not there, or holds nonsense, names no path', async (t) => {
    const nonsense = temporaryFolder();
    writeFileSync(join(nonsense, 'known_exploited_vulnerabilities.json'), '{"vulnerabilities": [');
    for (const folder of [join(nonsense, 'absent'), nonsense]) {
      const { get } = await afterFailedSync(t, `${pathToFileURL(folder).href}/`);
      const { body, text } = await get('/v1/status');
      assert.ok(!text.includes(nonsense), body.data_sources.kev.last_error);
    }
  });

  test('costs nothing and takes no parameters', async (t) => {
    const { get } = await startService(t);
    assert.equal((await get('/v1/status?verbose=true')).status, 422);
  });
});
