import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldChange } from '../../../src/analysis/cve/field-change.ts';
import { type Concern, selectToldChanges } from '../../../src/analysis/watch/told-changes.ts';
import type { WatchConditions } from '../../../src/analysis/watch/watch.ts';

const ALL: WatchConditions = {
  kinds: null,
  severity_min: null,
  kev_only: false,
  epss_move_min: null,
  affected: 'affected',
};
const AFFECTED: Concern = { status: 'affected', isNamed: true, isNewlyNamed: false, told: null };
const change = (kind: FieldChange['kind'], more: Partial<FieldChange> = {}): FieldChange => ({
  kind,
  change: 'changed',
  at: null,
  field: kind,
  before: null,
  after: null,
  ...more,
});

/** The kinds that are told. */
function told(
  changes: readonly FieldChange[],
  conditions: Partial<WatchConditions> = {},
  concern: Partial<Concern> = {},
  cve: Parameters<typeof selectToldChanges>[2] = { severity: 'HIGH', kev: false },
): string[] {
  return selectToldChanges(changes, { ...ALL, ...conditions }, cve, { ...AFFECTED, ...concern }).map(
    ({ kind }) => kind,
  );
}

describe('which changes are told', () => {
  it('not weaknesses and references, unless they are asked for', () => {
    const changes = [change('weakness'), change('reference'), change('score')];
    assert.deepEqual(told(changes), ['score']);
    assert.deepEqual(told(changes, { kinds: ['reference'] }), ['reference']);
  });

  it('a severity that is not known counts as any; of known exploitation nothing is guessed', () => {
    const score = [change('score')];
    assert.deepEqual(told(score, { severity_min: 'HIGH' }), ['score']);
    assert.deepEqual(told(score, { severity_min: 'CRITICAL' }), []);
    assert.deepEqual(told(score, { severity_min: 'CRITICAL' }, {}, { severity: null, kev: false }), ['score']);
    assert.deepEqual(told(score, { kev_only: true }), []);
    assert.deepEqual(told(score, { kev_only: true }, {}, { severity: 'HIGH', kev: null }), []);
    assert.deepEqual(told(score, { kev_only: true }, {}, { severity: 'HIGH', kev: true }), ['score']);
    assert.deepEqual(told([change('kev', { change: 'removed' })], { kev_only: true }), ['kev']);
  });

  it('moves of EPSS by their weight, the decimal fractions of binary numbers notwithstanding', () => {
    const epss = (before: number | null, after: number) => [change('epss', { before, after })];
    // 0.3 - 0.1 is 0.19999999999999998.
    assert.deepEqual(told(epss(0.1, 0.3), { epss_move_min: 0.2 }), ['epss']);
    assert.deepEqual(told(epss(0.3, 0.1), { epss_move_min: 0.2 }), ['epss']);
    assert.deepEqual(told(epss(0.1, 0.29999), { epss_move_min: 0.2 }), []);
    assert.deepEqual(told(epss(null, 0.2), { epss_move_min: 0.2 }), ['epss']);
  });

  it('what affects the version, or may, or all; and the end of what was told', () => {
    const score = [change('score')];
    const statuses = (affected: WatchConditions['affected'], more: Partial<Concern> = {}): (string | null)[] =>
      (['affected', 'unknown', 'not_affected'] as const).filter(
        (status) => told(score, { affected }, { status, ...more }).length > 0,
      );
    assert.deepEqual(statuses('affected'), ['affected']);
    assert.deepEqual(statuses('possible'), ['affected', 'unknown']);
    assert.deepEqual(statuses('all'), ['affected', 'unknown', 'not_affected']);
    assert.deepEqual(statuses('affected', { told: { status: 'affected' } }), ['affected', 'unknown', 'not_affected']);
    assert.deepEqual(statuses('possible', { told: { status: 'unknown' } }), ['affected', 'unknown', 'not_affected']);
    assert.deepEqual(statuses('affected', { told: { status: 'not_affected' } }), ['affected']);
    // A CVE that does not name the product any more.
    assert.deepEqual(statuses('all', { isNamed: false }), []);
    assert.deepEqual(statuses('all', { isNamed: false, told: { status: 'affected' } }), ['unknown', 'not_affected']);
  });

  it('ranges of products only where they change the status', () => {
    const products = [change('product'), change('score')];
    assert.deepEqual(told(products), ['product', 'score']);
    assert.deepEqual(told(products, {}, { told: { status: 'affected' } }), ['score']);
    assert.deepEqual(told(products, {}, { told: { status: 'unknown' } }), ['product', 'score']);
    assert.deepEqual(told(products, {}, { status: null }), ['score']);
    assert.deepEqual(told(products, {}, { status: null, isNewlyNamed: true }), ['product', 'score']);
    assert.deepEqual(told(products, { kinds: ['product'] }, { told: { status: 'affected' } }), ['product']);
  });
});
