import { gradeHeaders, type HeaderReport } from '../../../analysis/headers/grade-headers.ts';
import type { SiteSnapshot } from '../../../sources/site/site.ts';
import { describeScore, formatCount, joinSummary } from '../../../engine/summary.ts';

/** Grade, number of findings, and the first one. */
export function headerSummary({
  score,
  grade,
  findings,
  headers_missing,
}: Pick<HeaderReport, 'score' | 'grade' | 'findings' | 'headers_missing'>): string {
  const [first] = findings;
  const serious = findings.filter(({ severity }) => severity !== 'INFO').length;
  return joinSummary(
    `Grade ${grade} (${describeScore(score, 'higher')}): ${formatCount(serious, 'finding')}, ${formatCount(headers_missing.length, 'recommended header')} missing.`,
    first !== undefined && first.severity !== 'INFO' && `First: ${first.header}. ${first.description}`,
  );
}

/** What the grade of headers depends on besides them: HTTPS, and the policies in `<meta>` elements of the page. */
export function headerContextOf({ url, page }: SiteSnapshot) {
  return { https: url.startsWith('https:'), metaCsp: page?.csp ?? [], metaReferrer: page?.metas['referrer'] };
}

/** The output fields of a header check for a fetched page. `full`: header values are not cut. */
export function gradeSiteHeaders(snapshot: SiteSnapshot, full = false) {
  const { score, grade, findings, headers_present, headers_missing } = gradeHeaders(
    snapshot.headers,
    headerContextOf(snapshot),
    full,
  );
  return {
    url: snapshot.url,
    status_code: snapshot.status,
    score,
    grade,
    findings,
    headers_present,
    headers_missing,
  };
}
