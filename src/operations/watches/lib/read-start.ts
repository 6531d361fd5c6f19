import { isDayOrTime, parseTime } from '../../cve/lib/change-schemas.ts';

/** Where a page of events begins: after a cursor, at a time, with the latest, or with the first. Throws `ApiError` 422. */
export function readStart(since: string | undefined): { after: string | null; since: Date | null; latest?: true } {
  if (since === undefined) return { after: null, since: null };
  if (since === 'latest') return { after: null, since: null, latest: true };
  return isDayOrTime(since) ? { after: null, since: new Date(parseTime(since)) } : { after: since, since: null };
}
