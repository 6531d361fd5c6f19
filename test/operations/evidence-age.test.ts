import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FeedState } from '../../src/catalog/generation.ts';
import { Evidence } from '../../src/engine/evidence.ts';

const SYNCED = Date.parse('2026-01-15T12:00:00.250Z');
const STATE: FeedState = {
  records: 1,
  data_time: '2026-01-14T06:30:00.750Z',
  last_success_at: new Date(SYNCED).toISOString(),
  last_attempt_at: null,
  last_error: null,
  from_origin: true,
  skipped: 0,
  missing_files: [],
  notes: { missing_before_2030: 'the changes of May' },
  files: {},
};

function verdictOf(states: Record<string, FeedState>, now: Date) {
  const evidence = new Evidence(states, now);
  for (const source of ['kev', 'epss', 'kev']) evidence.recordUsedFeed(source);
  return evidence.verdict([]);
}

test('an answer states the age of its own moment, whatever was asked about the feed before', () => {
  const states = { kev: STATE, epss: { ...STATE, from_origin: false }, cwe: STATE };
  const near = fc.integer({ min: -120_000, max: 5000 });
  const far = fc.integer({ min: -5000, max: 40 * 86_400_000 });
  fc.assert(
    fc.property(fc.oneof(near, far), (offset) => {
      for (const step of [0, 1, 250, 999, 1000]) {
        const now = new Date(SYNCED + offset + step);
        // Copies were never asked about.
        assert.deepEqual(
          verdictOf(states, now),
          verdictOf({ kev: { ...STATE }, epss: { ...STATE, from_origin: false } }, now),
        );
      }
    }),
  );
  assert.equal(verdictOf({ kev: STATE, epss: STATE }, new Date(SYNCED + 999)).data_age_seconds, 0);
  assert.equal(verdictOf({ kev: STATE, epss: STATE }, new Date(SYNCED + 1000)).data_age_seconds, 1);
});

test('one state under two names is told by its own name', () => {
  const { gaps } = verdictOf({ kev: STATE, epss: STATE }, new Date(SYNCED + 1000));
  assert.deepEqual(
    gaps,
    ['kev', 'epss'].map((source) => `${source} is not whole here: the changes of May are missing`),
  );
});
