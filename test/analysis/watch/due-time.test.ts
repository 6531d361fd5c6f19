import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dueTime, retryDelayMs } from '../../../src/analysis/watch/due-time.ts';
import type { WatchSchedule } from '../../../src/analysis/watch/watch.ts';

const AT_ONCE: WatchSchedule = { when: 'at_once', at: '09:00', weekday: 1, time_zone: 'Europe/Zurich', quiet: null };
const NIGHT = { from: '22:00', to: '07:00' };

function due(now: string, changes: Partial<WatchSchedule> = {}): string {
  return new Date(dueTime({ ...AT_ONCE, ...changes }, Date.parse(now))).toISOString().replace(':00.000', '');
}

// Zurich: UTC+1, in summer UTC+2; 2026 from March 29, 01:00 UTC to October 25, 01:00 UTC.
describe('when a change is told', () => {
  test('at once', () => {
    assert.equal(due('2026-11-20T12:34:00Z'), '2026-11-20T12:34Z');
  });

  test('daily: at the next 09:00 of the time zone, never now', () => {
    const daily = { when: 'daily' } as const;
    assert.equal(due('2026-11-20T07:59:00Z', daily), '2026-11-20T08:00Z');
    assert.equal(due('2026-11-20T08:00:00Z', daily), '2026-11-21T08:00Z');
    assert.equal(due('2026-07-01T06:00:00Z', daily), '2026-07-01T07:00Z');
    // In Auckland (UTC+13) it is the 21st already.
    assert.equal(due('2026-11-20T12:00:00Z', { ...daily, time_zone: 'Pacific/Auckland' }), '2026-11-20T20:00Z');
    assert.equal(due('2026-11-20T12:00:00Z', { ...daily, time_zone: 'Asia/Kolkata' }), '2026-11-21T03:30Z');
  });

  test('weekly: on the day of the week, a week later where it is past', () => {
    // 2026-11-20 is a Friday.
    assert.equal(due('2026-11-20T12:00:00Z', { when: 'weekly', weekday: 1 }), '2026-11-23T08:00Z');
    assert.equal(due('2026-11-20T07:00:00Z', { when: 'weekly', weekday: 5 }), '2026-11-20T08:00Z');
    assert.equal(due('2026-11-20T12:00:00Z', { when: 'weekly', weekday: 5 }), '2026-11-27T08:00Z');
    assert.equal(due('2026-11-20T12:00:00Z', { when: 'weekly', weekday: 7 }), '2026-11-22T08:00Z');
  });

  test('digests keep their local time when the clock changes', () => {
    assert.equal(due('2026-03-28T12:00:00Z', { when: 'daily' }), '2026-03-29T07:00Z');
    assert.equal(due('2026-10-24T12:00:00Z', { when: 'daily' }), '2026-10-25T08:00Z');
    assert.equal(due('2026-03-27T12:00:00Z', { when: 'weekly', weekday: 1 }), '2026-03-30T07:00Z');
  });

  test('a time that the clock leaves out is an hour later; one that occurs twice is the first', () => {
    assert.equal(due('2026-03-28T12:00:00Z', { when: 'daily', at: '02:30' }), '2026-03-29T01:30Z');
    assert.equal(due('2026-10-24T12:00:00Z', { when: 'daily', at: '02:30' }), '2026-10-25T00:30Z');
    // Between the two 02:30 of that night, the next is on the day after.
    assert.equal(due('2026-10-25T01:00:00Z', { when: 'daily', at: '02:30' }), '2026-10-26T01:30Z');
    // New York changes at 02:00, on March 8; Lord Howe by half an hour, on October 4.
    const newYork = { when: 'daily', at: '02:30', time_zone: 'America/New_York' } as const;
    assert.equal(due('2026-03-07T12:00:00Z', newYork), '2026-03-08T07:30Z');
    const lordHowe = { when: 'daily', at: '02:15', time_zone: 'Australia/Lord_Howe' } as const;
    assert.equal(due('2026-10-03T12:00:00Z', lordHowe), '2026-10-03T15:45Z');
  });

  test('in quiet hours at their end, also over midnight', () => {
    assert.equal(due('2026-11-20T20:59:00Z', { quiet: NIGHT }), '2026-11-20T20:59Z');
    assert.equal(due('2026-11-20T21:00:00Z', { quiet: NIGHT }), '2026-11-21T06:00Z');
    assert.equal(due('2026-11-21T05:59:00Z', { quiet: NIGHT }), '2026-11-21T06:00Z');
    assert.equal(due('2026-11-21T06:00:00Z', { quiet: NIGHT }), '2026-11-21T06:00Z');
    assert.equal(due('2026-11-20T12:30:00Z', { quiet: { from: '12:00', to: '14:00' } }), '2026-11-20T13:00Z');
    // The night in which the clock goes forward.
    assert.equal(due('2026-03-28T22:00:00Z', { quiet: NIGHT }), '2026-03-29T05:00Z');
  });

  test('a digest in quiet hours comes at their end', () => {
    assert.equal(due('2026-11-20T12:00:00Z', { when: 'daily', at: '06:00', quiet: NIGHT }), '2026-11-21T06:00Z');
    assert.equal(due('2026-11-20T12:00:00Z', { when: 'daily', at: '23:00', quiet: NIGHT }), '2026-11-21T06:00Z');
  });
});

describe('pauses after failed tries', () => {
  test('grow from half a minute to a day, then it is given up', () => {
    const minutes = Array.from({ length: 8 }, (_, tried) => retryDelayMs(tried + 1, 0.5, null));
    assert.deepEqual(
      minutes.map((ms) => ms && ms / 60_000),
      [0.5, 2, 10, 60, 240, 720, 1440, null],
    );
  });

  test('differ by a fifth', () => {
    assert.deepEqual([retryDelayMs(2, 0, null), retryDelayMs(2, 1, null)], [96_000, 144_000]);
  });

  test('are as long as the receiver asks for, up to a day, and never shorter', () => {
    assert.equal(retryDelayMs(1, 0.5, 300), 300_000);
    assert.equal(retryDelayMs(1, 0.5, 1), 30_000);
    assert.equal(retryDelayMs(1, 0.5, 10_000_000), 86_400_000);
    assert.equal(retryDelayMs(8, 0.5, 60), null);
  });
});
