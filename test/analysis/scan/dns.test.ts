import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SiteDnsFacts, dnsModule } from '../../../src/analysis/scan/dns.ts';

const ALL: SiteDnsFacts = {
  caa: [
    { tag: 'issue', value: 'ca.example' },
    { tag: 'ISSUE', value: ';' },
    { tag: 'iodef', value: 'mailto:a@b.example' },
  ],
  nameServers: ['ns1.example', 'ns2.example'],
  ipv6: true,
  dangling: null,
  spf: ['v=spf1 -all'],
  dmarc: { present: true, effectivePolicy: 'reject', foundAt: 'site.example', multipleAt: null },
};
const NO_DMARC: SiteDnsFacts['dmarc'] = { present: null, effectivePolicy: null, foundAt: null, multipleAt: null };
const NONE: SiteDnsFacts = { caa: null, nameServers: null, ipv6: null, dangling: null, spf: null, dmarc: NO_DMARC };

describe('what the DNS of a site tells in part', () => {
  test('nothing answered is not looked at', () => {
    assert.equal(dnsModule(NONE), null);
    // An address family alone says nothing of how the name is kept.
    assert.equal(dnsModule({ ...NONE, ipv6: true }), null);
  });

  for (const known of ['caa', 'nameServers', 'spf', 'dmarc'] as const) {
    test(`${known} alone is looked at; the rest is told as not found out, and gives no finding`, () => {
      const result = dnsModule({ ...NONE, [known]: ALL[known] });
      assert.deepEqual(result?.findings, []);
      assert.equal(result?.details.filter((line) => line.endsWith(': not found out.')).length, 4);
    });
    test(`all but ${known}`, () => {
      const result = dnsModule({ ...ALL, [known]: NONE[known] });
      assert.deepEqual(result?.findings, []);
      assert.equal(result?.details.filter((line) => line.endsWith(': not found out.')).length, 1);
    });
  }

  test('all of it in words', () => {
    assert.deepEqual(dnsModule(ALL)?.details, [
      'Name servers: 2.',
      'CAA: ca.example, ;.',
      'IPv6: yes.',
      'SPF: v=spf1 -all.',
      'DMARC: reject.',
    ]);
    const nothing: SiteDnsFacts = {
      ...ALL,
      caa: [],
      nameServers: [],
      ipv6: false,
      spf: [],
      dmarc: { ...NO_DMARC, present: false },
    };
    assert.deepEqual(dnsModule(nothing)?.details, [
      'Name servers: those of the zone above.',
      'CAA: none.',
      'IPv6: no.',
      'SPF: none.',
      'DMARC: none.',
    ]);
  });
});
