import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { IDS } from '../operations/fixture-facts.ts';
import { startService } from '../support/service.ts';
import { linksOf, textOf } from './read-page.ts';

const service = await startService({ after });
const page = (path: string) => service.get(path, { accept: 'text/html' });

test('shows what matches, with the loud mark of what is exploited', async () => {
  const { status, text } = await page('/search?vendor=apache&product=log4j');
  assert.equal(status, 200);
  assert.match(text, /<title>1 CVE: product log4j, vendor apache · Sextant<\/title>/);
  const body = textOf(text);
  assert.match(
    body,
    new RegExp(`${IDS.log4shell} Names in messages are looked up critical 10.0 94.4 % known exploited`),
  );
  assert.ok(linksOf(text).includes(`/cve/${IDS.log4shell}`));
  assert.ok(linksOf(text).includes('/product/apache/log4j'));
});

test('counts lead to the search that has the value too, and active filters can be removed', async () => {
  const { text } = await page('/search?vendor=acme&sort=epss_desc');
  const links = linksOf(text);
  assert.ok(links.includes('/search?severity=CRITICAL&sort=epss_desc&vendor=acme'));
  assert.ok(
    links.includes('/search?published_after=2024-01-01&published_before=2024-12-31&sort=epss_desc&vendor=acme'),
    'year 2024',
  );
  assert.ok(links.includes('/search?sort=epss_desc'), 'without the vendor');
  assert.ok(links.includes('/search?format=csv&sort=epss_desc&vendor=acme'));
  assert.ok(links.includes('/search?format=atom&sort=epss_desc&vendor=acme'));
});

test('has one address for one state: fields that a form sends empty are left out', async () => {
  const { status, headers } = await page('/search?vendor=acme&q=&product=&offset=0');
  assert.equal(status, 303);
  assert.equal(headers['location'], '/search?vendor=acme');
});

test('says what is wrong at the field, and keeps what was typed', async () => {
  const { status, text } = await page('/search?cvss_min=high&severity=BAD&vendor=acme');
  assert.equal(status, 422);
  assert.match(text, /name="cvss_min" value="high"[^>]* aria-invalid="true"/);
  assert.match(text, /<span class="fault" id="f-severity-fault">[^<]*CRITICAL/);
  assert.match(text, /name="vendor" value="acme"/);
  const { text: reversed } = await page('/search?cvss_min=9&cvss_max=4');
  assert.match(textOf(reversed), /9 is over cvss_max, 4/);
});

test('an empty result says what was looked for and what is near', async () => {
  const { status, text } = await page('/search?product=nosuchthing&severity=LOW');
  assert.equal(status, 200);
  assert.match(textOf(text), /0 CVEs: product nosuchthing, low/);
  assert.match(textOf(text), /No CVE of the catalog matches/);
  assert.doesNotMatch(text, /<table data-rows/);
  assert.ok(linksOf(text).includes('/search?severity=LOW'));
  assert.ok(linksOf(text).includes('/search?q=nosuchthing'));
});

test('words that nothing has together are offered one by one, and none of the links leads back here', async () => {
  const { text } = await page('/search?q=nosuchthing+flaw');
  for (const address of ['/search?q=nosuchthing', '/search?q=flaw', '/search?product=nosuchthing+flaw'])
    assert.ok(linksOf(text).includes(address), address);
  assert.ok(!linksOf(text).some((address) => address.startsWith('/?q=')));
});

test('a page behind the last row leads back', async () => {
  const { status, text } = await page('/search?vendor=acme&offset=5000');
  assert.equal(status, 200);
  assert.match(textOf(text), /The list ends before row 5,001/);
  assert.ok(linksOf(text).includes('/search?vendor=acme'));
});

test('words of every kind are words', async () => {
  for (const words of ['"; drop table record', '🦀', 'sudo heap', '* AND', '<script>alert(1)</script>', "' OR 1=1"]) {
    const { status, text } = await page(`/search?q=${encodeURIComponent(words)}`);
    assert.equal(status, 200, words);
    assert.doesNotMatch(text, /<script>alert/);
  }
  const { status } = await page(`/search?q=${'a'.repeat(2000)}`);
  assert.equal(status, 422);
});

test('finds by words', async () => {
  const { text } = await page('/search?q=logging+library');
  assert.ok(linksOf(text).includes(`/cve/${IDS.log4shell}`));
  assert.match(text, /aria-current="true">Best match/);
});

test('clients that prefer JSON get the answer of the operation', async () => {
  const { headers, body } = await service.get('/search?vendor=acme&cvss_min=5', { accept: 'application/json' });
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.equal(body.query_echo.cvss_min, 5);
});

test('the same result as CSV', async () => {
  const { headers, text } = await page('/search?format=csv&vendor=acme');
  assert.match(String(headers['content-type']), /^text\/csv/);
  assert.match(String(headers['content-disposition']), /attachment; filename="cves\.csv"/);
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  const { body } = await service.get('/v1/cves?vendor=acme&limit=200');
  assert.deepEqual(
    rows.map(({ cve_id }) => cve_id),
    body.results.map((row: { cve_id: string }) => row.cve_id),
  );
  assert.equal(rows.find(({ cve_id }) => cve_id === IDS.plugin)?.['severity'], 'CRITICAL');
});

test('the newest as an Atom feed with ids that stay', async () => {
  const { headers, text } = await page('/search?format=atom&vendor=apache&sort=epss_desc');
  assert.match(String(headers['content-type']), /^application\/atom\+xml/);
  assert.match(text, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/);
  assert.match(text, new RegExp(`<id>https://www.cve.org/CVERecord\\?id=${IDS.log4shell}</id>`));
  assert.match(text, /<published>2021-12-10T10:15:09\.143Z<\/published>/);
  const { text: again } = await page('/search?format=atom&vendor=apache&sort=epss_desc');
  assert.equal(again, text);
  assert.equal((await page('/search?format=pdf')).status, 400);
});

test('words that nothing is called are not recognised, and what is spelled like them is offered', async () => {
  const { text } = await page('/search?q=lgo4j+2.14.1');
  assert.match(textOf(text), /Not recognised: lgo4j 2\.14\.1/);
  assert.match(text, /Did you mean:.*href="\/\?q=log4j\+2\.14\.1"/s);
  assert.doesNotMatch(textOf(text), /^0 CVEs/);
});
