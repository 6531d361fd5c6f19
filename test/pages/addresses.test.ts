import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { defang } from '../../src/analysis/indicators/defang.ts';
import { splitIndicators } from '../../src/analysis/indicators/split-indicators.ts';
import { buildFixtureCatalog } from '../operations/fixture-catalog.ts';
import { LISTED } from '../operations/fixture-networks.ts';
import { openLab } from '../lab/lab.ts';
import { startService, type TestService } from '../support/service.ts';

const HTML = { accept: 'text/html' };
const KEYS = { SEXTANT_ABUSECH_KEY: 'a', SEXTANT_ABUSEIPDB_KEY: 'b', SEXTANT_SHODAN_KEY: 'c' };
const MALWARE = 'malware.lab';

const lab = await openLab();
after(() => lab.close());
const catalog = buildFixtureCatalog([], undefined, {}, '2026-01-15T11:00:00Z');
const service = await startService({ after }, { sources: 'lab', keys: KEYS, catalog });
const withoutKeys = await startService({ after }, { sources: 'lab', catalog: buildFixtureCatalog(['firehol']) });

async function page(path: string, of: TestService = service, status = 200): Promise<string> {
  const reply = await of.get(path, HTML);
  assert.equal(reply.status, status, `${path}: ${reply.text.slice(0, 2000)}`);
  assert.match(String(reply.headers['content-type']), /^text\/html/);
  return reply.text;
}

describe('the page of an address', () => {
  test('that is a botnet server says so first, what to do, and who says it', async () => {
    const text = await page(`/ip/${LISTED.botnet}`);
    assert.match(text, /<title>51\.15\.0\.9: 1 of the 5 lists that answered names it/);
    assert.match(text, /critical threat/);
    assert.match(text, /<strong>Do:<\/strong> Block it/);
    assert.match(text, /Feodo Tracker<\/b><\/th><td><b>names it/);
    assert.match(text, /QakBot/);
    assert.match(text, /2024-01-01/);
  });

  test('with known exploited CVEs tells its owner to mend those first', async () => {
    const { address } = lab.host('poor.lab');
    const text = await page(`/ip/${address}`);
    assert.match(text, /known exploited<\/strong> 1 CVE/);
    assert.match(text, /If it is yours:<\/strong> update what has the CVEs that are known to be exploited/);
    assert.match(text, /href="\/cve\/CVE-2021-44228"/);
    assert.match(text, /href="\/domain\/poor\.lab"/);
    assert.match(text, /href="\/as\/215000"/);
  });

  test('of a public resolver advises against blocking it', async () => {
    assert.match(await page('/ip/8.8.8.8'), /Do not block it: Google Public DNS/);
  });

  test('shows a list that is not here as not known, not as silent about it', async () => {
    const text = await page(`/ip/${LISTED.attacker}`, withoutKeys);
    assert.match(text, /not known: the list has not been loaded here/);
    assert.match(text, /not known: no key for it is configured here/);
    assert.match(text, /None of the 2 lists that answered names it; 3 did not answer or were not asked/);
    assert.match(text, /Do not take this as an all-clear/);
  });

  for (const [address, says] of [
    ['10.1.2.3', 'a private address'],
    ['127.0.0.1', 'a loopback address'],
    ['169.254.169.254', 'a link-local address'],
    ['192.0.2.1', 'an address for documents'],
    ['2001:db8::1', 'an address for documents'],
    ['100.64.0.1', 'RFC 6598'],
    ['224.0.0.1', 'a multicast address'],
  ] as const) {
    test(`${address} is ${says}, and nothing is asked`, async () => {
      assert.ok((await page(`/ip/${address}`)).includes(says));
    });
  }

  test('is also its JSON', async () => {
    const { body, headers } = await service.get(`/ip/${LISTED.botnet}`, { accept: 'application/json' });
    assert.equal(body.reputation.feodo.status, 'listed');
    assert.equal(headers['content-location'], `/v1/ip/${LISTED.botnet}`);
  });

  test('names the price of the full report, and shows it where it is asked for', async () => {
    const { address } = lab.host(MALWARE);
    assert.match(await page(`/ip/${address}`), /report=full">Full threat report<\/a>[^<]*\(6 tokens\)/);
    const text = await page(`/ip/${address}?report=full`);
    assert.match(text, /<section id="report" slot="report"><h2>Threat report: .*critical threat/);
    assert.match(text, /41 by 17 reporters/);
  });

  test('of no address is an error that says what is accepted', async () => {
    const text = await page('/ip/not-an-address', service, 422).catch(() => page('/ip/not-an-address', service, 400));
    assert.match(text, /IPv4 or IPv6 address/);
  });
});

describe('the page of an indicator', () => {
  test('is found defanged or not, encoded or not, and is shown defanged without a link to it', async () => {
    for (const path of [
      `/indicator/http://${MALWARE}/x.exe`,
      `/indicator/${encodeURIComponent(`http://${MALWARE}/x.exe`)}`,
      `/indicator/${encodeURIComponent(`hxxp://malware[.]lab/x.exe`)}`,
      `/indicator/hxxp://malware[.]lab/x.exe`,
    ]) {
      const text = await page(path);
      assert.match(text, /<h1><span class="id">hxxp:\/\/malware\[\.\]lab\/x\.exe<\/span>/, path);
      assert.doesNotMatch(text, /href="https?:\/\/malware/, path);
      assert.match(text, /<code id="real">http:\/\/malware\.lab\/x\.exe<\/code>/, path);
    }
  });

  test('of a URL keeps the query that belongs to it', async () => {
    const text = await page(`/indicator/https://${MALWARE}/a?b=1&as=phone`);
    assert.match(text, /<code id="real">https:\/\/malware\.lab\/a\?b=1&amp;as=phone<\/code>/);
  });

  test('of a host that delivers malware says who says so, with the source', async () => {
    const text = await page(`/indicator/${MALWARE}`);
    assert.match(text, /URLhaus<\/b><\/th><td><b>names it/);
    assert.match(text, /href="https:\/\/urlhaus\.abuse\.ch\/url\/9000001\/"/);
    assert.match(text, /Block the name in DNS and proxy/);
    assert.match(text, /href="\/domain\/malware\.lab"/);
  });

  test('of a hash says what file it is, or that nobody knows', async () => {
    const text = await page('/indicator/275A021BBFB6489E54D471899F7DB9D1663FC695EC2FE2A2C4538AABF651FD0F');
    assert.match(text, /<span class="id">275a021b/);
    assert.match(text, /<section id="sample" slot="sample"><h2>/);
    assert.match(await page(`/indicator/${'0'.repeat(32)}`, withoutKeys), /no key for MalwareBazaar is configured/);
  });

  test('of a mail address is about its domain and form', async () => {
    const text = await page(`/indicator/${encodeURIComponent('someone@mailinator.com')}`);
    assert.match(text, /a throw-away mailbox/);
    assert.match(text, /href="\/domain\/mailinator\.com"/);
    assert.match(await page('/indicator/someone[at]mail-none.lab'), /its domain takes no mail/);
  });

  test('of a phone number follows the numbering plans', async () => {
    const text = await page('/indicator/%2B442079460958');
    assert.match(text, /\+44 20 7946 0958/);
    assert.match(text, /United Kingdom/);
  });

  test('of a word asks whether it is a username', async () => {
    const text = await page('/indicator/octocat', service, 400);
    assert.match(text, /href="\/indicator\/octocat\?as=username"/);
    assert.match(await page('/indicator/octocat?as=username'), /<h1>octocat<\/h1>/);
  });

  test('leads to the page of an address where it is a private one', async () => {
    const { status, headers } = await service.get('/indicator/10.0.0.1', HTML);
    assert.deepEqual([status, headers.location], [303, '/ip/10.0.0.1']);
  });
});

describe('the page of the lists', () => {
  const form = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };
  const post = (text: string, more = ''): ReturnType<TestService['send']> =>
    service.send('POST', '/lists', `indicators=${encodeURIComponent(text)}${more}`, form);

  test('says how many networks each has and how old it is', async () => {
    const text = await page('/lists');
    assert.match(text, /<tr id="tor"><th scope="row">Tor exit relays<\/th>.*<td>60 minutes<\/td><td>up to date/);
    assert.match(await page('/lists', withoutKeys), /3 of 4 lists are here/);
  });

  test('finds the indicators of a text, the worst first', async () => {
    const { text } = await post(`Report: ${LISTED.quiet}, "${LISTED.botnet}" and malware[.]lab; 10.0.0.1 rest`);
    assert.match(text, /<h1>2 of 3 indicators are named by a list/);
    const order = [...text.matchAll(/<tr><th scope="row"><a href="([^"]+)"/g)].map(([, href]) => href);
    assert.deepEqual(order, [`/ip/${LISTED.botnet}`, '/indicator/malware.lab', `/ip/${LISTED.quiet}`]);
    assert.match(text, /<code>10\.0\.0\.1<\/code>/);
  });

  test('gives the same as CSV', async () => {
    const { headers, text } = await post(`${LISTED.botnet} ${LISTED.quiet}`, '&as=csv');
    assert.match(String(headers['content-type']), /^text\/csv/);
    const rows = text.trim().split('\r\n');
    assert.equal(rows[0], 'indicator,type,threat_level,threat_score,listed_by,reason');
    assert.match(rows[1]!, /^51\.15\.0\.9,ip,critical,95,Feodo Tracker,/);
    assert.match(rows[2]!, /^93\.184\.215\.14,ip,none,0,,/);
  });

  test('says where a text has nothing to look up', async () => {
    assert.match((await post('10.0.0.1 nothing')).text, /There is nothing to look up/);
  });
});

describe('the page of a network', () => {
  test('has its holder and prefixes', async () => {
    const text = await page('/as/215000');
    assert.match(text, /<h1>AS215000 <span>LAB-AS/);
    assert.match(text, /5\.57\.0\.0\/16/);
    assert.equal(await page('/as/AS215000').then((same) => same.includes('5.57.0.0/16')), true);
  });

  test('says what an AS number is where there is none', async () => {
    assert.match(
      await page('/as/4294967296', service, 400).catch(() => page('/as/4294967296', service, 422)),
      /AS number/,
    );
  });
});

describe('indicators in texts', () => {
  test('are defanged as reports write them', () => {
    assert.equal(defang('https://evil.example/a.b?c=d.e'), 'hxxps://evil[.]example/a.b?c=d.e');
    assert.equal(defang('192.0.2.1'), '192[.]0[.]2[.]1');
    assert.equal(defang('d41d8cd98f00b204e9800998ecf8427e'), 'd41d8cd98f00b204e9800998ecf8427e');
  });

  test('are found once each, with their brackets and full stops taken off', () => {
    const { indicators, others } = splitIndicators('(8.8.8.8), 8.8.8.8. evil[.]example.com! 1.1.1.1:53 192.168.0.1');
    assert.deepEqual(
      indicators.map(({ value }) => value),
      ['8.8.8.8', 'evil.example.com', '1.1.1.1'],
    );
    assert.deepEqual(others, ['192.168.0.1']);
  });
});

describe('a URL that no list names, at a host that delivers malware', () => {
  test('is a threat all the same', async () => {
    const text = await page(`/indicator/http://${MALWARE}/other`);
    assert.match(text, /<title>hxxp:\/\/malware\[\.\]lab\/other: Its host delivers malware/);
    assert.match(text, /Raise an alert|Block it in the proxy/);
    assert.doesNotMatch(text, /Nothing to do/);
  });
});
