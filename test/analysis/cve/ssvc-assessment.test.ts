import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeCve } from '../../../src/analysis/cve/merge-cve.ts';
import { parseSsvcOptions } from '../../../src/analysis/cve/ssvc-assessment.ts';
import { facts } from '../../support/facts.ts';

const parse = (...options: unknown[]) => parseSsvcOptions(options, 'CISA-ADP', '2024-08-01T00:00:00.000Z');

test('the options of a CVE record, in any case', () => {
  assert.deepEqual(parse({ Exploitation: 'PoC' }, { Automatable: 'Yes' }, { 'Technical Impact': 'Total' }), {
    exploitation: 'poc',
    automatable: 'yes',
    technical_impact: 'total',
    source: 'CISA-ADP',
    at: '2024-08-01T00:00:00.000Z',
  });
});

test('a missing point, another value or another form is no assessment', () => {
  assert.equal(parse({ Exploitation: 'none' }, { Automatable: 'no' }), null);
  assert.equal(parse({ Exploitation: 'often' }, { Automatable: 'no' }, { 'Technical Impact': 'total' }), null);
  assert.equal(parse({ Exploitation: 'toString' }, { Automatable: 'no' }, { 'Technical Impact': 'total' }), null);
  for (const other of [undefined, null, 'none', 3, {}]) assert.equal(parseSsvcOptions(other, 'x', null), null);
  assert.equal(parse(null, 1, 'x', { Exploitation: null }), null);
});

test('of two sources the newer assessment counts', () => {
  const exploitation = (value: string, at: string | null) =>
    parseSsvcOptions([{ Exploitation: value, Automatable: 'no', TechnicalImpact: 'total' }], 'CISA-ADP', at);
  const merged = mergeCve([
    facts({ source: 'nvd', ssvc: exploitation('poc', '2024-08-01T00:00:00.000Z') }),
    facts({ source: 'cvelist', ssvc: exploitation('active', '2024-09-01T00:00:00.000Z') }),
    facts({ source: 'ghsa' }),
  ]);
  assert.equal(merged.ssvc?.exploitation, 'active');
  const undated = mergeCve([
    facts({ source: 'nvd', ssvc: exploitation('none', null) }),
    facts({ source: 'cvelist', ssvc: exploitation('poc', '2024-09-01T00:00:00.000Z') }),
  ]);
  assert.equal(undated.ssvc?.exploitation, 'poc');
});
