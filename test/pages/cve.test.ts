import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { IDS } from '../operations/fixture-facts.ts';
import { startService } from '../support/service.ts';
import { linksOf, textOf } from './read-page.ts';

const HTML = { accept: 'text/html' };
const service = await startService({ after });

async function read(path: string) {
  const { status, text, headers } = await service.get(path, HTML);
  return { status, headers, markup: text, text: textOf(text), links: linksOf(text) };
}

describe('the page of a CVE', () => {
  test('says how bad it is, that it is exploited, what to do, by when, and who says so', async () => {
    const { status, text, links, markup } = await read(`/cve/${IDS.log4shell}`);
    assert.equal(status, 200);
    assert.match(text, /critical 10\.0 NVD, CVSS 3\.1/);
    assert.match(text, /known exploited since 2021-12-10 used in ransomware campaigns/);
    assert.match(text, /EPSS 94\.4 %/);
    // Three days after it became known exploited, by CISA BOD 26-04; the catalog's own day is later.
    assert.match(text, /by 2021-12-13 \(overdue by [\d,]+ days; CISA BOD 26-04\)/);
    assert.match(text, /Due 2021-12-24/);
    assert.ok(links.includes('https://vendor.example/fixed'));
    assert.match(markup, /<title>CVE-2021-44228 critical 10\.0, known exploited: Names in messages/);
    assert.match(markup, /property="og:image" content="[^"]+\/picture\/cve\/CVE-2021-44228\.svg"/);
  });

  test('shows exploits of the sources that answered, and names those that did not', async () => {
    const { text, links } = await read(`/cve/${IDS.log4shell}`);
    assert.match(text, /Exploits are public: 2 exploits in Exploit-DB, 1 reference to exploits/);
    assert.ok(links.includes('https://www.exploit-db.com/exploits/50592'));
    assert.match(text, /GitHub: did not answer, so not known\. Shodan: did not answer, so not known/);
    assert.match(text, /2021-12-14 Exploit: Anvil drop 50590/);
  });

  test('links weaknesses, and shows references by kind', async () => {
    const { text, links } = await read(`/cve/${IDS.log4shell}`);
    assert.ok(links.includes('/cwe/CWE-79'));
    assert.match(text, /Fixes https:\/\/vendor\.example\/fixed/);
    assert.ok(links.includes(`/cve/${IDS.log4shell}?all=references`));
    const all = await read(`/cve/${IDS.log4shell}?all=references`);
    assert.ok(all.links.includes('https://advice.example/log4shell/24'));
  });

  test('lists what makers say of their products, and leads to all of it', async () => {
    const { text, links } = await read(`/cve/${IDS.log4shell}`);
    assert.match(text, /VEX: 1 product affected, 10 not affected, 1 fixed/);
    assert.match(text, /Acme Siren 1, 2, 3 and 2 more affected not given Acme csaf, ICSA-1 not known/);
    assert.match(text, /tool-0 all not affected component not present It is written in another language\./);
    assert.ok(!text.includes('tool-9'));
    assert.ok(links.includes(`/cve/${IDS.log4shell}?all=vex`));
    const all = await read(`/cve/${IDS.log4shell}?all=vex`);
    assert.match(all.text, /12 statements on products/);
    assert.match(all.text, /tool-9/);
    assert.doesNotMatch((await read(`/cve/${IDS.heartbleed}`)).text, /VEX/);
  });

  test('puts scorers that disagree side by side', async () => {
    const { text } = await read(`/cve/${IDS.heartbleed}`);
    assert.match(text, /Scorers disagree: high \(NVD\), low \(CISA-ADP\)/);
    assert.match(text, /attack complexity low high/);
  });

  test('without a score says so, and not that it is harmless', async () => {
    const { text } = await read(`/cve/${IDS.noScore}`);
    assert.match(text, /severity not known no source has scored it/);
    assert.match(text, /Nobody has scored it yet/);
    assert.match(text, /EPSS: not scored/);
    assert.match(text, /Whether there is a fix is not known/);
  });

  test('known to one source only, or only to the known-exploited catalog', async () => {
    assert.match((await read(`/cve/${IDS.cnaOnly}`)).text, /Known to one source only: cvelist/);
    const { status, text } = await read(`/cve/${IDS.kevOnly}`);
    assert.equal(status, 200);
    assert.match(text, /no CVE record of CVE-2022-90005 in any source/);
    assert.match(text, /Which products it affects is not known: no source names one/);
  });

  test('rejected: nothing to do, and nothing is asked outside', async () => {
    const { status, text, markup } = await read(`/cve/${IDS.rejected}`);
    assert.equal(status, 200);
    assert.match(text, /CVE-2023-90004 was rejected Nothing to do: the id must not be used/);
    assert.match(text, /Rejected reason: not a flaw/);
    assert.doesNotMatch(text, /GitHub: did not answer/);
    assert.match(markup, /<title>CVE-2023-90004 rejected/);
  });

  test('an id that no source knows: what that means, and where to look', async () => {
    const { status, text, links } = await read(`/cve/${IDS.unknown}`);
    assert.equal(status, 404);
    assert.match(text, /reserved: its facts are not published yet/);
    assert.ok(links.includes(`https://www.cve.org/CVERecord?id=${IDS.unknown}`));
  });

  test('another form of an id leads to the one page; a wrong one is an error', async () => {
    const { status, headers } = await read('/cve/cve-2021-44228?product=a%3Ab&version=1');
    assert.equal(status, 303);
    assert.equal(headers.location, '/cve/CVE-2021-44228?product=a%3Ab&version=1');
    const wrong = await read('/cve/CVE-12');
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /CVE-12.{0,3} is not a CVE id\. Accepted: CVE-, a year/);
  });

  test('clients that prefer JSON get the record', async () => {
    const { body } = await service.get(`/cve/${IDS.log4shell}`, { accept: 'application/json' });
    assert.equal(body.cve_id, IDS.log4shell);
    assert.equal(body.kev.due_date, '2021-12-24');
  });
});

describe('whether a version is affected', () => {
  test('is decided with its reason', async () => {
    const { text, markup } = await read(`/cve/${IDS.heartbleed}?product=openssl%3Aopenssl&version=1.0.1`);
    assert.match(text, /Affected\. 1\.0\.1/);
    assert.match(markup, /<option value="openssl:openssl" selected>/);
    assert.match((await read(`/cve/${IDS.heartbleed}?product=openssl%3Aopenssl&version=1.0.2`)).text, /Not affected\./);
  });

  test('is not known where no record names the product, or no version is given', async () => {
    const unnamed = await read(`/cve/${IDS.heartbleed}?product=acme%3Anothing&version=1`);
    assert.match(unnamed.text, /not a sign that it is not affected|Not known whether it is affected/);
    assert.match((await read(`/cve/${IDS.heartbleed}?product=openssl%3Aopenssl`)).text, /Which version\?/);
  });

  test('what a reader types stays text', async () => {
    const { status, markup } = await read(`/cve/${IDS.heartbleed}?product=%22%3E%3Cscript%3E&version=%3Cb%3E&purl=x`);
    assert.equal(status, 200);
    assert.doesNotMatch(markup, /"><script>|<b>&gt;|value="<b>/);
  });
});

describe('the picture for previews', () => {
  test('has the verdict, and may be kept for an hour', async () => {
    const { status, headers, markup } = await read(`/picture/cve/${IDS.log4shell}.svg`);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^image\/svg\+xml/);
    assert.equal(headers['cache-control'], 'public, max-age=3600');
    assert.match(markup, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1200" height="630"/);
    assert.match(markup, />CRITICAL 10\.0</);
    assert.match(markup, />known exploited since 2021-12-10</);
  });

  test('cuts what is long, and there is none for an unknown CVE', async () => {
    const { markup } = await read(`/picture/cve/${IDS.wordy}.svg`);
    const longest = Math.max(
      ...[...markup.matchAll(/<text [^>]*font-size="38">([^<]*)</g)].map(([, line]) => line!.length),
    );
    assert.ok(longest > 10 && longest <= 50, `${longest} characters`);
    assert.equal((await read(`/picture/cve/${IDS.unknown}.svg`)).status, 404);
    assert.equal((await read(`/picture/cve/${IDS.log4shell}.png`)).status, 404);
  });
});
