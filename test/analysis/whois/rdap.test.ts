import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readRdapDomain } from '../../../src/analysis/whois/rdap.ts';
import { sharedPath } from '../../support/shared.ts';

const samples = sharedPath('feeds', 'samples', 'rdap', 'domain');
const sample = (name: string) => readRdapDomain(JSON.parse(readFileSync(`${samples}/${name}.json`, 'utf8')));

/** A domain object as RFC 9083, 5.3 describes it. */
const DOMAIN = {
  objectClassName: 'domain',
  ldhName: 'EXAMPLE.TEST',
  status: ['client transfer prohibited', 'active', 'Something new'],
  events: [
    { eventAction: 'registration', eventDate: '2004-03-02T00:00:00Z' },
    { eventAction: 'last changed', eventDate: '2024-01-05T12:30:00+01:00' },
    { eventAction: 'expiration', eventDate: '2030-03-02T00:00:00.000Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2026-01-01T00:00:00Z' },
  ],
  secureDNS: { delegationSigned: true },
  nameservers: [{ ldhName: 'NS1.EXAMPLE.NET' }, { ldhName: 'ns2.example.net.' }, {}],
  entities: [
    { roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Jo Public']]] },
    {
      roles: ['registrar'],
      handle: '9999',
      publicIds: [{ type: 'IANA Registrar ID', identifier: '9999' }],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', 'Registrar\u202e Example Ltd'],
        ],
      ],
      entities: [{ roles: ['abuse'], vcardArray: ['vcard', [['email', {}, 'text', 'abuse@registrar.example']]] }],
    },
  ],
  links: [
    { rel: 'self', href: 'https://rdap.registry.test/domain/EXAMPLE.TEST', type: 'application/rdap+json' },
    { rel: 'related', href: 'https://rdap.registrar.example/domain/EXAMPLE.TEST', type: 'application/rdap+json' },
  ],
};

describe('an RDAP domain object', () => {
  test('gives what a WHOIS text would, and nothing of people', () => {
    assert.deepEqual(readRdapDomain(DOMAIN), {
      outcome: 'registered',
      domain: 'example.test',
      registrar: 'Registrar Example Ltd',
      registrarIanaId: '9999',
      registrarAbuseEmail: 'abuse@registrar.example',
      created: '2004-03-02T00:00:00Z',
      updated: '2024-01-05T11:30:00Z',
      expires: '2030-03-02T00:00:00Z',
      nameServers: ['ns1.example.net', 'ns2.example.net'],
      status: ['clientTransferProhibited', 'ok', 'Something new'],
      signed: true,
      referral: 'https://rdap.registrar.example/domain/EXAMPLE.TEST',
    });
  });

  for (const href of ['javascript:alert(1)', 'file:///domain/x', 'https://rdap.example/help', 'not a url']) {
    test(`a related link to ${href} is not followed`, () => {
      const links = [{ rel: 'related', href, type: 'application/rdap+json' }];
      assert.equal(readRdapDomain({ ...DOMAIN, links }).referral, null);
    });
  }

  for (const [what, value] of [
    ['an error', { errorCode: 404, title: 'Object not found' }],
    ['an entity', { objectClassName: 'entity', handle: 'x' }],
    ['null', null],
    ['a list', []],
    ['members of other types', { ...DOMAIN, events: 'soon' }],
  ] as const) {
    test(`${what} is none`, () => assert.throws(() => readRdapDomain(value)));
  }

  test('with the least that is allowed', () => {
    const least = readRdapDomain({ objectClassName: 'domain' });
    assert.equal(least.outcome, 'registered');
    assert.deepEqual([least.registrar, least.created, least.nameServers], [null, null, []]);
  });
});

describe('recorded RDAP answers', { skip: samples === null && 'no samples' }, () => {
  test('a thin registry refers to the registrar', () => {
    const google = sample('google.com.verisign');
    assert.equal(google.registrar, 'MarkMonitor Inc.');
    assert.equal(google.registrarIanaId, '292');
    assert.equal(google.registrarAbuseEmail, 'abusecomplaints@markmonitor.com');
    assert.equal(google.expires, '2028-09-14T04:00:00Z');
    assert.equal(google.signed, false);
    assert.equal(google.referral, 'https://rdap.markmonitor.com/rdap/domain/GOOGLE.COM');
    assert.ok(google.status.includes('serverDeleteProhibited'));
  });

  test('a registrar names itself by its organisation', () => {
    const google = sample('google.com.markmonitor');
    assert.equal(google.registrar, 'MarkMonitor Inc.');
    assert.equal(google.created, '1997-09-15T07:00:00Z');
    assert.equal(google.updated, '2019-09-09T15:39:04Z');
  });

  test('a registry that says neither status nor expiry', () => {
    const norway = sample('norway.no.norid');
    assert.equal(norway.registrar, 'Domeneshop AS');
    assert.equal(norway.registrarIanaId, null);
    assert.deepEqual([norway.expires, norway.status], [null, []]);
    assert.equal(norway.nameServers.length, 4);
  });

  test('a registrar known by its handle alone', () => {
    const example = sample('example.cz.nic.cz');
    assert.deepEqual(example.nameServers.toSorted(), ['ns.pipni.cz', 'ns2.pipni.cz', 'ns3.pipni.cz']);
    assert.deepEqual(example.status, ['ok']);
    assert.equal(example.expires, '2019-08-30T12:00:00Z');
  });
});
