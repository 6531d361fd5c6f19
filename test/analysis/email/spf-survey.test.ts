import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lookUpSpf } from '../../../src/analysis/email/spf/look-up-spf.ts';
import { zoneDns, type ZoneRecords } from '../../../quality/mail/zone-dns.ts';

const txt = (...texts: string[]): ZoneRecords => ({ TXT: texts });
const FAILS: ZoneRecords = { elsewhere: 'fails' };
const survey = (zone: Record<string, ZoneRecords>) => lookUpSpf('example.com', zoneDns(zone));

describe('an SPF record as it stands', () => {
  test('lookups are counted through includes and redirects', async () => {
    const found = await survey({
      // a, mx, two includes and the redirect, then what they need themselves: 5 + 1 + 0 + 1.
      'example.com': {
        ...txt('v=spf1 a mx ip4:192.0.2.1 include:one.example include:two.example redirect=three.example'),
        A: ['192.0.2.1'],
        MX: [[1, 'm']],
      },
      'one.example': txt('v=spf1 include:two.example -all'),
      'two.example': txt('v=spf1 ip4:192.0.2.2 -all'),
      'three.example': txt('v=spf1 exists:%{i}.list.example ~all'),
    });
    assert.equal(found.lookupCount, 7);
    assert.equal(found.allPolicy, 'softfail', 'that of the redirect');
    assert.deepEqual(found.voids, []);
    assert.deepEqual(found.brokenIncludes, []);
  });

  test('what stands behind "all" is never reached', async () => {
    const found = await survey({ 'example.com': txt('v=spf1 -all include:absent.example redirect=absent.example') });
    assert.equal(found.lookupCount, 0);
    assert.deepEqual(found.brokenIncludes, []);
  });

  test('a macro of the domain itself is known (RFC 7208, section 7.2), others depend on the message', async () => {
    const own = await survey({
      'example.com': txt('v=spf1 redirect=_spf.%{d}'),
      '_spf.example.com': txt('v=spf1 include:%{d2}.one.example -all'),
      'example.com.one.example': txt('v=spf1 ip4:192.0.2.1 -all'),
    });
    assert.deepEqual([own.allPolicy, own.lookupCount, own.brokenIncludes], ['fail', 2, []]);
    const varying = await survey({ 'example.com': txt('v=spf1 redirect=%{i}.spf.example.com') });
    assert.deepEqual([varying.allPolicy, varying.lookupCount], [null, null], 'not known, rather than none');
  });

  test('a record that leads back to itself', async () => {
    const own = await survey({ 'example.com': txt('v=spf1 include:example.com -all') });
    assert.deepEqual([own.loops, own.brokenIncludes], [['example.com'], []]);
    const over = await survey({
      'example.com': txt('v=spf1 include:one.example -all'),
      'one.example': txt('v=spf1 redirect=EXAMPLE.com'),
    });
    assert.deepEqual([over.loops, over.brokenIncludes], [['example.com'], []]);
  });

  test('of several records none is evaluated (RFC 7208, section 4.5)', async () => {
    const found = await survey({ 'example.com': txt('v=spf1 -all', 'v=spf1 include:absent.example ~all') });
    assert.deepEqual([found.records.length, found.allPolicy, found.lookupCount], [2, null, null]);
  });

  test('the all of an include is not that of the domain', async () => {
    const found = await survey({ 'example.com': txt('v=spf1 include:one.example'), 'one.example': txt('v=spf1 +all') });
    assert.equal(found.allPolicy, null);
  });

  test('includes that lead nowhere, to broken records, and in circles', async () => {
    const found = await survey({
      'example.com': txt(
        'v=spf1 include:absent.example include:broken.example include:twice.example include:loop.example -all',
      ),
      'broken.example': txt('v=spf1 ip4:300.0.0.1 -all'),
      'twice.example': txt('v=spf1 -all', 'v=spf1 ~all'),
      'loop.example': txt('v=spf1 include:example.com -all'),
    });
    assert.deepEqual(found.brokenIncludes.toSorted(), ['absent.example', 'broken.example', 'twice.example']);
    assert.deepEqual(found.loops, ['example.com']);
  });

  test('names that lead nowhere', async () => {
    const found = await survey({
      'example.com': txt('v=spf1 a:one.example mx:two.example exists:three.example a:there.example -all'),
      'there.example': { AAAA: ['2001:db8::1'] },
    });
    assert.deepEqual(found.voids.toSorted(), ['one.example', 'three.example', 'two.example']);
  });

  test('an include that was not answered: the count is not known, and nothing is called broken', async () => {
    const found = await survey({ 'example.com': txt('v=spf1 include:one.example -all'), 'one.example': FAILS });
    assert.equal(found.lookupCount, null);
    assert.deepEqual(found.brokenIncludes, []);
    assert.equal(found.present, true);
  });

  test('a syntax error, with its place', async () => {
    const found = await survey({ 'example.com': txt('v=spf1 ipv4:192.0.2.1 -all') });
    assert.match(found.syntaxError ?? '', /"ipv4:192\.0\.2\.1"/);
    assert.deepEqual(found.mechanisms, ['ipv4:192.0.2.1', '-all']);
  });

  test('very large networks, and ptr', async () => {
    const found = await survey({ 'example.com': txt('v=spf1 ip4:10.0.0.0/8 ip4:192.0.2.0/24 ip6:2001::/16 ptr -all') });
    assert.deepEqual(found.wideNetworks, ['ip4:10.0.0.0/8', 'ip6:2001::/16']);
    assert.equal(found.usesPtr, true);
  });

  test('a tree that grows without end is walked no further than it takes', async () => {
    let asked = 0;
    const dns = zoneDns({});
    const found = await lookUpSpf('example.com', {
      ...dns,
      txt: async (name) => {
        asked++;
        return [`v=spf1 ${[1, 2, 3].map((index) => `include:${index}.${name.slice(-100)}`).join(' ')} -all`];
      },
    });
    assert.ok(found.lookupCount! > 10);
    assert.ok(asked <= 40, `${asked} questions`);
  });
});
