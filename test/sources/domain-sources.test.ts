import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { crtsh } from '../../src/sources/crtsh.ts';
import { dnsSweep } from '../../src/sources/dns-sweep.ts';
import { rdapBootstrap } from '../../src/sources/rdap.ts';
import { wayback } from '../../src/sources/wayback.ts';
import { fakeNet } from '../support/fake-dns.ts';
import { sharedPath } from '../support/shared.ts';

const samples = sharedPath('feeds', 'samples');
const sample = (path: string): string => readFileSync(`${samples}/${path}`, 'utf8');

const logEntry = (given: Record<string, unknown> = {}) => ({
  issuer_ca_id: 1,
  issuer_name: 'C=XX, O=Example Authority, CN=Example CA',
  common_name: 'example.com',
  name_value: 'example.com\n*.shop.example.com',
  id: 100,
  entry_timestamp: '2026-01-01T10:00:00.1',
  not_before: '2026-01-01T09:00:00',
  not_after: '2026-04-01T09:00:00',
  serial_number: '0A1B',
  ...given,
});
const readLog = (entries: unknown, status = 200, below = false) =>
  crtsh.read(status, JSON.stringify(entries), { domain: 'example.com', subdomainsOnly: below });

describe('crt.sh', () => {
  test('a certificate and its precertificate count once; the newest comes first', () => {
    const found = readLog([
      logEntry(),
      logEntry({ id: 99 }),
      logEntry({ id: 200, serial_number: '0a1c', not_before: '2026-03-01T00:00:00' }),
      // The same number by another authority is another certificate.
      logEntry({ id: 300, issuer_name: 'C=XX, O=Other, CN=Other CA', not_before: '2025-03-01T00:00:00' }),
    ]);
    assert.equal(found.total, 3);
    assert.deepEqual(
      found.certificates.map(({ id }) => id),
      [200, 100, 300],
    );
    assert.deepEqual(found.certificates[1], {
      id: 100,
      issuer: 'C=XX, O=Example Authority, CN=Example CA',
      common_name: 'example.com',
      serial_number: '0a1b',
      not_before: '2026-01-01T09:00:00Z',
      not_after: '2026-04-01T09:00:00Z',
      names: 2,
    });
  });

  test('names are those of hosts below the domain', () => {
    const name_value =
      'jo@example.com\nEXAMPLE.com\n*.a.example.com\nExample Company\n192.0.2.1\n-x.example.com\nb.example.com';
    const found = readLog(
      [logEntry({ name_value }), logEntry({ id: 2, serial_number: '2', name_value: 'B.example.com' })],
      200,
      true,
    );
    assert.deepEqual(
      [found.subdomains, found.total_subdomains, found.certificates],
      [['a.example.com', 'b.example.com'], 2, []],
    );
  });

  test('what names neither the domain nor anything below it is left out, and counted', () => {
    const about = (id: number, name_value: string, common_name: string | null = null) =>
      logEntry({ id, serial_number: String(id), name_value, common_name });
    const found = readLog([
      about(1, 'shop.example.com'),
      about(2, '*.example.com'),
      about(3, 'Example Company', 'example.com'),
      about(4, 'jo@example.com'),
      about(5, 'example.com.evil.example'),
      about(6, 'notexample.com'),
      about(7, 'example.org', 'example.net'),
    ]);
    assert.deepEqual([found.total, found.unrelated_entries], [4, 3]);
  });

  test('none is none', () =>
    assert.deepEqual(readLog([]), {
      total: 0,
      certificates: [],
      subdomains: [],
      total_subdomains: 0,
      unrelated_entries: 0,
    }));

  for (const [what, body, status] of [
    ['a status of 502', [], 502],
    ['an object', { error: 'busy' }, 200],
    ['entries of another kind', [{ id: 1 }], 200],
  ] as const) {
    test(`${what} is no answer`, () => assert.throws(() => readLog(body, status)));
  }

  test('asks for a name, or for all below it', () => {
    assert.equal(
      crtsh.request({ domain: 'example.com', subdomainsOnly: false }, null).path,
      '?q=example.com&output=json',
    );
    assert.equal(
      crtsh.request({ domain: 'example.com', subdomainsOnly: true }, null).path,
      '?q=%25.example.com&output=json',
    );
  });

  test('recorded answers', { skip: samples === null && 'no samples' }, () => {
    const read = (path: string) => crtsh.read(200, sample(path), { domain: 'bolnews.com', subdomainsOnly: false });
    // Four entries: two certificates, each with its precertificate.
    assert.equal(read('crtsh/q.bolnews.com.json').total, 2);
    assert.equal(read('crtsh/q.bolnews.com.json').certificates[0]?.common_name, 'bolnews.com');
    assert.equal(read('crtsh/q.none.json').total, 0);
  });
});

const readCdx = (body: string, status = 200) => wayback.read(status, body, { domain: 'example.com', lastOnly: false });

describe('Wayback CDX', () => {
  test('captures by the names of the columns, whatever their order', () => {
    const rows = [
      ['statuscode', 'timestamp'],
      ['200', '20020120142510'],
      ['-', '20100101000000'],
      ['301', 'no time'],
    ];
    assert.deepEqual(readCdx(JSON.stringify(rows)), {
      total: 2,
      more: false,
      sample: [
        { timestamp: '20020120142510', status_code: 200 },
        { timestamp: '20100101000000', status_code: null },
      ],
    });
  });

  test('nothing archived', () => {
    const none = { total: 0, more: false, sample: [] };
    assert.deepEqual(readCdx('[]'), none);
    assert.deepEqual(readCdx('\n'), none);
  });

  test('a sample of many: twenty, from the first to the last', () => {
    const time = (index: number): string => `2010010100${String(index).padStart(4, '0')}`;
    const rows = [['timestamp', 'statuscode'], ...Array.from({ length: 1000 }, (_, index) => [time(index), '200'])];
    const { total, more, sample: some } = readCdx(JSON.stringify(rows));
    assert.deepEqual([total, more, some.length], [1000, false, 20]);
    assert.deepEqual([some[0]?.timestamp, some.at(-1)?.timestamp], [time(0), time(999)]);
  });

  test('where counting ended there are more', () => {
    const rows = [['timestamp'], ...Array.from({ length: 50_000 }, () => ['20100101000000'])];
    assert.equal(readCdx(JSON.stringify(rows)).more, true);
  });

  for (const [what, body, status] of [
    ['a status of 429', '[]', 429],
    ['a page', '<html></html>', 200],
    ['an object', '{}', 200],
    ['columns without time', '[["urlkey"],["com,example)/"]]', 200],
  ] as const) {
    test(`${what} is no answer`, () => assert.throws(() => readCdx(body, status)));
  }

  test('a recorded answer', { skip: samples === null && 'no samples' }, () => {
    const captures = readCdx(sample('wayback/cdx.example.com.json'));
    assert.equal(captures.total, 10);
    assert.deepEqual(captures.sample[0], { timestamp: '20020120142510', status_code: 200 });
  });
});

describe('the RDAP bootstrap', () => {
  const read = (services: unknown) => rdapBootstrap.read(200, JSON.stringify({ services }), 'dns');

  test('https goes before http; each ends with a slash', () => {
    const services = read([
      [
        ['TEST', 'example'],
        ['http://rdap.test/', 'https://rdap.test/v1'],
      ],
      [['old'], ['http://rdap.old/']],
      [['odd'], ['ftp://rdap.odd/']],
    ]);
    assert.deepEqual(services, {
      test: 'https://rdap.test/v1/',
      example: 'https://rdap.test/v1/',
      old: 'http://rdap.old/',
    });
  });

  test("IANA's own file", { skip: samples === null && 'no samples' }, () => {
    const services = rdapBootstrap.read(200, sample('rdap/iana/dns.json'), 'dns');
    assert.equal(services['com'], 'https://rdap.verisign.com/com/v1/');
    assert.ok(Object.keys(services).length > 1000);
    assert.equal(services['de'], undefined);
  });
});

describe('a sweep over many names', () => {
  const way = (net: ReturnType<typeof fakeNet>, timeoutMs = 2000) => ({
    net,
    baseUrl: '',
    trusted: false,
    apiKey: null,
    now: () => new Date(),
    timeoutMs,
    maxBytes: 1000,
    signal: new AbortController().signal,
    ask: async () => ({ status: 'not_configured' as const }),
    countVisit: async () => {},
  });

  test('tells what resolves, what does not, and what is not known', async () => {
    const net = fakeNet({
      'www.example.com': { A: ['192.0.2.2', '192.0.2.1'] },
      'six.example.com': { AAAA: ['2001:db8::1'] },
      'txt.example.com': { TXT: ['no address'] },
      'broken.example.com': 'fails',
    });
    const names = ['www', 'six', 'txt', 'broken', 'none'].map((label) => `${label}.example.com`);
    const { addresses, unknown } = await dnsSweep.ask({ names }, way(net));
    assert.deepEqual(addresses, {
      'www.example.com': ['192.0.2.1', '192.0.2.2'],
      'six.example.com': ['2001:db8::1'],
    });
    assert.deepEqual(unknown, ['broken.example.com']);
  });

  test('asks at most fifty at once', async () => {
    let underway = 0;
    let most = 0;
    const net = fakeNet({});
    const query: typeof net.queryDns = async (name, type, options) => {
      most = Math.max(most, ++underway);
      await new Promise((resolve) => setTimeout(resolve, 2));
      underway--;
      return net.queryDns(name, type, options);
    };
    const names = Array.from({ length: 300 }, (_, index) => `n${index}.example.com`);
    await dnsSweep.ask({ names }, way({ ...net, queryDns: query }));
    assert.equal(most, 50);
    assert.equal(net.asked.length, 300);
  });

  test('hands over what it has when the time is over', async () => {
    const net = fakeNet({ 'www.example.com': { A: ['192.0.2.1'] } });
    const query: typeof net.queryDns = async (name, type, options) => {
      if (name !== 'www.example.com')
        await new Promise((_, reject) => options.signal?.addEventListener('abort', () => reject(new Error('over'))));
      return net.queryDns(name, type, options);
    };
    const names = ['www.example.com', ...Array.from({ length: 100 }, (_, index) => `n${index}.example.com`)];
    const { addresses, unknown } = await dnsSweep.ask({ names }, way({ ...net, queryDns: query }, 700));
    assert.deepEqual(Object.keys(addresses), ['www.example.com']);
    assert.equal(unknown.length, 100);
  });
});
