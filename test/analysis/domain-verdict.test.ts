import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type DomainFinding,
  mailVerdict,
  rankDomainFindings,
  registrationVerdict,
  technologiesVerdict,
  threatVerdict,
  tlsVerdict,
} from '../../src/analysis/domain-verdict.ts';

describe('mail in the name of a domain', () => {
  const dmarc = { present: true, effective_policy: 'reject', testing: false, pct: 100 } as const;
  for (const [what, given, tone] of [
    ['is protected by reject', {}, 'good'],
    ['can be forged under none', { effective_policy: 'none' }, 'bad'],
    ['can be forged without a record', { present: false, effective_policy: null, testing: null, pct: null }, 'bad'],
    ['is protected in part in test mode', { testing: true }, 'fair'],
    ['is protected in part by a percentage', { pct: 25 }, 'fair'],
    ['is not known where the DNS did not answer', { present: null, effective_policy: null }, 'unknown'],
  ] as const) {
    test(what, () => assert.equal(mailVerdict({ ...dmarc, ...given }).tone, tone));
  }
});

const NONE_FOUND = { found: 0, rows: [], ended: 0, isStarter: false };

test('a certificate that has ended is bad whatever the grade', () => {
  assert.deepEqual(tlsVerdict({ grade: 'A', valid: false, days: -3 }), {
    text: 'certificate has expired',
    tone: 'bad',
  });
  assert.equal(tlsVerdict({ grade: 'A', valid: true, days: 1 }).text, 'certificate ends in 1 day');
  assert.equal(tlsVerdict({ grade: 'A', valid: true, days: 60 }).tone, 'good');
});

test('a technology of unknown version proves nothing', () => {
  const exploited = [{ in_kev: true, severity: 'CRITICAL' }] as const;
  assert.equal(
    technologiesVerdict({ ...NONE_FOUND, found: 1, rows: [{ version_unknown: true, cves: exploited }] }).tone,
    'fair',
  );
  assert.equal(
    technologiesVerdict({ ...NONE_FOUND, found: 1, rows: [{ version_unknown: false, cves: exploited }] }).text,
    '1 with exploited CVEs',
  );
  assert.equal(technologiesVerdict(NONE_FOUND).tone, 'none');
  assert.equal(technologiesVerdict({ ...NONE_FOUND, found: 1 }).tone, 'good');
  assert.equal(technologiesVerdict({ ...NONE_FOUND, found: 1, isStarter: true }).tone, 'unknown', 'proves nothing');
  assert.deepEqual(technologiesVerdict({ ...NONE_FOUND, found: 1, ended: 1, isStarter: true }), {
    tone: 'bad',
    text: '1 without security fixes',
  });
});

test('lists that did not answer are not "on no list"', () => {
  assert.equal(threatVerdict(null, null).tone, 'unknown');
  assert.equal(threatVerdict({ listed: 0, online: 0 }, null).text, 'on no list that answered');
  assert.equal(threatVerdict({ listed: 0, online: 0 }, []).tone, 'good');
  assert.equal(threatVerdict({ listed: 9, online: 2 }, []).tone, 'bad');
});

test('a registration that ends within a month is bad', () => {
  assert.equal(registrationVerdict({ created: '2009-02-01T00:00:00Z', days: 400 }).text, 'since 2009');
  assert.equal(registrationVerdict({ created: '2009-02-01T00:00:00Z', days: 29 }).tone, 'bad');
  assert.equal(registrationVerdict({ created: null, days: null }).tone, 'unknown');
});

test('what is exploited comes first, then the worst, then what one line mends', () => {
  const base = {
    part: 'web',
    exploited: false,
    title: '',
    why: null,
    fix: null,
    paste: null,
    guide: null,
    cves: [],
    evidence: null,
    reference: null,
  } as const;
  const paste = { place: 'here', text: 'line' };
  const given: DomainFinding[] = [
    { ...base, id: 'low', severity: 'LOW' },
    { ...base, id: 'info', severity: 'INFO' },
    { ...base, id: 'high', severity: 'HIGH' },
    { ...base, id: 'high with a line', severity: 'HIGH', paste },
    { ...base, id: 'critical', severity: 'CRITICAL' },
    { ...base, id: 'exploited', severity: 'MEDIUM', exploited: true },
  ];
  assert.deepEqual(
    rankDomainFindings(given).map(({ id }) => id),
    ['exploited', 'critical', 'high with a line', 'high', 'low'],
  );
});
