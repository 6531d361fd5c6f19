import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPercent } from '../../src/engine/summary.ts';

test('a share is rounded, and never to all or nothing', () => {
  for (const [share, text] of [
    [0, '0.0 %'],
    [0.0004, 'under 0.1 %'],
    [0.0005, '0.1 %'],
    [0.94358, '94.4 %'],
    [0.9994, '99.9 %'],
    [0.99997, 'over 99.9 %'],
    [1, '100.0 %'],
  ] as const) {
    assert.equal(formatPercent(share), text, String(share));
  }
});
