import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { possibleTimelines, REMEDIATION_TIMELINES } from '../../../src/analysis/cve/remediation-timeline.ts';
import { decideSsvc, estimateSsvcPoints } from '../../../src/analysis/cve/ssvc-decision.ts';
import { sharedPath } from '../../support/shared.ts';

const feeds = sharedPath('feeds');
const tables = feeds === null ? null : join(feeds, 'ssvc/data');

test('the remediation timelines are those of the published table of CISA BOD 26-04', { skip: tables === null }, () => {
  const outcome: Record<string, string> = {
    'fix on system upgrade': 'on_upgrade',
    '60 days': '60_days',
    '14 days': '14_days',
    '3 days': '3_days',
    '3 days & forensic investigation': '3_days_and_forensics',
  };
  const lines = readFileSync(join(tables!, 'csv/cisa/cisa_bod_26_04_1_0_0.csv'), 'utf8').trim().split('\n').slice(1);
  assert.equal(lines.length, 16);
  for (const line of lines) {
    const [, kev, exposed, automatable, impact, timeline] = line.trim().split(',');
    const { earliest, latest } = possibleTimelines({
      in_kev: kev === 'yes',
      exposed: exposed === 'yes',
      automatable: automatable as 'no' | 'yes',
      technical_impact: impact as 'partial' | 'total',
    });
    assert.deepEqual([earliest.id, latest.id], [outcome[timeline!], outcome[timeline!]], line);
  }
});

test('the decisions are those of the published coordinator table at medium impact', { skip: tables === null }, () => {
  const { mapping } = JSON.parse(
    readFileSync(join(tables!, 'json/decision_tables/cisa/cisa_coordinator_2_0_3.json'), 'utf8'),
  ) as { mapping: Record<string, string>[] };
  const names = { T: 'track', 'T*': 'track*', AT: 'attend', AC: 'act' } as Record<string, string>;
  const medium = mapping.map((row) => Object.values(row)).filter((row) => row[3] === 'M');
  assert.equal(medium.length, 12);
  for (const [exploitation, automatable, impact, , decision] of medium) {
    const points = {
      exploitation: ({ N: 'none', P: 'poc', A: 'active' } as const)[exploitation as 'N'],
      automatable: ({ N: 'no', Y: 'yes' } as const)[automatable as 'N'],
      technical_impact: ({ P: 'partial', T: 'total' } as const)[impact as 'P'],
    };
    assert.equal(decideSsvc(points), names[decision!], JSON.stringify(points));
  }
});

test('an unknown input gives the range of what it could mean', () => {
  const known = { in_kev: true, exposed: null, automatable: 'no', technical_impact: 'total' } as const;
  const { earliest, latest } = possibleTimelines(known);
  assert.deepEqual([earliest.id, latest.id], ['3_days_and_forensics', '14_days']);
  const nothing = possibleTimelines({ in_kev: null, exposed: null, automatable: null, technical_impact: null });
  assert.deepEqual([nothing.earliest, nothing.latest], [REMEDIATION_TIMELINES[0], REMEDIATION_TIMELINES.at(-1)]);
});

test('points are estimated from the vector of each CVSS version', () => {
  const estimate = (version: '2.0' | '3.1' | '4.0', vector: string) => {
    const points = estimateSsvcPoints({
      version,
      vector,
      base_score: null,
      base_severity: null,
      scorer: 'nvd@nist.gov',
      primary: true,
    });
    return points && `${points.automatable} ${points.technical_impact}`;
  };
  // Log4Shell, EternalBlue (user interaction none, complexity high), a reflected XSS, MS08-067, a 4.0 vector.
  assert.equal(estimate('3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'), 'yes total');
  assert.equal(estimate('3.1', 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H'), 'no total');
  assert.equal(estimate('3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'), 'no partial');
  assert.equal(estimate('2.0', 'AV:N/AC:L/Au:N/C:C/I:C/A:C'), 'yes total');
  assert.equal(estimate('4.0', 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'), 'no total');
  assert.equal(estimate('3.1', 'CVSS:3.1/AV:N'), null);
});
