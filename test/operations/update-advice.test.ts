import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEndOfSupport } from '../../src/operations/cve/lib/update-advice.ts';

const NOW = new Date('2026-11-26T12:00:00Z');

test('a line that still gets fixes is no reason to leave it: until when, and which one gets them longer', () => {
  const text = describeEndOfSupport(
    [
      {
        version: '9.0.104',
        cycle: '9.0',
        is_supported: true,
        ends_at: '2027-03-31',
        latest: '9.0.120',
        is_released: null,
        move_to: { cycle: '11.0', ends_at: null },
      },
    ],
    NOW,
  );
  assert.equal(text, '9.0.104 is the smallest fix; the 9.0 line gets security fixes until 2027-03-31, 11.0 longer.');
});

test('a version after the last release of an ended line is no fix', () => {
  // PHP 7.4.33 of 2022-11-03 is the last of its line.
  const ended = {
    version: '7.4.34',
    cycle: '7.4',
    is_supported: false,
    ends_at: '2022-11-28',
    latest: '7.4.33',
    is_released: false,
    move_to: { cycle: '8.5', ends_at: '2029-12-31' },
  };
  assert.equal(
    describeEndOfSupport([ended], NOW),
    'No release 7.4.34 is known: the 7.4 line ended with 7.4.33: move to 8.5 (fixes until 2029-12-31).',
  );
  assert.equal(
    describeEndOfSupport([{ ...ended, version: '7.4.33', is_released: null }], NOW),
    '7.4.33 is the smallest fix, but support of the 7.4 line ended on 2022-11-28: move to 8.5 (fixes until 2029-12-31).',
  );
});
