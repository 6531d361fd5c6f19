import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { repairSpfRecord } from '../../../src/analysis/email/spf/repair-spf-record.ts';

/** How RFC 7208, sections 5 and 6, spells what is meant; null: it cannot be told. */
describe('an SPF record with a misspelt term', () => {
  for (const [written, expected] of [
    ['v=spf1 ipv4:192.0.2.1 -all', 'v=spf1 ip4:192.0.2.1 -all'],
    ['v=spf1 ip:192.0.2.0/24 mx -all', 'v=spf1 ip4:192.0.2.0/24 mx -all'],
    ['v=spf1 192.0.2.1 ~all', 'v=spf1 ip4:192.0.2.1 ~all'],
    ['v=spf1 ipv6:2001:db8::/32 -all', 'v=spf1 ip6:2001:db8::/32 -all'],
    ['v=spf1 ip4:2001:db8::1 -all', 'v=spf1 ip6:2001:db8::1 -all'],
    ['v=spf1 ip4=192.0.2.1 -all', 'v=spf1 ip4:192.0.2.1 -all'],
    ['v=spf1 includes:_spf.example.com -all', 'v=spf1 include:_spf.example.com -all'],
    ['v=spf1 include=_spf.example.com -all', 'v=spf1 include:_spf.example.com -all'],
    ['v=spf1 redirect:_spf.example.com', 'v=spf1 redirect=_spf.example.com'],
    ['v=spf1 mx -all;', 'v=spf1 mx -all'],
    ['v=spf1 mx -all', null],
    ['v=spf1 ip4:300.0.2.1 -all', null],
    ['v=spf1 mailserver -all', null],
    ['v=spf1 ipv4:192.0.2.1 mailserver -all', null],
  ] as const) {
    test(`${written} -> ${expected}`, () => assert.equal(repairSpfRecord(written)?.record ?? null, expected));
  }
});
