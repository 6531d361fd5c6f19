import type { Sighting } from '../../../analysis/indicators/threat-level.ts';
import { formatCount } from '../../../engine/summary.ts';
import type { AbuseIpdbRecord } from '../../../sources/abuseipdb.ts';

/** Below this confidence reports are noise: every busy address has some. */
const MIN_ABUSE_SCORE = 10;

/** The reports of AbuseIPDB as a sighting; none where the address is whitelisted or its confidence is low. */
export function toAbuseSightings(reports: AbuseIpdbRecord | null): Sighting[] {
  if (reports === null || reports.score < MIN_ABUSE_SCORE || reports.whitelisted) return [];
  return [
    {
      source: 'AbuseIPDB',
      description: `${formatCount(reports.total_reports, 'report')} in 90 days, confidence ${reports.score} %`,
      weight: reports.score * 0.9,
      lastSeen: reports.last_reported_at,
      isCurrent: false,
      isExactMatch: false,
    },
  ];
}
