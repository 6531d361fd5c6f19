import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkBimiLogo } from '../../../src/analysis/email/bimi-logo.ts';
import { lookUpMxProblems } from '../../../src/analysis/email/look-up-mx-problems.ts';
import { countIpv4Addresses, SenderCollector } from '../../../src/analysis/email/spf/senders.ts';
import { findSendingService } from '../../../src/analysis/email/spf/sending-services.ts';
import { matchesTlsa, type TlsaRecord, tlsaProblem } from '../../../src/analysis/email/tlsa.ts';
import { zoneDns } from '../../../quality/mail/zone-dns.ts';

describe('TLSA records of mail servers (RFC 7672)', () => {
  const digest = 'ab'.repeat(32);
  const record = (changes: Partial<TlsaRecord>): TlsaRecord => ({
    usage: 3,
    selector: 1,
    matchingType: 1,
    data: digest,
    ...changes,
  });
  const leaf = {
    forms: [
      ['cert', 'leaf256', 'leaf512'],
      ['key', digest, 'key512'],
    ],
  };
  const issuer = {
    forms: [
      ['', 'issuer256', ''],
      ['', 'issuerkey256', ''],
    ],
  };

  test('what cannot be used', () => {
    assert.equal(tlsaProblem(record({})), null);
    assert.match(tlsaProblem(record({ usage: 1 }))!, /usage 1.*3\.1\.3/);
    assert.match(tlsaProblem(record({ usage: 4 }))!, /does not exist/);
    assert.match(tlsaProblem(record({ matchingType: 2 }))!, /32 bytes.*has 64/);
    assert.match(tlsaProblem(record({ matchingType: 0, data: '' }))!, /no data/);
  });

  test('usage 3 is the certificate itself, usage 2 one above it that is sent', () => {
    assert.equal(matchesTlsa(record({}), [leaf, issuer]), true);
    assert.equal(matchesTlsa(record({ usage: 2 }), [leaf, issuer]), false);
    const authority = {
      forms: [
        ['', '', ''],
        ['', digest, ''],
      ],
    };
    assert.equal(matchesTlsa(record({ usage: 2 }), [leaf, authority]), true);
    assert.equal(matchesTlsa(record({ usage: 3 }), [issuer, leaf]), false);
  });
});

describe('senders of SPF', () => {
  test('networks within others are left out, addresses counted once', () => {
    const collector = new SenderCollector('a', null);
    for (const [address, prefix] of [
      ['192.0.2.7', 32],
      ['192.0.2.0', 24],
      ['192.0.2.128', 25],
      ['2001:db8::1', 64],
    ] as const)
      collector.add(address, prefix);
    assert.deepEqual(collector.toSender().networks, ['192.0.2.0/24', '2001:db8::/64']);
    assert.equal(countIpv4Addresses(['192.0.2.0/24', '192.0.2.128/25', '198.51.100.1/32', '2001:db8::/64']), 257);
    assert.equal(countIpv4Addresses(['0.0.0.0/1', '128.0.0.0/1']), 2 ** 32);
  });

  test('services by what their customers include', () => {
    assert.equal(findSendingService('_spf.google.com'), 'Google Workspace');
    assert.equal(findSendingService('u123.wl.sendgrid.net'), 'SendGrid');
    assert.equal(findSendingService('SPF.protection.outlook.com'), 'Microsoft 365');
    assert.equal(findSendingService('_spf.example.net'), null);
  });
});

test('MX records that senders cannot use', async () => {
  const dns = zoneDns({ 'mx1.example.com': { A: ['192.0.2.1'] }, 'mx3.example.com': { elsewhere: 'fails' } });
  const exchanges = ['mx1.example.com', 'mx2.example.com', 'mx3.example.com', '192.0.2.9', ''];
  const mx = exchanges.map((exchange, preference) => ({ preference, exchange }));
  assert.deepEqual(await lookUpMxProblems(mx, dns), {
    withoutAddress: ['mx2.example.com'],
    malformed: ['192.0.2.9 is no host name', 'a null MX among others'],
  });
  assert.deepEqual(await lookUpMxProblems([{ preference: 0, exchange: '' }], dns), {
    withoutAddress: [],
    malformed: [],
  });
});

describe('logos of BIMI (SVG Tiny Portable/Secure)', () => {
  const svg = (inner: string, attributes = 'version="1.2" baseProfile="tiny-ps" viewBox="0 0 9 9"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><title>Logo</title>${inner}</svg>`;
  for (const [what, text, problem] of [
    ['in order', svg('<path d="M0 0"/>'), null],
    ['a script', svg('<script>1</script>'), /not allowed: script/],
    ['an image', svg('<image href="data:x"/>'), /not allowed: image/],
    ['a reference to elsewhere', svg('<use xlink:href="https://e.example/x.svg"/>'), /refers to other files/],
    ['a reference within', svg('<use xlink:href="#a"/>'), null],
    ['an event handler', svg('<path onclick="x()"/>'), /event handlers/],
    ['another profile', svg('', 'version="1.1" viewBox="0 0 9 9"'), /baseProfile/],
    ['not square', svg('', 'version="1.2" baseProfile="tiny-ps" viewBox="0 0 9 8"'), /square/],
    ['no title', '<svg version="1.2" baseProfile="tiny-ps" viewBox="0 0 9 9"/>', /no title/],
    ['a page', '<html><body/></html>', /no SVG/],
    ['nothing', '', /no SVG/],
  ] as const) {
    test(what, () => {
      const problems = checkBimiLogo(text, text.length).join('; ');
      if (problem === null) assert.equal(problems, '');
      else assert.match(problems, problem);
    });
  }

  test('too large', () => assert.match(checkBimiLogo(svg(''), 40_000).join(), /40000 bytes/));
});
