import type { Context } from '../../../engine/context.ts';
import { dataAgeSeconds } from '../../../engine/feed-age.ts';

const RECORD_FEEDS = ['nvd', 'cvelist', 'ghsa'] as const;
/** A feed is synced every few hours: only what is older than a day makes a window incomplete. */
const MAX_AGE_SECONDS = 86_400;

/**
 * Records a gap where a window of publication times reaches past the newest CVE data. Returns a sentence for the summary where the
 * whole window does: then "0 CVEs" says nothing. `from` and `to` in seconds since 1970; undefined: not bounded.
 */
export function addWindowGap(
  { catalog, evidence, now }: Pick<Context, 'catalog' | 'evidence' | 'now'>,
  from: number | undefined,
  to: number | undefined,
): string | null {
  const ages = RECORD_FEEDS.map((feed) => dataAgeSeconds(catalog.sources[feed], now)).filter((age) => age !== null);
  if (ages.length === 0) return null;
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const end = Math.min(to ?? nowSeconds, nowSeconds);
  const dataEnd = nowSeconds - Math.min(...ages);
  if (end - dataEnd < MAX_AGE_SECONDS) return null;
  const day = new Date(dataEnd * 1000).toISOString().slice(0, 10);
  evidence.addGap(`the CVE data here ends on ${day}: CVEs published later are missing`);
  return from !== undefined && from > dataEnd
    ? `The CVE data here ends on ${day}, before this time: nothing can be said of it.`
    : null;
}
