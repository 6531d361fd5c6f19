import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assessLookAlike, type LookAlikeFacts } from '../../../src/analysis/look-alikes/assess-look-alike.ts';
import { listLookAlikes } from '../../../src/analysis/look-alikes/list-look-alikes.ts';

describe('look-alikes of a name', () => {
  const found = new Map(listLookAlikes('www.example.co.uk', 5000).map(({ domain, kind }) => [domain, kind]));

  for (const [domain, kind] of [
    ['examp1e.co.uk', 'homoglyph'],
    ['exarnple.co.uk', 'homoglyph'],
    // Cyrillic a (U+0430).
    ['xn--exmple-4nf.co.uk', 'idn_homoglyph'],
    ['exaple.co.uk', 'omission'],
    ['exxample.co.uk', 'repetition'],
    ['exmaple.co.uk', 'transposition'],
    ['exanple.co.uk', 'homoglyph'],
    ['exsmple.co.uk', 'replacement'],
    ['exasmple.co.uk', 'insertion'],
    ['example1.co.uk', 'addition'],
    ['exemple.co.uk', 'vowel_swap'],
    ['examples.co.uk', 'plural'],
    ['ex-ample.co.uk', 'hyphen'],
    ['eyample.co.uk', 'bitsquat'],
    ['ample.co.uk', 'dot'],
    ['example.com', 'ending'],
    ['example-login.co.uk', 'word'],
    ['wwwexample.co.uk', 'www'],
  ] as const)
    test(`${kind}: ${domain}`, () => assert.equal(found.get(domain), kind));

  test('the name itself, its subdomains and what is no name are not listed', () => {
    assert.ok(!found.has('example.co.uk'));
    for (const domain of found.keys()) assert.match(domain, /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)+$/);
  });

  test('a limit leaves something of each kind', () => {
    const kinds = new Set(listLookAlikes('example.com', 100).map(({ kind }) => kind));
    assert.ok(kinds.size >= 14, [...kinds].join(' '));
    assert.equal(listLookAlikes('example.com', 100).length, 100);
  });

  test('a public suffix has none', () => assert.deepEqual(listLookAlikes('co.uk', 10), []));
});

describe('how much a look-alike matters', () => {
  const NOW = Date.parse('2026-06-01T00:00:00Z');
  const original = {
    domain: 'example.com',
    addresses: ['192.0.2.1'],
    mailServers: ['mx.example.com'],
    nameServers: ['ns1.dns.example', 'ns2.dns.example'],
    page: { host: 'www.example.com', title: 'Example Shop', siteName: null },
  };
  const plain: LookAlikeFacts = {
    domain: 'examp1e.com',
    addresses: ['198.51.100.1'],
    mailServers: [],
    nameServers: ['ns1.other.example'],
    registered: '2010-01-01',
    certificateSince: '2026-01-01T00:00:00Z',
    page: null,
  };
  const page = (host: string, title: string): LookAlikeFacts['page'] => ({ host, title, siteName: null });

  for (const [what, changes, concern] of [
    ['old and silent', {}, 'low'],
    ['takes mail', { mailServers: ['mx.other.example'] }, 'medium'],
    ['registered lately', { registered: '2026-05-01' }, 'medium'],
    ['new, and takes mail', { registered: '2026-05-01', mailServers: ['mx.other.example'] }, 'high'],
    ['shows the same title', { page: page('examp1e.com', 'Example Shop') }, 'high'],
    // Who deceives can send visitors on to the original, too, and be at the same large operator.
    ['leads to the original', { page: page('www.example.com', 'Example Shop') }, 'low'],
    ['has the same name servers', { nameServers: ['ns2.dns.example', 'ns1.dns.example'] }, 'low'],
    [
      'leads to the original, from its addresses',
      { page: page('www.example.com', 'Example Shop'), addresses: ['192.0.2.1'] },
      'owner',
    ],
    ['uses name servers of the original', { nameServers: ['ns1.example.com'] }, 'owner'],
    ['is parked', { nameServers: ['ns1.sedoparking.com'] }, 'parked'],
  ] as const)
    test(what, () => assert.equal(assessLookAlike({ ...plain, ...changes }, original, NOW).concern, concern));
});
