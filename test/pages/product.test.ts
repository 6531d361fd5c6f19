import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { IDS } from '../operations/fixture-facts.ts';
import { startService } from '../support/service.ts';
import { linksOf, textOf } from './read-page.ts';

const service = await startService({ after });
const page = (path: string) => service.get(path, { accept: 'text/html' });

describe('the page of a product', () => {
  test('says what is exploited and what CISA demands by when', async () => {
    const { status, text } = await page('/product/apache/log4j');
    assert.equal(status, 200);
    assert.match(text, /<title>apache log4j: 1 CVE, 1 known exploited · Sextant<\/title>/);
    const body = textOf(text);
    assert.match(body, /Do: begin with the known-exploited ones.*By: 2021-12-24, CISA’s deadline for US federal/);
    assert.ok(
      linksOf(text).includes('/search?product=log4j&vendor=apache&sort=epss_desc') ||
        linksOf(text).includes('/vendor/apache'),
    );
  });

  test('decides on a version: the fix first, then each CVE with its reason', async () => {
    const { text } = await page('/product/apache/log4j?version=2.14.1');
    const body = textOf(text);
    assert.match(body, /Do: update to 2\.15\.0 or later\./);
    assert.match(body, new RegExp(`${IDS.log4shell} affected 2\\.15\\.0 critical known exploited 94\\.4 %`));
    assert.match(text, /<title>apache log4j 2\.14\.1: affected by 1 of 1 CVEs/);
    const { text: fixed } = await page('/product/apache/log4j?version=2.15.0');
    assert.match(
      textOf(fixed),
      /No CVE of the catalog is known to affect it by the catalog \(NVD of \d{4}-\d\d-\d\d, /,
    );
  });

  test('what is known to be exploited of other versions is said of all versions, not of this one', async () => {
    const { text } = await page('/product/apache/log4j?version=2.15.0');
    const [version, all] = text.split('<section id="all">') as [string, string];
    assert.doesNotMatch(version.slice(version.indexOf('<h1>')), /class="exploited"/);
    assert.match(all, /class="exploited"/);
    assert.match(textOf(all), /about the product in all its versions, not about yours/);
  });

  test('the version is kept in links to CVEs, the vendor and the search, and back', async () => {
    const { text } = await page('/product/apache/log4j?version=2.14.1');
    const links = linksOf(text);
    const ofCve = `/cve/${IDS.log4shell}?product=apache%3Alog4j&version=2.14.1#affected`;
    assert.ok(links.includes(ofCve), links.join('\n'));
    assert.ok(links.includes('/vendor/apache?product=apache%3Alog4j&version=2.14.1'));
    const search = links.find((one) => one.startsWith('/search?') && one.includes('version=2.14.1'))!;
    assert.ok(linksOf((await page(search)).text).includes(ofCve));
    assert.ok(linksOf((await page('/vendor/apache?product=apache%3Alog4j&version=2.14.1')).text).includes(ofCve));
    const back = linksOf((await page(ofCve.split('#')[0]!)).text);
    assert.ok(back.includes('/product/apache/log4j?version=2.14.1'));
  });

  test('a version is shown as text, whatever it is', async () => {
    const { status, text } = await page(
      `/product/apache/log4j?version=${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
    );
    assert.equal(status, 200);
    assert.doesNotMatch(text, /<img/);
  });

  test('names are taken in any spelling; an unknown one leads on', async () => {
    assert.equal((await page('/product/Apache/Log4J')).status, 200);
    const { status, text } = await page('/product/acme/nosuchthing');
    assert.equal(status, 404);
    assert.match(textOf(text), /No CVE names a product “acme nosuchthing”/);
    assert.ok(linksOf(text).includes('/vendor/acme'));
    assert.ok(linksOf(text).includes('/search?product=nosuchthing'));
  });

  test('what is not known is said', async () => {
    const { text } = await page('/product/acme/calendar');
    assert.match(textOf(text), /not known: endoflife\.date does not list its releases/);
    assert.match(textOf(text), /none known exploited/);
  });

  test('clients that prefer JSON get the product', async () => {
    const { body } = await service.get('/product/apache/log4j', { accept: 'application/json' });
    assert.equal(body.cves, 1);
    assert.deepEqual(body.names, [{ vendor: 'apache', product: 'log4j', cves: 1 }]);
  });
});

describe('the page of a vendor', () => {
  test('counts, and leads to its products', async () => {
    const { status, text } = await page('/vendor/apache');
    assert.equal(status, 200);
    assert.match(text, /<title>apache: 1 CVE, 1 known exploited · Sextant<\/title>/);
    assert.ok(linksOf(text).includes('/product/apache/log4j'));
    assert.match(textOf(text), /1 of 1 CVE is critical/);
  });

  test('an unknown vendor is not a vendor without CVEs', async () => {
    const { status, text } = await page('/vendor/nosuchvendor');
    assert.equal(status, 404);
    assert.match(textOf(text), /No CVE names a vendor “nosuchvendor”/);
    assert.ok(linksOf(text).includes('/search?q=nosuchvendor'));
  });
});
