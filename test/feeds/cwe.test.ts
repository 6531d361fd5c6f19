import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cweFeed } from '../../src/feeds/cwe/cwe.ts';
import type { WeaknessEntry } from '../../src/feeds/entries.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { sharedPath } from '../support/shared.ts';
import { parseFeed } from './parse-feed.ts';
import { zipOf } from './zip-of.ts';

const real = sharedPath('feeds', 'cwe', 'cwec_latest.xml.zip');

function list(weaknesses: string, rest = ''): Buffer {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<Weakness_Catalog Name="CWE" Version="9.9" Date="2030-01-02" xmlns="http://cwe.mitre.org/cwe-7" xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <Weaknesses>${weaknesses}</Weaknesses>${rest}</Weakness_Catalog>`;
  return zipOf([{ name: 'cwec_v9.9.xml', content: xml }]);
}

function weakness(id: number, inner: string, status = 'Draft'): string {
  return `<Weakness ID="${id}" Name="Weakness ${id} &amp; Co" Abstraction="Base" Structure="Simple" Status="${status}">${inner}</Weakness>`;
}

test('the real list is read', { skip: real === null && 'no feeds' }, async () => {
  const { entries, told } = await parseFeed(cweFeed, real!);
  assert.deepEqual(told.skipped, []);
  assert.equal(told.notes['version'], '4.15');
  assert.equal(told.asOf, '2024-07-16');
  const count = (what: (entry: WeaknessEntry) => boolean) => entries.filter(what).length;
  assert.equal(entries.length, 964);
  assert.equal(
    count((entry) => entry.parents.length > 0),
    929,
  );
  assert.equal(
    count((entry) => entry.mitigations.length > 0),
    668,
  );
  assert.equal(
    count((entry) => entry.examples.length > 0),
    549,
  );
  // View 1000 of CWE 4.15: 929 with a parent in it and the 10 pillars.
  assert.equal(
    count((entry) => entry.in_view_1000),
    939,
  );
  assert.equal(
    count((entry) => entry.abstraction === 'Pillar' && entry.in_view_1000),
    10,
  );
  assert.ok(entries.every((entry) => entry.status !== 'Deprecated' || !entry.in_view_1000));
  assert.ok(entries.every((entry) => !/<|xhtml/.test(entry.name) && !/xhtml|\s$|^\s/.test(entry.description)));

  const xss = entries.find((entry) => entry.cwe_id === 'CWE-79');
  assert.equal(xss?.name, "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')");
  assert.equal(xss?.abstraction, 'Base');
  assert.deepEqual(xss?.parents, ['CWE-74']);
  assert.equal(xss?.mitigations[1]?.phase, 'Implementation, Architecture and Design');
  assert.equal(xss?.mitigations[0]?.strategy, 'Libraries or Frameworks');
  assert.equal(xss?.mitigations[2]?.effectiveness, 'Limited');
  assert.match(xss?.extended_description ?? '', /occur when:\n- Untrusted data enters a web application/);
  const cookie = entries.find((entry) => entry.cwe_id === 'CWE-1004');
  assert.deepEqual(cookie?.examples[0], {
    reference: 'CVE-2022-24045',
    description:
      'Web application for a room automation system has client-side Javascript that sets a sensitive cookie without the HTTPOnly security attribute, allowing the cookie to be accessed.',
    link: 'https://www.cve.org/CVERecord?id=CVE-2022-24045',
  });
});

test('text keeps its paragraphs and lists', async () => {
  const inner = `<Description>Plain,
       with   space &lt;b&gt;.</Description>
    <Extended_Description>
      <xhtml:p>First <xhtml:b>bold</xhtml:b> words.</xhtml:p>
      <xhtml:ul>
        <xhtml:li>one</xhtml:li>
        <xhtml:li><xhtml:p>two</xhtml:p><xhtml:ol><xhtml:li>deeper</xhtml:li></xhtml:ol></xhtml:li>
      </xhtml:ul>
      <xhtml:div style="margin-left:1em;">a<xhtml:br/>b</xhtml:div>after
    </Extended_Description>`;
  const { entries } = await parseFeed(cweFeed, list(weakness(1, inner)));
  assert.equal(entries[0]?.name, 'Weakness 1 & Co');
  assert.equal(entries[0]?.description, 'Plain, with space <b>.');
  assert.equal(entries[0]?.extended_description, 'First bold words.\n- one\n- two\n  - deeper\na\nb\nafter');
});

test('parents are those of view 1000, primary first; pillars are members, deprecated ones are not', async () => {
  const related = `<Related_Weaknesses>
    <Related_Weakness Nature="ChildOf" CWE_ID="5" View_ID="1000"/>
    <Related_Weakness Nature="ChildOf" CWE_ID="6" View_ID="1003" Ordinal="Primary"/>
    <Related_Weakness Nature="CanPrecede" CWE_ID="7" View_ID="1000"/>
    <Related_Weakness Nature="ChildOf" CWE_ID="8" View_ID="1000" Ordinal="Primary"/>
  </Related_Weaknesses>`;
  const views = `<Views>
    <View ID="1000" Name="Research Concepts" Type="Graph" Status="Draft"><Members><Has_Member CWE_ID="2" View_ID="1000"/><Has_Member CWE_ID="3" View_ID="1000"/></Members></View>
    <View ID="699" Name="Other" Type="Graph" Status="Draft"><Members><Has_Member CWE_ID="4" View_ID="699"/></Members></View>
  </Views>`;
  const weaknesses = weakness(1, related) + weakness(2, '') + weakness(3, '', 'Deprecated') + weakness(4, '');
  const { entries } = await parseFeed(cweFeed, list(weaknesses, views));
  assert.deepEqual(entries[0]?.parents, ['CWE-8', 'CWE-5']);
  assert.deepEqual(
    entries.map((entry) => entry.in_view_1000),
    [true, true, false, false],
  );
});

test('a broken weakness is skipped and named; elements that are new to us are let be', async () => {
  const weaknesses = `${weakness(1, '<Novelty><Description>no</Description></Novelty><Description>yes</Description>')}
    <Weakness Name="no id" Abstraction="Base" Status="Draft"/><Weakness ID="2" Name="half"/>`;
  const { entries, told } = await parseFeed(cweFeed, list(weaknesses));
  assert.deepEqual(
    entries.map((entry) => entry.description),
    ['yes'],
  );
  assert.deepEqual(
    told.skipped.map(({ what }) => what),
    ['weakness ?', 'weakness 2'],
  );
});

test('links other than web addresses are not kept, entities of a DTD not expanded', async () => {
  const example = `<Observed_Examples><Observed_Example><Reference>CVE-2030-0001</Reference><Description>&a;</Description>
    <Link>javascript:alert(1)</Link></Observed_Example></Observed_Examples>`;
  const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>
    <Weakness_Catalog Version="1" Date="2030-01-02"><Weaknesses>${weakness(1, example)}</Weaknesses></Weakness_Catalog>`;
  const { entries } = await parseFeed(cweFeed, zipOf([{ name: 'a.xml', content: xml }]));
  assert.deepEqual(entries[0]?.examples, [{ reference: 'CVE-2030-0001', description: '&a;', link: null }]);
});

test('what is no CWE list is refused', async () => {
  const whole = `<Weakness_Catalog Version="1" Date="2030-01-02"><Weaknesses>${weakness(1, '')}</Weaknesses></Weakness_Catalog>`;
  const zipped = (content: string) => zipOf([{ name: 'cwec.xml', content }]);
  const faults: [Uint8Array, RegExp][] = [
    [Buffer.alloc(0), /empty/],
    [Buffer.from('<!doctype html>'), /an HTML page came in the place of a zip file/],
    [zipOf([{ name: 'readme.txt', content: 'hello' }]), /no \.xml file/],
    [zipped(whole.slice(0, -30)), /the XML ends before it is complete/],
    [zipped('<rss></rss>'), /a "rss", not a CWE Weakness_Catalog/],
    [zipped('not XML at all'), /holds no element/],
  ];
  for (const [content, message] of faults) {
    const parsing = parseFeed(cweFeed, content);
    await assert.rejects(parsing, (error) => error instanceof FeedFormatError && message.test(error.message));
  }
});
