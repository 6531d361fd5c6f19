import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWhoisExcerpt, parseWhois, findReferralServer } from '../../../src/analysis/whois/parse-whois.ts';
import { cpuMs } from '../../support/cpu-time.ts';

/** One registration in the layouts that registries use. */
const LAYOUTS: Readonly<Record<string, string>> = {
  'key and value': `
domain:      example.test
registrar:   Registrar Example Ltd
created:     2004-03-02
changed:     2024-01-05
expires:     2030-03-02
status:      ok
nserver:     ns1.example.net 192.0.2.1
nserver:     NS2.EXAMPLE.NET.

person:      Jo Public
created:     1999-01-01
e-mail:      jo@example.test`,
  'words of ICANN': `   Domain Name: EXAMPLE.TEST
   Registrar WHOIS Server: whois.registrar.example
   Reseller:
   Updated Date: 2024-01-05T00:00:00Z
   Creation Date: 2004-03-02T00:00:00Z
   Registry Expiry Date: 2030-03-02T00:00:00Z
   Registrar: Registrar Example Ltd
   Domain Status: ok https://icann.org/epp#ok
   Registrant Name: Jo Public
   Name Server: NS1.EXAMPLE.NET
   Name Server: NS2.EXAMPLE.NET
>>> Last update of WHOIS database: 2026-01-01T00:00:00Z <<<`,
  'headings over indented lines': `
    Domain name:
        example.test

    Registrant:
        Jo Public
        1 Public Street

    Registrar:
        Registrar Example Ltd [Tag = EXAMPLE]
        URL: https://registrar.example

    Relevant dates:
        Registered on: 02-Mar-2004
        Expiry date:  02-Mar-2030
        Last updated:  05-Jan-2024

    Registration status:
        ok

    Name servers:
        ns1.example.net    192.0.2.1
        ns2.example.net

    WHOIS lookup made at 10:00:00 01-Jan-2026`,
  brackets: `
[ Example registry: for questions see our pages. ]
Domain Information:
a. [Domain Name]                EXAMPLE.TEST
g. [Registrar]                  Registrar Example Ltd
p. [Name Server]                ns1.example.net
p. [Name Server]                ns2.example.net
s. [Signing Key]
[Status]                        ok
[Created on]                    2004/03/02
[Expires on]                    2030/03/02
[Last Update]                   2024/01/05 09:00:00 (JST)`,
  leaders: `
domain.............: example.test
status.............: ok
created............: 2.3.2004
expires............: 2.3.2030
modified...........: 5.1.2024

Nameservers

nserver............: ns1.example.net [OK]
nserver............: ns2.example.net [OK]

Holder

name...............: Jo Public
created............: 1.1.1999

Registrar

registrar..........: Registrar Example Ltd`,
  sentences: `
Domain Name: example.test
   Registrant:
      Jo Public

   Record created on 2004-03-02 (YYYY-MM-DD)
   Record expires on 2030-03-02 (YYYY-MM-DD)
   Record last updated on 05-Jan-2024.
   Status: ok

   Domain servers in listed order:
      ns1.example.net      192.0.2.1
      ns2.example.net

Registration Service Provider: Registrar Example Ltd`,
  columns: `
Domain-name         example.test
Registrar           Registrar Example Ltd
Admin-name          Jo Public
dns_name            ns1.example.net
dns_name            ns2.example.net
Last-update         2024-01-05
Created             2004-03-02
Valid-date          2030-03-02
Domain-status       ok`,
};

describe('a WHOIS text', () => {
  for (const [layout, text] of Object.entries(LAYOUTS)) {
    test(`in ${layout}`, () => {
      for (const given of [text, text.replaceAll('\n', '\r\n')]) {
        const got = parseWhois(given, 'test');
        assert.equal(got.outcome, 'registered');
        assert.equal(got.domain, 'example.test');
        assert.equal(got.registrar, 'Registrar Example Ltd');
        assert.equal(got.created?.slice(0, 10), '2004-03-02');
        assert.equal(got.expires?.slice(0, 10), '2030-03-02');
        assert.equal(got.updated?.slice(0, 10), '2024-01-05');
        assert.deepEqual(got.nameServers, ['ns1.example.net', 'ns2.example.net']);
        assert.deepEqual(got.status, ['ok']);
        assert.doesNotMatch(JSON.stringify(got), /Public/);
      }
    });
  }

  for (const [text, outcome] of [
    ['No match for "EXAMPLE.TEST".\r\n>>> Last update of whois database: 2026-01-01 <<<', 'available'],
    ['Domain: example.test\nStatus: free', 'available'],
    ['% Rights restricted by copyright.\n%ERROR:101: no entries found', 'available'],
    ['example.test is free', 'available'],
    ['NOTE: FAILURE TO LOCATE A RECORD IN THE WHOIS DATABASE IS NOT INDICATIVE OF THE AVAILABILITY', 'unreadable'],
    ['Number of allowed queries exceeded.', 'refused'],
    ['% Error: 55000000002 Connection refused; access control limit reached.', 'refused'],
    ['example.test: Server too busy, try again later', 'refused'],
    ['Reserved by Registry', 'reserved'],
    ['Domain Status: Reserved', 'reserved'],
    ['Domain: example.test\nStatus: invalid', 'invalid'],
    // The question repeated, and words that nobody knows yet.
    ['Query: example.test\nWe have not heard of this one.', 'unreadable'],
    ['Domain: example.test\nStatus: nobody has asked us for the registration of this name before', 'unreadable'],
    ['Status: constructor', 'registered'],
    ['', 'unreadable'],
    ['<html><body>Hello</body></html>', 'unreadable'],
  ] as const) {
    test(`says ${outcome}: ${text.slice(0, 40)}`, () => assert.equal(parseWhois(text).outcome, outcome));
  }

  test('legal words about limits do not make a refusal of a registration', () => {
    const text = `${LAYOUTS['words of ICANN']}\nToo many queries are blocked. You have exceeded nothing.`;
    assert.equal(parseWhois(text).outcome, 'registered');
  });

  test('EPP codes are recognised in every spelling', () => {
    const { status } = parseWhois(
      'Domain: a.test\nStatus: CLIENT TRANSFER PROHIBITED\nStatus: serverhold\nStatus: pending delete, Locked',
    );
    assert.deepEqual(status, ['clientTransferProhibited', 'serverHold', 'pendingDelete', 'Locked']);
  });

  test('invisible and control characters do not get through', () => {
    const got = parseWhois('Domain: a.test\nRegistrar: Ev\u202eil\u200b\u0007 Ltd\nStatus: o\u0000k');
    assert.equal(got.registrar, 'Evil Ltd');
    assert.deepEqual(got.status, ['ok']);
  });

  test('values and lists have bounds', () => {
    const many = Array.from(
      { length: 500 },
      (_, index) => `nserver: ns${index}.example.net\nstatus: word${'x'.repeat(index)}`,
    );
    const got = parseWhois(`domain: a.test\nregistrar: ${'r'.repeat(5000)}\n${many.join('\n')}`);
    assert.ok(got.nameServers.length <= 30 && got.status.length <= 30);
    assert.ok(got.registrar!.length <= 120 && got.status.every((status) => status.length <= 120));
  });

  test('hostile texts take no longer than their length', () => {
    for (const text of [
      ' '.repeat(64_000),
      'a '.repeat(32_000),
      '.'.repeat(64_000),
      'a.'.repeat(32_000),
      `Created${' . '.repeat(20_000)}`,
      'Name Server: ' + 'x.'.repeat(30_000),
      '1 '.repeat(32_000),
      `${'['.repeat(60_000)}]`,
      'a:\n'.repeat(20_000),
      `Registrar: ${'('.repeat(30_000)}${' https://'.repeat(3000)}`,
    ]) {
      const started = cpuMs();
      parseWhois(text);
      createWhoisExcerpt(text);
      findReferralServer(text);
      assert.ok(cpuMs() - started < 2500, text.slice(0, 20));
    }
  });
});

describe('what IANA refers to', () => {
  test('is a host', () => {
    assert.equal(findReferralServer('% IANA\n\nrefer:        whois.nic.test\n\ndomain: TEST'), 'whois.nic.test');
    assert.equal(findReferralServer('domain: TEST\nwhois:        WHOIS.NIC.TEST\n'), 'whois.nic.test');
  });

  for (const text of [
    '',
    'domain: EH\nstatus: ACTIVE',
    'refer:   \nother: x.test',
    'refer: 127.0.0.1',
    'refer: localhost',
    'refer: [::1]',
  ]) {
    test(`nobody: ${text}`, () => assert.equal(findReferralServer(text), null));
  }
});

test('an excerpt has no line with a mail address or a telephone number', () => {
  const text = 'Something new\nJo Public <jo@example.test>\nTel +41 44 123 45 67\n\u202eend';
  assert.equal(createWhoisExcerpt(text), 'Something new end');
});
