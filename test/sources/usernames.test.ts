import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FetchResponse } from '../../src/net/fetch-types.ts';
import { NetError, type NetErrorCode } from '../../src/net/net-error.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import type { SourceContext } from '../../src/sources/source.ts';
import { USERNAME_PLATFORMS } from '../../src/sources/username-platforms.ts';
import { fillUsername, usernames } from '../../src/sources/usernames.ts';

function way(answer: { status: number; body?: string } | NetErrorCode): { way: SourceContext; asked: URL[] } {
  const asked: URL[] = [];
  const fetch = async (url: URL): Promise<FetchResponse> => {
    asked.push(url);
    if (typeof answer === 'string') throw new NetError(answer, 'host: it failed');
    const body = new TextEncoder().encode(answer.body ?? '');
    return {
      status: answer.status,
      headers: new Map(),
      body,
      truncated: false,
      address: '93.184.215.14',
      latencyMs: 1,
    };
  };
  const rest = {
    baseUrl: '',
    trusted: false,
    apiKey: null,
    now: () => new Date(),
    timeoutMs: 1000,
    maxBytes: 1000,
    countVisit: async () => {},
  };
  const signal = new AbortController().signal;
  return {
    way: { ...rest, signal, net: { fetch } as unknown as NetworkClient, ask: async () => assert.fail() },
    asked,
  };
}

const look = (platform: string, answer: Parameters<typeof way>[0], username = 'octo.cat-1') =>
  usernames.ask({ platform, username }, way(answer).way);

test('the sixteen of the decisions', () => {
  const expected =
    'github gitlab bitbucket npm pypi dockerhub reddit x instagram tiktok youtube twitch medium steam keybase hackerone';
  assert.deepEqual(
    USERNAME_PLATFORMS.map(({ id }) => id),
    expected.split(' '),
  );
  for (const { profileUrl, checkUrl } of USERNAME_PLATFORMS) {
    for (const url of [profileUrl, checkUrl ?? profileUrl]) {
      assert.ok(url.startsWith('https://') && url.includes('{u}'), url);
      // Whatever the username is, it stays in its place in the path or the query.
      const filledIn = new URL(fillUsername(url, encodeURIComponent('a.b-c_1')));
      assert.equal(filledIn.host, new URL(url.replaceAll('{u}', 'x')).host);
      assert.ok(filledIn.href.includes('a.b-c_1'), filledIn.href);
    }
  }
});

/** Answers as the platforms give them, written down by hand from what each is known to send. */
const FOUND: Record<string, string> = {
  github: '{"login": "octo.cat-1","id":1}',
  gitlab: '[{"id":1,"username":"octo.cat-1","name":"Octo"}]',
  bitbucket: '{"type": "workspace", "slug": "octo.cat-1"}',
  npm: '<link rel="canonical" href="https://www.npmjs.com/~octo.cat-1">',
  pypi: '<title>Profile of octo.cat-1 · PyPI</title>',
  dockerhub: '{"id":"1","username":"octo.cat-1"}',
  reddit: '{"kind": "t2", "data": {"name": "octo.cat-1"}}',
  x: '{"url":"https://x.com/octo.cat-1","html":"<a>"}',
  instagram: '<meta property="og:title" content="Octo (&#064;octo.cat-1) • Instagram photos" />',
  tiktok: '{"author_url":"https://www.tiktok.com/@octo.cat-1","author_name":"Octo"}',
  youtube: '<link rel="alternate" href="https://www.youtube.com/@Octo.Cat-1">',
  twitch: '<meta property="og:title" content="Octo.Cat-1 - Twitch">',
  medium: '<?xml version="1.0"?><rss version="2.0">',
  steam: '<?xml version="1.0"?><profile><steamID64>76561197960287930</steamID64>',
  keybase: '{"them":[{"id":"1","basics":{"username":"octo.cat-1"}}]}',
  hackerone: '<link rel="canonical" href="https://hackerone.com/octo.cat-1">',
};
const MISSING: Record<string, { status: number; body?: string }> = {
  gitlab: { status: 200, body: '[]' },
  tiktok: { status: 400, body: '{"code":400,"message":"Something went wrong"}' },
  steam: {
    status: 200,
    body: '<response><error><![CDATA[The specified profile could not be found.]]></error></response>',
  },
  keybase: { status: 200, body: '{"status":{"code":0},"them":[null]}' },
};

for (const { id } of USERNAME_PLATFORMS) {
  describe(id, () => {
    test('has it', async () => assert.equal((await look(id, { status: 200, body: FOUND[id]! })).status, 'found'));
    test('has it not', async () =>
      assert.equal((await look(id, MISSING[id] ?? { status: 404, body: 'Not found' })).status, 'not_found'));
    test('does not tell: a redirect, a block, a challenge, a fault', async () => {
      for (const status of [301, 302, 307, 401, 403, 429, 451, 500, 503, 999]) {
        const { status: told, reason } = await look(id, { status, body: 'login' });
        assert.deepEqual([told, reason !== null], ['unknown', true], String(status));
      }
      const challenge = { status: 200, body: '<html><title>Just a moment...</title>[] {}</html>' };
      assert.equal((await look(id, challenge)).status, 'unknown');
    });
    test('does not answer', async () => {
      for (const code of ['timeout', 'refused', 'reset', 'tls', 'no_such_name', 'refused_address'] as const) {
        assert.equal((await look(id, code)).status, 'unknown', code);
      }
    });
  });
}

test('what is unknown is asked again, what is known is not', () => {
  assert.equal(usernames.isCacheable!({ status: 'unknown', reason: 'x' }), false);
  assert.equal(usernames.isCacheable!({ status: 'not_found', reason: null }), true);
});

test('once the time is over it ends', async () => {
  await assert.rejects(async () => look('github', 'aborted'), NetError);
});

test('below a configured address each platform is asked at its id, as one that the operator trusts', async () => {
  const { way: plain } = way({ status: 404 });
  const asked: string[] = [];
  const net = {
    async fetch(url: URL, { trusted }: { trusted?: boolean }) {
      asked.push(`${url.href} ${trusted}`);
      return plain.net.fetch(url, { timeoutMs: 1, maxBytes: 1 });
    },
  } as unknown as NetworkClient;
  const configured = { ...plain, net, baseUrl: 'http://mirror.example/p/', trusted: true };
  await usernames.ask({ platform: 'github', username: 'somebody' }, configured);
  await usernames.ask({ platform: 'gitlab', username: 'somebody' }, configured);
  assert.deepEqual(asked, [
    'http://mirror.example/p/github/users/somebody true',
    'http://mirror.example/p/gitlab/api/v4/users?username=somebody true',
  ]);
});
