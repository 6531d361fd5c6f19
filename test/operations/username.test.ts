import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FetchResponse, FetchOptions } from '../../src/net/fetch-types.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import { startService, type TestService } from '../support/service.ts';

let lab: Lab;
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => ends.push(end) };

before(async () => {
  lab = await openLab();
  ends.push(() => lab.close());
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** The lab's network, in which a host answers every question of one kind. */
async function withAnswers(answer: (url: URL) => { status: number; body: string } | null): Promise<TestService> {
  const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  ends.push(() => net.close());
  const fetch = async (url: URL, options: FetchOptions): Promise<FetchResponse> => {
    const given = answer(url);
    if (given === null) return net.fetch(url, options);
    const body = new TextEncoder().encode(given.body);
    return { status: given.status, headers: new Map(), body, truncated: false, address: '93.184.215.14', latencyMs: 1 };
  };
  const over: NetworkClient = Object.assign(Object.create(net) as NetworkClient, { fetch });
  return startService(owner, { net: over });
}

describe('a username', () => {
  test('found, not found and unknown are three outcomes', async () => {
    const service = await withAnswers(({ hostname }) => {
      if (hostname === 'api.github.com') return { status: 200, body: '{"login":"octocat"}' };
      if (hostname === 'www.npmjs.com') return { status: 404, body: '{}' };
      if (hostname === 'www.reddit.com') return { status: 403, body: 'blocked' };
      if (hostname === 'www.youtube.com') return { status: 302, body: '' };
      return null;
    });
    const { status, body } = await service.get('/v1/username/OctoCat');
    assert.equal(status, 200);
    assert.deepEqual([body.username, body.found_count, body.checked_count, body.error], ['octocat', 1, 2, null]);
    assert.equal(body.results.length, 16);
    const of = (id: string) => body.results.find(({ platform }: { platform: string }) => platform === id);
    assert.deepEqual(of('github'), {
      platform: 'github',
      url: 'https://github.com/octocat',
      status: 'found',
      reason: null,
    });
    assert.equal(of('npm').status, 'not_found');
    assert.deepEqual([of('reddit').status, of('youtube').status], ['unknown', 'unknown']);
    assert.match(of('reddit').reason, /403/);
    const { sources_queried, sources_unavailable, completeness } = body.verdict;
    assert.ok(sources_queried.includes('github') && sources_queried.includes('npm'));
    assert.equal(sources_unavailable.length, 14);
    assert.ok(sources_unavailable.includes('youtube'));
    assert.equal(completeness, 'partial');
  });

  test('where no platform tells the answer is minimal, and nobody else is reached', async () => {
    const service = await withAnswers(() => null);
    const { body } = await service.get('/v1/username/octocat');
    assert.deepEqual([body.found_count, body.checked_count, body.verdict.completeness], [0, 0, 'minimal']);
    assert.deepEqual(lab.escapes, []);
  });

  test('where all tell it is complete', async () => {
    const service = await withAnswers(({ hostname }) => {
      if (hostname === 'gitlab.com') return { status: 200, body: '[]' };
      if (hostname === 'steamcommunity.com') return { status: 200, body: 'The specified profile could not be found' };
      if (hostname === 'keybase.io') return { status: 200, body: '{"them":[null]}' };
      if (hostname === 'www.tiktok.com') return { status: 400, body: 'Something went wrong' };
      return { status: 404, body: '' };
    });
    const { body } = await service.get('/v1/username/octocat');
    assert.deepEqual([body.found_count, body.checked_count, body.verdict.completeness], [0, 16, 'complete']);
    assert.deepEqual(body.verdict.sources_unavailable, []);
  });

  for (const bad of [
    'ab',
    'a'.repeat(40),
    'a b',
    'a%2Fb%2F..',
    'ünïcode',
    '<script>',
    'a@b.example',
    'x'.repeat(90),
    '%00abc',
  ]) {
    test(`"${bad.slice(0, 12)}" is an error inside an answer`, async () => {
      let fetched = 0;
      const service = await withAnswers(() => {
        fetched++;
        return { status: 200, body: '' };
      });
      const { status, body } = await service.get(
        `/v1/username/${encodeURI(decodeURIComponent(bad)).replaceAll('/', '%2F')}`,
      );
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.error.code, 'invalid_argument');
      assert.deepEqual([body.found_count, body.checked_count, body.results], [0, 0, []]);
      assert.equal(body.verdict.completeness, 'minimal');
      assert.equal(fetched, 0);
    });
  }
});
