import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lookUpDmarc, treeWalkNames } from '../../../src/analysis/email/dmarc/look-up-dmarc.ts';
import { mailtoDomain, parseDmarcRecord } from '../../../src/analysis/email/dmarc/dmarc-record.ts';
import { zoneDns, type ZoneRecords } from '../../../quality/mail/zone-dns.ts';

const txt = (...texts: string[]): ZoneRecords => ({ TXT: texts });
const FAILS: ZoneRecords = { elsewhere: 'fails' };
const discover = (domain: string, zone: Record<string, ZoneRecords>) => lookUpDmarc(domain, zoneDns(zone));

describe('the tree walk of RFC 9989', () => {
  test('goes up label by label, to the top', () => {
    assert.deepEqual(treeWalkNames('a.mail.example.com'), [
      'a.mail.example.com',
      'mail.example.com',
      'example.com',
      'com',
    ]);
  });

  test('goes on at seven labels where there are more than eight, so that eight questions are enough (section 4.10)', () => {
    const names = treeWalkNames('a.b.c.d.e.f.g.h.i.j.mail.example.com');
    assert.equal(names[0], 'a.b.c.d.e.f.g.h.i.j.mail.example.com');
    assert.equal(names[1], 'g.h.i.j.mail.example.com');
    assert.equal(names.length, 8);
    assert.deepEqual(treeWalkNames('1.2.3.4.5.6.7.com').length, 8);
  });

  test("the domain's own record comes first", async () => {
    const found = await discover('sub.example.com', {
      '_dmarc.sub.example.com': txt('v=DMARC1; p=quarantine'),
      '_dmarc.example.com': txt('v=DMARC1; p=reject; sp=none'),
    });
    assert.equal(found.foundAt, 'sub.example.com');
    assert.equal(found.effectivePolicy, 'quarantine');
    assert.equal(found.organizationalDomain, 'example.com');
  });

  test('else that of the organisational domain, whose sp is for subdomains', async () => {
    const found = await discover('sub.example.com', { '_dmarc.example.com': txt('v=DMARC1; p=reject; sp=none') });
    assert.equal(found.foundAt, 'example.com');
    assert.equal(found.record?.policy, 'reject');
    assert.equal(found.effectivePolicy, 'none');
    assert.equal(found.seenByRfc7489, true);
  });

  test('psd=n ends the walk: the organisational domain is there', async () => {
    const found = await discover('a.b.example.com', {
      '_dmarc.b.example.com': txt('v=DMARC1; p=quarantine; psd=n'),
      '_dmarc.example.com': txt('v=DMARC1; p=reject'),
    });
    assert.equal(found.organizationalDomain, 'b.example.com');
    assert.equal(found.effectivePolicy, 'quarantine');
    assert.equal(found.seenByRfc7489, false, 'the public suffix list leads to example.com');
  });

  test('psd=y above: the organisational domain is one label below, the policy that of the suffix', async () => {
    const found = await discover('mail.giant.bank.example', {
      '_dmarc.bank.example': txt('v=DMARC1; p=reject; sp=quarantine; psd=y'),
    });
    assert.equal(found.organizationalDomain, 'giant.bank.example');
    assert.equal(found.foundAt, 'bank.example');
    assert.equal(found.effectivePolicy, 'quarantine');
  });

  test('several records at one name count as none', async () => {
    const found = await discover('example.com', {
      '_dmarc.example.com': txt('v=DMARC1; p=reject', 'v=DMARC1; p=none'),
    });
    assert.equal(found.present, false);
    assert.equal(found.multipleAt, 'example.com');
  });

  test('other TXT records do not count', async () => {
    const found = await discover('example.com', {
      '_dmarc.example.com': txt('spf2.0/pra', 'v=DMARC1;p=none', 'v=DMARC12; p=reject'),
    });
    assert.equal(found.record?.text, 'v=DMARC1;p=none');
  });

  test('nothing anywhere', async () => {
    const found = await discover('example.com', {});
    assert.equal(found.present, false);
    assert.equal(found.effectivePolicy, null);
  });

  test('a step that failed: RFC 7489 decides by the public suffix list', async () => {
    const found = await discover('a.b.example.co.uk', {
      '_dmarc.b.example.co.uk': FAILS,
      '_dmarc.example.co.uk': txt('v=DMARC1; p=reject'),
    });
    assert.equal(found.method, 'rfc7489');
    assert.equal(found.foundAt, 'example.co.uk');
    assert.equal(found.present, true);
  });

  test('what decides failed: not known, which is not "none"', async () => {
    assert.equal((await discover('example.com', { '_dmarc.example.com': FAILS })).present, null);
    const sub = await discover('a.example.com', {
      '_dmarc.a.example.com': FAILS,
      '_dmarc.example.com': txt('v=DMARC1; p=reject'),
    });
    assert.equal(sub.present, null);
  });

  test('a failure above matters not where the domain has its own record', async () => {
    const found = await discover('example.com', {
      '_dmarc.example.com': txt('v=DMARC1; p=reject'),
      '_dmarc.com': FAILS,
    });
    assert.equal(found.present, true);
    assert.equal(found.method, 'rfc9989');
  });
});

describe('reports to other organisations', () => {
  const rua =
    'v=DMARC1; p=none; rua=mailto:d@reports.example.net!10m, mailto:own@mail.example.com, https://example.org/d';

  test('need the consent of the receiver; one organisation needs none', async () => {
    const found = await discover('example.com', {
      '_dmarc.example.com': txt(rua),
      'example.com._report._dmarc.reports.example.net': txt('v=DMARC1'),
    });
    assert.deepEqual(found.externalReports, [{ target: 'reports.example.net', authorized: true }]);
    assert.deepEqual(found.record?.ruaUris, [
      'mailto:d@reports.example.net',
      'mailto:own@mail.example.com',
      'https://example.org/d',
    ]);
  });

  test('no consent; no answer', async () => {
    const without = await discover('example.com', { '_dmarc.example.com': txt(rua) });
    assert.equal(without.externalReports[0]?.authorized, false);
    const silent = await discover('example.com', {
      '_dmarc.example.com': txt(rua),
      'example.com._report._dmarc.reports.example.net': FAILS,
    });
    assert.equal(silent.externalReports[0]?.authorized, null);
  });
});

describe('the record', () => {
  test('what is broken counts as absent (RFC 9989, section 4.7)', () => {
    const record = parseDmarcRecord('v=DMARC1; p=strict; sp=reject; pct=x; aspf=s');
    assert.equal(record.policy, null);
    assert.equal(record.subdomainPolicy, 'reject');
    assert.equal(record.pct, 100);
    assert.deepEqual(record.alignment, { spf: 'strict', dkim: 'relaxed' });
    assert.equal(record.problems.length, 2);
  });

  test('without a policy, but with a place for reports, it is one of none', () => {
    assert.equal(parseDmarcRecord('v=DMARC1; rua=mailto:d@example.com').policy, 'none');
    assert.equal(parseDmarcRecord('v=DMARC1;').policy, null);
  });

  test('np falls back on sp, sp on p', () => {
    assert.equal(parseDmarcRecord('v=DMARC1; p=reject').absentPolicy, 'reject');
    assert.equal(parseDmarcRecord('v=DMARC1; p=reject; sp=none').absentPolicy, 'none');
    assert.equal(parseDmarcRecord('v=DMARC1; p=none; np=reject').absentPolicy, 'reject');
  });

  test('a tag that stands there twice: the first counts, and it is a fault', () => {
    const record = parseDmarcRecord('v=DMARC1; p=reject; p=none');
    assert.equal(record.policy, 'reject');
    assert.equal(record.problems.length, 1);
  });

  test('where a report goes', () => {
    assert.equal(mailtoDomain('mailto:a@B.example.?subject=x@y'), 'b.example');
    assert.equal(mailtoDomain('https://a@b.example/'), null);
  });
});

test('a record that is meant as one and is none is malformed, not missing', async () => {
  for (const [text, malformed] of [
    ['p=reject; v=DMARC1', true],
    ['V=DMARC1; p=reject', true],
    ['v=dmarc1; p=reject', true],
    ['v=DMARC2; p=reject', true],
    ['p=none; rua=mailto:d@example.com', true],
    ['v=DMARC1; p=reject', false],
    ['v=spf1 -all', false],
    ['a text about v=DMARC1', false],
  ] as const) {
    const { present, malformed: found } = await lookUpDmarc(
      'example.com',
      zoneDns({ '_dmarc.example.com': { TXT: [text] } }),
    );
    assert.deepEqual(
      [found?.at ?? null, present],
      [malformed ? 'example.com' : null, text.startsWith('v=DMARC1;')],
      text,
    );
  }
});

test('pct is digits (RFC 7489, section 6.4): an empty one counts as absent', () => {
  for (const [pct, read] of [
    ['', 100],
    ['0', 0],
    ['00', 0],
    ['50', 50],
    ['100', 100],
    ['101', 100],
    ['1e1', 100],
    ['0x10', 100],
    ['-0', 100],
  ] as const) {
    const { pct: found, problems } = parseDmarcRecord(`v=DMARC1; p=reject; pct=${pct}`);
    assert.equal(found, read, pct);
    assert.equal(problems.length > 0, !/^\d+$/.test(pct) || Number(pct) > 100, pct);
  }
});
