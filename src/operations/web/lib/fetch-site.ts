import type { PageFacts } from '../../../analysis/page/page-facts.ts';
import { ApiError } from '../../../errors.ts';
import { type SiteSnapshot, type SiteQuestion, site } from '../../../sources/site/site.ts';
import type { SourceResult, Source } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { requireTargetAnswer } from '../../../engine/require-answer.ts';

/** The same question in all operations, so that they share one cache entry. */
const SITE_FILES = ['/llms.txt'];
const MEDIA_TYPE_PATTERN = /^[\w!#$&^.+-]{1,40}\/[\w!#$&^.+-]{1,60}(?=[;\s]|$)/;

/** The site snapshot of `/`, over HTTPS, else HTTP; its gaps are recorded. Throws ApiError as `requireTargetAnswer`. */
export async function requireSite(context: Context, domain: string): Promise<SiteSnapshot> {
  const outcome = await fetchSite(context, domain);
  const snapshot = requireTargetAnswer(outcome, domain, 'did not answer over HTTPS or HTTP');
  addSiteGaps(context, snapshot);
  return snapshot;
}

/** The outcome of fetching `/` over HTTPS, else HTTP, without a check of it. `question`: further files and probes. */
export async function fetchSite(
  context: Context,
  domain: string,
  question: Omit<SiteQuestion, 'url'> = { files: SITE_FILES, probes: [] },
): Promise<SourceResult<SiteSnapshot>> {
  return askHttpsFirst(context, site, (scheme) => ({
    url: `${scheme}://${domain}/`,
    ...question,
    ...(scheme === 'http' && { plain: false }),
  }));
}

/** Failures after which HTTP is tried; others would repeat over HTTP. */
const HTTPS_DOWN_FAILURES: ReadonlySet<string> = new Set(['refused', 'unreachable', 'tls', 'reset', 'timeout']);

/**
 * Asks over HTTPS, then over HTTP if HTTPS is down. A gap is recorded only where HTTPS timed out or was unreachable, so that its
 * absence is not certain.
 */
export async function askHttpsFirst<Question, Found>(
  context: Context,
  source: Source<Question, Found>,
  question: (scheme: 'https' | 'http') => Question,
): Promise<SourceResult<Found>> {
  const httpsResult = await context.askUnrecorded(source, question('https'));
  const isHttpsDown =
    httpsResult.status === 'unavailable' &&
    httpsResult.refusal === undefined &&
    HTTPS_DOWN_FAILURES.has(httpsResult.failure);
  const httpResult = isHttpsDown ? await context.askUnrecorded(source, question('http')) : httpsResult;
  const outcome = httpResult.status === 'ok' ? httpResult : httpsResult;
  context.evidence.recordOutcome(source.policy, outcome);
  if (
    httpResult.status === 'ok' &&
    httpsResult.status === 'unavailable' &&
    ['timeout', 'unreachable'].includes(httpsResult.failure)
  ) {
    context.evidence.addGap('HTTPS did not answer; the page over HTTP was read');
  }
  return outcome;
}

/** The parsed HTML page; throws 502 where the answer is not HTML. */
export function requireHtmlPage(snapshot: SiteSnapshot, domain: string): PageFacts {
  if (snapshot.page !== null) return snapshot.page;
  const type = MEDIA_TYPE_PATTERN.exec(snapshot.headers['content-type']?.[0] ?? '')?.[0] ?? 'something else';
  throw new ApiError('upstream_error', `${domain} answers its home page with ${type}, not with HTML.`);
}

/** Records as gaps what the snapshot does not cover. */
export function addSiteGaps({ evidence }: Context, snapshot: SiteSnapshot): void {
  if (snapshot.truncated) evidence.addGap('the page is longer than what was read of it');
  if (snapshot.stopped !== null)
    evidence.addGap(`its redirects do not end (${snapshot.stopped}); the last answer was read`);
  if (snapshot.status >= 400) evidence.addGap(`the page was answered with status ${snapshot.status}`);
}
