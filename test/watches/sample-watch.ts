import type { WatchEvent, WatchSchedule } from '../../src/analysis/watch/watch.ts';
import type { GivenWatch } from '../../src/engine/watch-book.ts';

export const AT_ONCE: WatchSchedule = { when: 'at_once', at: '09:00', weekday: 1, time_zone: 'UTC', quiet: null };

export const HOOK = { kind: 'webhook', url: 'https://hooks.example.com/a', format: 'standard' } as const;

/** A watch of one package, told at once to one webhook. */
export function givenWatch(changes: Partial<GivenWatch> = {}): GivenWatch {
  return {
    name: null,
    subject: { kind: 'package', purl: 'pkg:npm/lodash', version: '4.17.20' },
    conditions: { kinds: null, severity_min: null, kev_only: false, epss_move_min: null, affected: 'possible' },
    channels: [HOOK],
    schedule: AT_ONCE,
    ...changes,
  };
}

/** The event with this number of a watch: about one CVE. */
export function sampleEvent(watchId: string, number: number, changes: Partial<WatchEvent> = {}): WatchEvent {
  return {
    id: `evt_${watchId.slice(4, 24)}${String(number).padStart(12, '0')}`,
    watch_id: watchId,
    seen_at: '2026-11-20T08:00:00.000Z',
    about: { kind: 'cve', cve_id: `CVE-2026-${1000 + number}` },
    why: 'lodash 4.17.20 is affected (npm advisory), fixed in 4.17.21.',
    what: 'Known exploited since 2026-11-20.',
    status: 'affected',
    components: [],
    changes: [],
    current: null,
    ...changes,
  };
}

/** Changes that `children/match-and-deliver.ts` matches. */
export const CHANGES = 5;
