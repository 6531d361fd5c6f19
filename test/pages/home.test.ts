import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { IDS, NOW } from '../operations/fixture-facts.ts';
import { startService } from '../support/service.ts';

const HTML = { accept: 'text/html' };
const service = await startService({ after });

function ask(text: string): ReturnType<typeof service.get> {
  return service.get(`/?q=${encodeURIComponent(text)}`, HTML);
}

function paste(text: string): ReturnType<typeof service.get> {
  const headers = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };
  return service.send('POST', '/', new URLSearchParams({ q: text }).toString(), headers);
}

describe('one thing leads to its page', () => {
  for (const [text, page] of [
    ['cve-2021-44228', '/cve/CVE-2021-44228'],
    ['ghsa-2222-3333-4444', `/cve/${IDS.awaitingAnalysis}`],
    ['CWE 079', '/cwe/CWE-79'],
    ['example.com', '/domain/example.com'],
    ['https://example.com/', '/domain/example.com'],
    ['https://example.com/login?a=1', '/indicator/https%3A%2F%2Fexample.com%2Flogin%3Fa%3D1'],
    ['evil[.]example', '/indicator/evil.example'],
    ['8.8.8.8', '/ip/8.8.8.8'],
    ['AS13335', '/as/13335'],
    ['t1190', '/attack/T1190'],
    ['AML.T0051', '/atlas/AML.T0051'],
    ['D3-FA', '/d3fend/D3-FA'],
    ['pkg:npm/express@4.16.0', '/check?purl=pkg%3Anpm%2Fexpress%404.16.0'],
    ['cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*', '/product/apache/log4j?version=2.14.1'],
    ['apache log4j 2.14.1', '/product/apache/log4j?version=2.14.1'],
    ['cve-2021-44228 apache log4j 2.14.1', '/cve/CVE-2021-44228?product=apache%3Alog4j&version=2.14.1#affected'],
    [
      'is log4j 2.14.1 affected by CVE-2021-44228?',
      '/cve/CVE-2021-44228?product=apache%3Alog4j&version=2.14.1#affected',
    ],
    [
      'org.springframework:spring-beans:5.3.17',
      '/check?purl=pkg%3Amaven%2Forg.springframework%2Fspring-beans%405.3.17',
    ],
    ['log4j/2.14.1', '/product/apache/log4j?version=2.14.1'],
    ['unheard-of 1.2 CVE-2021-44228', '/cve/CVE-2021-44228'],
    ['no such words', '/search?q=no+such+words'],
  ] as const) {
    test(`${text}: ${page}`, async () => {
      const { status, headers } = await ask(text);
      assert.deepEqual([status, headers['location']], [303, page]);
      assert.equal((await paste(text)).headers['location'], page);
    });
  }

  test('never to another host', async () => {
    for (const text of [
      '//evil.example',
      String.raw`/\evil.example`,
      'https:evil.example',
      'javascript:alert(1)',
      '\thttps://evil.example\\@x',
    ]) {
      const { headers, status } = await ask(text);
      if (status === 303) assert.match(String(headers['location']), /^\/(?:search|indicator|domain|\?)/, text);
    }
  });
});

describe('many lines', () => {
  const text = `${IDS.log4shell}\nCVE-2099-99999\nGHSA-jfh8-c2jp-5v3q\nCVE-2021-442\n10.0.0.1\nCVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H`;

  test('have a row each, with the verdict of each CVE', async () => {
    const { status, text: page } = await ask(text);
    assert.equal(status, 200);
    const rows = page.split('<tr>').slice(2);
    assert.equal(rows.length, 6);
    assert.match(rows[0]!, /href="\/cve\/CVE-2021-44228".*critical <b>10\.0.*known exploited.*2021-12-10/s);
    assert.match(rows[1]!, /no source here knows it/);
    assert.match(rows[2]!, /a GitHub advisory id.*critical.*href="\/cve\/CVE-2021-44228".*fixed in 2\.15\.0/s);
    assert.match(rows[3]!, /It looks like a CVE id/);
    assert.match(rows[4]!, /not a public address/);
    // CVSS 3.1 specification, 7.4: all metrics at their worst without a change of scope.
    assert.match(rows[5]!, /critical <b>9\.8/);
  });

  test('words that name a product, its version and a CVE are answered', async () => {
    const { text: page } = await ask('apache log4j 2.14.1\napache log4j 2.17.0 CVE-2021-44228\nno such words');
    const rows = page.split('<tr>').slice(2);
    assert.match(page, /3 lines, 2 recognised/);
    assert.match(rows[0]!, /href="\/product\/apache\/log4j\?version=2\.14\.1".*log4j 2\.14\.1.*2\.14\.1 is affected/s);
    assert.match(rows[1]!, /product=apache%3Alog4j&amp;version=2\.17\.0#affected.*does not affect/s);
    assert.match(rows[2]!, /no known identifier/);
  });

  test('a short form has an address of its own, a long one is answered at once', async () => {
    const short = await paste(text);
    assert.equal(short.status, 303);
    assert.match(String(short.headers['location']), /^\/\?q=CVE-2021-44228%0A/);
    const long = Array.from({ length: 250 }, (_, at) => `CVE-2021-${10_000 + at}`).join('\n');
    const { status, text: page } = await paste(long);
    assert.equal(status, 200);
    assert.match(page, /The first 200 are shown/);
    assert.match(page, /not known: 50 are asked at once/);
  });

  test('their text is no markup', async () => {
    const { text: page } = await ask('<script>alert(1)</script>\n"><img src=x onerror=alert(1)>');
    assert.doesNotMatch(page, /<script>alert|<img/);
  });

  test('the caller is charged for each CVE; the start page costs nothing', async (t) => {
    const limited = await startService(t, { quota: { keyless: 3 } });
    for (let count = 0; count < 5; count++) assert.equal((await limited.get('/', HTML)).status, 200);
    const q = encodeURIComponent('CVE-2021-44228\nCVE-2014-0160\nCVE-2017-0144\nCVE-2024-3094');
    const { status, text: page } = await limited.get(`/?q=${q}`, HTML);
    assert.equal(status, 200);
    assert.match(page, /not known: the quota of this hour is used up/);
    assert.match((await limited.get(`/?q=${q}`, HTML)).text, /CVEs: not asked/);
  });
});

describe('the start page', () => {
  test('an empty question is answered with a message', async () => {
    const { headers } = await paste('  ');
    assert.equal(headers['location'], '/?q=');
    assert.match((await service.get('/?q=', HTML)).text, /role="alert">Nothing was entered/);
    assert.doesNotMatch((await service.get('/', HTML)).text, /Nothing was entered/);
  });

  test('shows the newest exploited ones, and says what it cannot show', async () => {
    const { text } = await service.get('/', HTML);
    assert.match(text, /href="\/cve\/CVE-\d{4}-\d+"/);
    assert.match(text, /<textarea[^>]*name="q"/);
    assert.match(text, /id="rising"/);
    assert.match(text, /Sources/);
  });

  test('what was added since a day', async () => {
    const { text } = await service.get('/?since=2021-12-01', HTML);
    assert.match(text, /Since 2021-12-01: .*newly known to be exploited/);
    assert.match(text, /CVE-2021-44228/);
    assert.match((await service.get('/?since=2999-01-01', HTML)).text, /none newly known/);
    assert.doesNotMatch((await service.get('/?since=nonsense', HTML)).text, /id="since"/);
  });

  test('without a synced feed it says that only the starter answers', async (t) => {
    const folder = temporaryFolder();
    await recoverOrCreateCatalog(folder, NOW);
    const starter = await startService(t, { catalog: folder });
    const { status, text } = await starter.get('/', HTML);
    assert.equal(status, 200);
    assert.match(text, /Only the starter catalog answers.*sextant sync/s);
    assert.match((await starter.get('/status', HTML)).text, /<h1>Only the starter catalog answers/);
  });
});
