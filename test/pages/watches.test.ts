import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  accessibilityFaults,
  chromiumPath,
  openBrowser,
  openWindow,
  overflowsSideways,
  targetSizeFaults,
} from '../support/browser.ts';
import { type Reply, startService } from '../support/service.ts';
import { whileWatching } from '../operations/request-of.ts';

const HTML = { accept: 'text/html' };
const service = await startService({ after }, { localUnlimited: true, sources: 'lab' });

function submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return service.send('POST', path, new URLSearchParams(fields).toString(), { ...HTML, ...type, ...headers });
}

const watches = async () => (await service.get('/v1/watches')).body;

async function add(fields: Record<string, string>): Promise<string> {
  const { status, headers, text } = await submit('/watches', { do: 'add', ...fields });
  assert.equal(status, 303, text);
  return String(headers['location']);
}

describe('the form that makes a watch', () => {
  test('takes what look-ups take, and leads to the page of the watch', async () => {
    for (const [thing, subject] of [
      ['apache:log4j@2.14.1', { kind: 'product', vendor: 'apache', product: 'log4j', version: '2.14.1' }],
      ['org.apache.logging.log4j:log4j-core@2.14.1', { kind: 'package', version: '2.14.1' }],
      ['cve-2021-44228', { kind: 'cve', cve_id: 'CVE-2021-44228' }],
      ['pkg:npm/lodash@4.17.20', { kind: 'package', purl: 'pkg:npm/lodash', version: '4.17.20' }],
      ['example.com', { kind: 'domain', domain: 'example.com' }],
      ['51.15.0.9', { kind: 'indicator', indicator: '51.15.0.9' }],
    ] as const) {
      const path = await add({ thing });
      const { body } = await service.get(`/v1${path}`);
      assert.deepEqual({ ...body.watch.subject, ...subject }, body.watch.subject, thing);
      assert.match((await service.get(path, HTML)).text, /Nothing was told yet/);
    }
  });

  test('says what is wrong beside what was sent, and keeps nothing', async () => {
    const { total } = await watches();
    for (const [fields, message] of [
      [{ thing: '' }, /Say what is to be watched/],
      [{ thing: 'T1566' }, /cannot be watched/],
      [{ thing: 'CVE-2021-44228', url: 'http://example.com/' }, /https/],
      [{ thing: 'CVE-2021-44228', time_zone: '<b>Mars</b>' }, /time zone/],
    ] as const) {
      const { status, text } = await submit('/watches', { do: 'add', ...fields });
      assert.ok(status === 400 || status === 422);
      assert.match(text, /role="alert"/);
      assert.match(text, message);
      assert.doesNotMatch(text, /<b>Mars/);
    }
    assert.equal((await watches()).total, total);
  });

  test('shows the secret of a signed webhook once', async () => {
    const { status, headers, text } = await submit('/watches', {
      do: 'add',
      name: 'Signed',
      thing: 'CVE-2021-44228',
      url: 'https://hooks.example.com/x',
      format: 'standard',
    });
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
    const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(text)?.[0];
    assert.ok(secret !== undefined);
    const watch = (await watches()).results.find(({ name }: { name: string }) => name === 'Signed');
    assert.doesNotMatch((await service.get(`/watches/${watch.id}`, HTML)).text, /whsec_/);
    const rotated = await submit(`/watches/${watch.id}`, { do: 'rotate', channel: watch.channels[0].id });
    assert.notEqual(/whsec_[A-Za-z0-9+/]{43}=/.exec(rotated.text)?.[0] ?? secret, secret);
  });

  test('takes all choices', async () => {
    const path = await add({
      filters: 'q=log4j&kev=true',
      name: 'Java',
      severity_min: 'HIGH',
      kev_only: '1',
      to: 'security@example.com',
      when: 'weekly',
      at: '08:30',
      time_zone: 'Europe/Berlin',
      quiet_from: '22:00',
      quiet_to: '07:00',
    });
    const { watch } = (await service.get(`/v1${path}`)).body;
    assert.deepEqual(watch.subject, { kind: 'search', filters: { q: 'log4j', kev: true } });
    assert.equal(watch.name, 'Java');
    assert.deepEqual([watch.conditions.severity_min, watch.conditions.kev_only], ['HIGH', true]);
    assert.deepEqual(watch.schedule, {
      when: 'weekly',
      at: '08:30',
      weekday: 1,
      time_zone: 'Europe/Berlin',
      quiet: { from: '22:00', to: '07:00' },
    });
  });

  test('a lockfile that was checked comes along', async () => {
    const checked = await submit('/check', { text: 'django==3.2.1\nrequests==2.31.0\n', kind: 'requirements.txt' });
    const packed = /name="packed" value="([^"]+)"><button>Watch these packages/.exec(checked.text)?.[1];
    assert.ok(packed !== undefined, checked.text.slice(-2000));
    const form = await submit('/watches', { packed });
    assert.match(form.text, /The packages of the text that was checked/);
    const path = await add({ packed });
    const { watch } = (await service.get(`/v1${path}`)).body;
    assert.deepEqual(watch.subject.components, ['pkg:pypi/django@3.2.1', 'pkg:pypi/requests@2.31.0']);
  });
});

describe('pages about things lead to the form, filled in', () => {
  for (const [page, expected] of [
    ['/cve/CVE-2021-44228', 'cve_id=CVE-2021-44228'],
    ['/product/acme/anvil', 'vendor=acme&amp;product=anvil'],
    ['/vendor/acme', 'vendor=acme'],
    ['/search?q=flaw', 'filters=q%3Dflaw'],
    ['/domain/kept.lab', 'domain=kept.lab'],
    ['/ip/5.57.0.1', 'indicator=5.57.0.1'],
    ['/indicator/hxxp://evil[.]example/x', 'indicator=http%3A%2F%2Fevil.example%2Fx'],
    ['/check?purl=pkg:npm/express@4.16.0', 'thing=pkg%3Anpm%2Fexpress%404.16.0'],
  ] as const) {
    test(page, async () => {
      const { text } = await service.get(page, HTML);
      assert.ok(
        text.includes(`href="/watches?${expected}">Watch this`),
        text.match(/\/watches\?[^"]*/)?.[0] ?? 'no link',
      );
      const form = await service.get(`/watches?${expected.replaceAll('&amp;', '&')}`, HTML);
      assert.equal(form.status, 200);
      const [name, value] = [...new URLSearchParams(expected.replaceAll('&amp;', '&'))].at(-1)!;
      assert.ok(form.text.includes(`name="${name}" value="${value}"`));
    });
  }
});

describe('the page of a watch', () => {
  test('pauses, resumes, mutes, and deletes by forms', async () => {
    const path = await add({ thing: 'CVE-2021-44228' });
    const state = async () => (await service.get(`/v1${path}`)).body.watch.state;
    for (const [fields, after] of [
      [{ do: 'pause' }, 'paused'],
      [{ do: 'resume' }, 'active'],
      [{ do: 'mute', until: '2026-02-01', reason: 'planned' }, 'muted'],
    ] as [Record<string, string>, string][]) {
      assert.equal((await submit(path, fields)).status, 303);
      assert.equal(await state(), after);
    }
    assert.match((await service.get(path, HTML)).text, /muted until .*2026-02-01 00:00 UTC<\/time>: planned/);
    const wrong = await submit(path, { do: 'mute', until: '2020-01-01', reason: 'late' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /role="alert">mute\.until/);
    const replayed = await whileWatching(service, submit(path, { do: 'replay', since: '2026-01-01' }));
    assert.match(replayed.text, /0 events of the period/);
    assert.deepEqual([(await submit(path, { do: 'delete' })).headers['location']], ['/watches']);
    assert.equal((await service.get(path, HTML)).status, 404);
  });

  test('does nothing that a page of another site asks for', async () => {
    const path = await add({ thing: 'CVE-2021-44228' });
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const { status } = await submit(path, { do: 'delete' }, headers as Record<string, string>);
      assert.equal(status, 403);
      assert.equal(
        (await submit('/watches', { do: 'add', thing: 'CVE-2021-44228' }, headers as Record<string, string>)).status,
        403,
      );
    }
    assert.equal((await service.get(`/v1${path}`)).status, 200);
  });

  test('answers clients that prefer JSON with the watch', async () => {
    const path = await add({ thing: 'CVE-2021-44228' });
    const { headers, body } = await service.get(path, { accept: 'application/json' });
    assert.equal(headers['content-location'], `/v1${path}`);
    assert.equal(body.watch.label, 'CVE-2021-44228');
  });
});

test('who is not signed in is told so', async (t) => {
  const shared = await startService(t);
  for (const path of ['/watches', '/watches/wat_abcdefghijklmnopqrst']) {
    const { status, text } = await shared.get(path, HTML);
    assert.equal(status, 401);
    assert.match(text, /href="\/key">sign in with yours/);
  }
});

describe('in a browser', { skip: chromiumPath === null ? 'no chromium' : false }, async () => {
  if (chromiumPath === null) return;
  const address = await service.listen();
  const browser = await openBrowser();
  after(() => browser.close());

  for (const [width, theme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    test(`${width} px, ${theme}: a watch is made by the form; its pages are accessible and nothing scrolls sideways`, async () => {
      const context = await openWindow(browser, width, theme);
      const page = await context.newPage();
      await page.goto(`${address}/watches`);
      await page.getByLabel('vendor:product@version').fill('apache:log4j@2.14.1');
      await page.getByLabel('Name, for you').fill(`Watched at ${width} px, with a name that is not quite short`);
      await page.getByLabel('Mail to').fill('somebody.with.a.long.address@security.example.com');
      await page.getByRole('button', { name: 'Watch', exact: true }).click();
      await page.waitForURL(/\/watches\/wat_/);
      const judge = async (): Promise<void> => {
        assert.deepEqual(await accessibilityFaults(page), []);
        assert.deepEqual(await targetSizeFaults(page), []);
        assert.equal(await overflowsSideways(page), false);
      };
      await judge();
      await page.goto(`${address}/watches`);
      await judge();
      await context.close();
    });
  }
});
