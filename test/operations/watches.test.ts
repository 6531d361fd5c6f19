import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/list.ts';
import { EXAMPLE_ID } from '../../src/operations/watches/lib/watch-fields.ts';
import { WatchChangedMessage, WatchTestMessage } from '../../src/operations/watches/lib/watch-schemas.ts';
import { presentEvent } from '../../src/operations/watches/lib/present-watch.ts';
import { webhookBody } from '../../src/analysis/watch/webhook-message.ts';
import type { WatchEvent } from '../../src/analysis/watch/watch.ts';
import { assertError } from '../http/error-shape.ts';
import { type Reply, startService } from '../support/service.ts';
import { temporaryFolder } from './fixture-catalog.ts';
import { whileWatching } from './request-of.ts';

const dataDir = temporaryFolder();
const service = await startService({ after }, { dataDir });
const owner = await service.proHeaders();
const JSON_TYPE = { 'content-type': 'application/json' };
const HOOK = 'https://hooks.example.com/services/T0/secret-path';
const LODASH = { purl: 'pkg:npm/lodash@4.17.20' };

const create = (body: Record<string, unknown>, headers = owner): Promise<Reply> =>
  service.post('/v1/watches', body, headers);
const patch = (id: string, body: Record<string, unknown>, headers = owner): Promise<Reply> =>
  service.send('PATCH', `/v1/watches/${id}`, JSON.stringify(body), { ...JSON_TYPE, ...headers });
const created = async (body: Record<string, unknown>, headers = owner) => {
  const { status, text, body: answer } = await create(body, headers);
  assert.equal(status, 200, text);
  return answer;
};
const idOf = async (subject: Record<string, unknown> = LODASH): Promise<string> =>
  (await created({ subject })).watch.id;

describe('a subject is kept as its kind, normalized', () => {
  for (const [given, kept] of [
    [{ cve_id: 'cve-2021-44228' }, { kind: 'cve', cve_id: 'CVE-2021-44228' }],
    [LODASH, { kind: 'package', purl: 'pkg:npm/lodash', version: '4.17.20' }],
    [{ purl: 'pkg:npm/%40babel/core' }, { kind: 'package', purl: 'pkg:npm/%40babel/core', version: null }],
    [
      { purl: 'pkg:deb/debian/openssl@1.1.1k?arch=amd64&distro=debian-12' },
      { kind: 'package', purl: 'pkg:deb/debian/openssl?arch=amd64&distro=debian-12', version: '1.1.1k' },
    ],
    [
      { cpe: 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*' },
      { kind: 'product', vendor: 'apache', product: 'log4j', version: '2.14.1' },
    ],
    [
      { vendor: 'Apache', product: 'Log4J', version: '2.14.1' },
      { kind: 'product', vendor: 'apache', product: 'log4j', version: '2.14.1' },
    ],
    [{ product: 'log4j' }, { kind: 'product', vendor: null, product: 'log4j', version: null }],
    [{ vendor: 'apache' }, { kind: 'vendor', vendor: 'apache' }],
    [{ filters: { q: 'log4j', kev: true } }, { kind: 'search', filters: { q: 'log4j', kev: true } }],
    [
      { document: 'django==3.2.1\nrequests==2.31.0\n', filename: 'requirements.txt' },
      { kind: 'components', components: ['pkg:pypi/django@3.2.1', 'pkg:pypi/requests@2.31.0'] },
    ],
    [{ domain: 'Example.COM.' }, { kind: 'domain', domain: 'example.com' }],
    [{ indicator: 'hxxp://evil[.]example/x' }, { kind: 'indicator', indicator: 'http://evil.example/x' }],
  ] as const) {
    test(JSON.stringify(given).slice(0, 80), async () => {
      const { watch } = await created({ subject: given });
      assert.deepEqual(watch.subject, kept);
      // What an answer shows is taken again.
      const again = await created({ subject: watch.subject, conditions: watch.conditions, schedule: watch.schedule });
      assert.deepEqual(again.watch.subject, kept);
    });
  }

  test('an SBOM: its packages with their versions, and nothing else of it', async () => {
    const document = JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { authors: [{ name: 'Somebody Private' }] },
      components: [
        { type: 'library', name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash@4.17.20' },
        { type: 'application', name: 'Log4j', version: '2.14.1', cpe: 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*' },
        { type: 'library', name: 'unknown-kind', version: '1', purl: 'pkg:cobol/unknown-kind@1' },
      ],
    });
    const { watch, gaps } = await created({ subject: { document } });
    assert.deepEqual(watch.subject.components, [
      'pkg:npm/lodash@4.17.20',
      'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*',
    ]);
    assert.match(gaps.join(), /1 package cannot be watched: unknown-kind/);
    const shown = await service.get(`/v1/watches/${watch.id}`, owner);
    assert.ok(!shown.text.includes('Private'));
  });
});

describe('refused before anything is kept', () => {
  for (const [what, body, message] of [
    ['no subject', {}, /subject/],
    ['none of the fields', { subject: {} }, /exactly one of cve_id, purl/],
    ['two of them', { subject: { cve_id: 'CVE-2021-44228', domain: 'example.com' } }, /cve_id and domain/],
    ['a version of a domain', { subject: { domain: 'example.com', version: '1' } }, /version.*purl, cpe, product/],
    ['a kind that it is not', { subject: { kind: 'cve', domain: 'example.com' } }, /kind domain, not cve/],
    ['an ecosystem that is not known', { subject: { purl: 'pkg:cobol/x@1' } }, /type cobol cannot be checked/],
    ['a version that is none', { subject: { purl: 'pkg:npm/lodash@latest' } }, /no npm version/],
    ['a search for everything', { subject: { filters: {} } }, /at least one filter/],
    ['a range that is empty', { subject: { filters: { cvss_min: 9, cvss_max: 1 } } }, /over cvss_max/],
    ['what is no indicator', { subject: { indicator: 'not one' } }, /no indicator/],
    ['a private address', { subject: { indicator: '10.0.0.1' } }, /no indicator/],
    ['prose', { subject: { document: 'To whom it may concern' } }, /neither a lockfile nor an SBOM/],
    ['a manifest', { subject: { document: '{"dependencies": {"a": "1"}}', filename: 'package.json' } }, /package-lock/],
    [
      'a component without a form',
      { subject: { components: ['pkg:npm/a@1', 'lodash'] } },
      /components\.1.*pkg:npm\/lodash/,
    ],
    [
      'too many components',
      { subject: { components: Array.from({ length: 5001 }, (_, at) => `pkg:npm/p${at}@1`) } },
      /5,001 components.*at most 5,000/,
    ],
    ['a time zone that is none', { subject: LODASH, schedule: { time_zone: 'Mars/Olympus' } }, /time zone/],
    ['a time of day that is none', { subject: LODASH, schedule: { at: '24:00' } }, /HH:MM/],
    ['hours without an end', { subject: LODASH, schedule: { quiet: { from: '08:00', to: '08:00' } } }, /quiet hours/],
    ['a channel that is neither', { subject: LODASH, channels: [{}] }, /give url.*or to/],
    ['a webhook in the clear', { subject: LODASH, channels: [{ url: 'http://example.com/' }] }, /https/],
    [
      'a webhook to a private network',
      { subject: LODASH, channels: [{ url: 'https://10.0.0.1/' }] },
      /cannot be reached/,
    ],
    [
      'a webhook to metadata',
      { subject: LODASH, channels: [{ url: 'https://169.254.169.254/' }] },
      /cannot be reached/,
    ],
    ['a mail address that is none', { subject: LODASH, channels: [{ to: 'nobody' }] }, /mail address/],
    ['a condition that there is not', { subject: LODASH, conditions: { kinds: ['rumour'] } }, /kinds/],
    ['a field that there is not', { subject: LODASH, webhook: HOOK }, /unknown field/],
  ] as const) {
    test(what, async () => {
      const before = (await service.get('/v1/watches', owner)).body.total;
      const reply = await create(body);
      assertError(reply, { status: 422, code: 'validation_error' });
      assert.match(reply.body.error.message, message);
      assert.equal((await service.get('/v1/watches', owner)).body.total, before);
    });
  }
});

test('a product that no source names is watched, and the answer says so, with what may be meant', async () => {
  const { gaps, candidates, summary } = await created({ subject: { vendor: 'nobody', product: 'log4j' } });
  assert.match(gaps.join(), /no source names nobody log4j today/);
  assert.ok(candidates.some(({ product }: { product: string }) => product === 'log4j'));
  assert.match(summary, /No source names it today/);
});

test('the summary says what is told, when and where; the path of a webhook, which may be a secret, is not in it', async () => {
  const { summary, secrets } = await created({
    subject: LODASH,
    conditions: { severity_min: 'HIGH', affected: 'affected' },
    channels: [{ url: HOOK, format: 'slack' }, { to: 'security@example.com' }],
    schedule: { when: 'weekly', at: '08:00', weekday: 1, time_zone: 'Europe/Berlin' },
  });
  assert.match(summary, /pkg:npm\/lodash@4\.17\.20, only where they affect the version, of severity HIGH and up/);
  assert.match(
    summary,
    /every monday at 08:00 \(Europe\/Berlin\), to hooks\.example\.com \(slack\), security@example\.com/i,
  );
  assert.ok(!summary.includes('secret-path'));
  assert.deepEqual(secrets, []);
});

test('the secret of a signed webhook is told once, and again only when it is a new one', async () => {
  const { watch, secrets } = await created({ subject: LODASH, channels: [{ url: HOOK }] });
  const [channel] = watch.channels;
  assert.equal(secrets.length, 1);
  assert.equal(secrets[0].channel_id, channel.id);
  assert.match(secrets[0].secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const path of [`/v1/watches/${watch.id}`, '/v1/watches?include=full'])
    assert.ok(!(await service.get(path, owner)).text.includes('whsec_'));
  const rotated = (await patch(watch.id, { rotate_secrets: [channel.id] })).body;
  assert.notEqual(rotated.secrets[0].secret, secrets[0].secret);
  assert.deepEqual((await patch(watch.id, { name: 'other' })).body.secrets, []);
});

describe('an update changes what is given and leaves the rest', () => {
  test('conditions, schedule, name', async () => {
    const { watch } = await created({
      subject: LODASH,
      name: 'first',
      conditions: { severity_min: 'HIGH', kev_only: true },
      schedule: { when: 'daily', at: '07:30' },
    });
    const { watch: after } = (await patch(watch.id, { conditions: { severity_min: null }, schedule: { at: '09:00' } }))
      .body;
    assert.deepEqual(after.conditions, { ...watch.conditions, severity_min: null });
    assert.deepEqual(after.schedule, { ...watch.schedule, at: '09:00' });
    assert.equal(after.name, 'first');
    assert.equal((await patch(watch.id, { name: null })).body.watch.name, null);
  });

  test('pause and resume, mute and unmute', async () => {
    const id = await idOf();
    assert.equal((await patch(id, { paused: true })).body.watch.state, 'paused');
    assert.equal((await patch(id, { paused: false })).body.watch.state, 'active');
    const muted = (await patch(id, { mute: { until: '2026-03-01', reason: 'Update is planned' } })).body.watch;
    assert.equal(muted.state, 'muted');
    assert.deepEqual(muted.mute, { until: '2026-03-01T00:00:00.000Z', reason: 'Update is planned' });
    assert.equal((await patch(id, { mute: null })).body.watch.state, 'active');
  });

  test('a channel whose id is given stays, others are new or go', async () => {
    const { watch } = await created({ subject: LODASH, channels: [{ url: HOOK }, { to: 'a@example.com' }] });
    const [hook] = watch.channels;
    const { watch: after, secrets } = (await patch(watch.id, { channels: [{ id: hook.id }, { to: 'b@example.com' }] }))
      .body;
    assert.deepEqual(after.channels[0], hook);
    assert.equal(after.channels[1].to, 'b@example.com');
    assert.equal(after.channels.length, 2);
    assert.deepEqual(secrets, []);
    assertError(await patch(watch.id, { channels: [{ id: hook.id, url: 'https://other.example.com/' }] }), {
      status: 422,
      code: 'validation_error',
    });
  });

  for (const [what, body] of [
    ['nothing', {}],
    ['a mute that is over', { mute: { until: '2025-01-01', reason: 'late' } }],
    ['a mute without a reason', { mute: { until: '2027-01-01' } }],
    ['a channel that there is not', { channels: [{ id: 'cha_aaaaaaaaaaaaaaaaaaaa' }] }],
    ['the secret of no channel', { rotate_secrets: ['cha_aaaaaaaaaaaaaaaaaaaa'] }],
  ] as const) {
    test(`${what}: 422`, async () =>
      assertError(await patch(await idOf(), body), { status: 422, code: 'validation_error' }));
  }
});

test('a list has components only with include=full, in the form that is taken', async () => {
  const mine = await service.proHeaders();
  await created({ subject: { components: ['pkg:npm/a@1.0.0', 'pkg:npm/b@2.0.0'] } }, mine);
  const [slim] = (await service.get('/v1/watches', mine)).body.results;
  assert.deepEqual(slim.subject, { kind: 'components', component_count: 2 });
  const [full] = (await service.get('/v1/watches?include=full', mine)).body.results;
  assert.deepEqual(full.subject, { kind: 'components', components: ['pkg:npm/a@1.0.0', 'pkg:npm/b@2.0.0'] });
});

describe('who owns it', () => {
  const paths = [
    ['GET', ''],
    ['PATCH', '', { paused: true }],
    ['GET', '/events'],
    ['GET', '/events.atom'],
    ['GET', '/deliveries'],
    ['POST', '/test', {}],
    ['POST', '/replay', { since: '2026-01-01' }],
    ['DELETE', ''],
  ] as const;

  test('a watch of somebody else, and one that there is not, are 404 alike', async () => {
    const id = await idOf();
    const other = await service.proHeaders();
    for (const [method, rest, body] of paths) {
      const send = (of: string) =>
        service.send(method, `/v1/watches/${of}${rest}`, body && JSON.stringify(body), {
          ...(body && JSON_TYPE),
          ...other,
        });
      const [foreign, missing] = [await send(id), await send(EXAMPLE_ID)];
      assertError(foreign, { status: 404, code: 'not_found' });
      assert.deepEqual(foreign.body.error.message.replace(id, EXAMPLE_ID), missing.body.error.message);
    }
    assert.equal((await service.get(`/v1/watches/${id}`, owner)).body.watch.state, 'active');
  });

  test('without a key: 401, before anything is read', async () => {
    const id = await idOf();
    for (const [method, rest, body] of [...paths, ['POST', '/../../watches', { subject: LODASH }] as const]) {
      const reply = await service.send(
        method,
        `/v1/watches/${id}${rest}`,
        body && JSON.stringify(body),
        body && JSON_TYPE,
      );
      if (rest.includes('..')) continue;
      assertError(reply, { status: 401, code: 'api_key_required' });
    }
    assertError(await service.post('/v1/watches', { subject: LODASH }), { status: 401, code: 'api_key_required' });
    assertError(await service.get('/v1/watches'), { status: 401, code: 'api_key_required' });
  });

  test('on an installation for one person none is needed', async (t) => {
    const alone = await startService(t, { localUnlimited: true });
    const { body } = await alone.post('/v1/watches', { subject: LODASH });
    assert.equal((await alone.get(`/v1/watches/${body.watch.id}`)).status, 200);
    // Another machine may be behind a proxy.
    const forwarded = await alone.get('/v1/watches', { 'x-forwarded-for': '203.0.113.7' });
    assertError(forwarded, { status: 401, code: 'api_key_required' });
  });

  test('what is deleted is gone, and deleting costs nothing', async () => {
    const id = await idOf();
    const reply = await service.send('DELETE', `/v1/watches/${id}`, undefined, owner);
    assert.deepEqual([reply.status, reply.body.is_deleted, reply.headers['x-ratelimit-cost']], [200, true, '0']);
    assertError(await service.get(`/v1/watches/${id}`, owner), { status: 404, code: 'not_found' });
  });
});

test('methods that a path does not take are 405, with those that it takes in Allow', async () => {
  for (const [method, path, allowed] of [
    ['PUT', `/v1/watches/${EXAMPLE_ID}`, ['GET', 'HEAD', 'PATCH', 'DELETE']],
    ['DELETE', '/v1/watches', ['GET', 'HEAD', 'POST']],
    ['GET', `/v1/watches/${EXAMPLE_ID}/test`, ['POST']],
    ['PATCH', `/v1/watches/${EXAMPLE_ID}/events`, ['GET', 'HEAD']],
  ] as const) {
    const reply = await service.send(method, path, undefined, owner);
    assertError(reply, { status: 405, code: 'method_not_allowed' });
    assert.deepEqual(new Set(String(reply.headers['allow']).split(', ')), new Set(allowed), `${method} ${path}`);
  }
});

test('POST and DELETE without a body need none, also with the content type that some clients send', async () => {
  const id = await idOf();
  const tested = await whileWatching(service, service.send('POST', `/v1/watches/${id}/test`, undefined, owner));
  assert.deepEqual([tested.status, tested.body.deliveries], [200, []]);
  assert.equal((await service.send('DELETE', `/v1/watches/${id}`, '', { ...JSON_TYPE, ...owner })).status, 200);
});

test('events as feeds have an entity tag, and a 304 costs nothing', async () => {
  const id = await idOf();
  for (const [extension, type] of [
    ['atom', 'application/atom+xml'],
    ['json', 'application/feed+json'],
  ] as const) {
    const path = `/v1/watches/${id}/events.${extension}`;
    const first = await service.get(path, owner);
    assert.equal(first.status, 200);
    assert.match(String(first.headers['content-type']), new RegExp(type.replace('+', '\\+')));
    assert.match(first.text, new RegExp(`/watches/${id}`));
    const again = await service.get(path, { ...owner, 'if-none-match': String(first.headers['etag']) });
    assert.deepEqual([again.status, again.headers['x-ratelimit-cost']], [304, '0']);
  }
});

describe('what receivers get is as it is published', () => {
  const event: WatchEvent = {
    id: 'evt_0123456789abcdef0123456789abcdef',
    watch_id: EXAMPLE_ID,
    seen_at: '2026-01-15T12:00:00.000Z',
    about: { kind: 'cve', cve_id: 'CVE-2021-44228' },
    why: 'log4j 2.14.1 is affected, fixed in 2.17.1.',
    what: 'Known exploited since 2021-12-10.',
    status: 'affected',
    components: [{ name: 'log4j-core', version: '2.14.1', status: 'affected', fixed_in: '2.17.1' }],
    changes: [
      {
        kind: 'kev',
        change: 'added',
        at: '2021-12-10',
        seen_at: '2026-01-15T12:00:00.000Z',
        source: 'kev',
        field: 'entry',
        before: null,
        after: { date_added: '2021-12-10' },
      },
    ],
    current: {
      severity: 'CRITICAL',
      cvss: 10,
      kev: true,
      kev_due: null,
      epss: 0.97,
      fixed_in: '2.17.1',
      urgency: 'act',
    },
  };
  const watch = { id: EXAMPLE_ID, name: null, subject: { kind: 'components', components: [] } } as const;
  const createdAt = new Date('2026-01-15T12:00:00Z');

  test('watch.changed, whose events are those of GET /v1/watches/{id}/events', () => {
    const body = JSON.parse(webhookBody({ watch, events: [event], createdAt }));
    assert.deepEqual(WatchChangedMessage.parse(body), body);
    assert.deepEqual(body.data.events, [presentEvent(event)]);
  });

  test('watch.test', () => {
    const body = JSON.parse(webhookBody({ watch, events: null, createdAt }));
    assert.deepEqual(WatchTestMessage.parse(body), body);
  });

  test('both stand in /openapi.json, as webhooks', async () => {
    const { webhooks, components } = (await service.get('/openapi.json')).body;
    assert.deepEqual(Object.keys(webhooks), ['watch.changed', 'watch.test']);
    const { $ref } = webhooks['watch.changed'].post.requestBody.content['application/json'].schema;
    assert.equal($ref, '#/components/schemas/WatchChangedMessage');
    const events = components.schemas.WatchChangedMessage.properties.data.properties.events;
    assert.equal(events.items.$ref, '#/components/schemas/WatchEvent');
    assert.equal(components.schemas.WatchEvents.properties.events.items.$ref, '#/components/schemas/WatchEvent');
  });
});

test('what is stored about a caller: how many watches, and where they deliver to', async () => {
  const mine = await service.proHeaders();
  assert.equal((await service.get('/v1/privacy/my-data', mine)).body.watches, null);
  await created({ subject: LODASH, channels: [{ url: HOOK }, { to: 'security@example.com' }] }, mine);
  const { body, text } = await service.get('/v1/privacy/my-data', mine);
  assert.deepEqual(body.watches, {
    count: 1,
    delivers_to: ['hooks.example.com', 'security@example.com'],
    kept_days: 90,
  });
  assert.ok(!text.includes('secret-path'));
  assert.equal((await service.get('/v1/privacy/my-data')).body.watches, null);
});

test('nothing of a watch is in a line of the log', async () => {
  await created({ subject: { domain: 'private-interest.example' }, name: 'very private', channels: [{ url: HOOK }] });
  const log = service.logLines().join('\n');
  assert.doesNotMatch(log, /private-interest|very private|secret-path|hooks\.example|wat_/);
});

test('no operation about watches is a tool, and none is answered from memory', () => {
  const ofWatches = OPERATIONS.filter(({ area }) => area === 'watches');
  assert.equal(ofWatches.length, 9);
  for (const { tool, cacheable, personal } of ofWatches)
    assert.deepEqual([tool, cacheable, personal], [undefined, false, 'owner']);
});
