import type { PageFacts } from '../../../analysis/page/page-facts.ts';
import { ApiError } from '../../../errors.ts';
import { type SiteSnapshot, type SiteQuestion, site } from '../../../sources/site/site.ts';
import type { SourceResult, Source } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { requireTargetAnswer } from '../../../engine/require-answer.ts';

/** The same for all that look at a home page, so that one look serves them all. */
const SITE_FILES = ['/llms.txt'];
const MEDIA_TYPE_PATTERN = /^[\w!#$&^.+-]{1,40}\/[\w!#$&^.+-]{1,60}(?=[;\s]|$)/;

/** What the web server of a name answers at `/`: by https, or by http where nobody answers there. Throws what `required` throws. */
export async function requireSite(context: Context, domain: string): Promise<SiteSnapshot> {
  return requireTargetAnswer(await fetchSite(context, domain), domain, 'did not answer over HTTPS or HTTP');
}

export async function fetchSite(
  context: Context,
  domain: string,
  asked: Omit<SiteQuestion, 'url'> = { files: SITE_FILES, probes: [] },
): Promise<SourceResult<SiteSnapshot>> {
  return askHttpsFirst(context, site, (scheme) => ({
    url: `${scheme}://${domain}/`,
    ...asked,
    ...(scheme === 'http' && { plain: false }),
  }));
}

/** Failures that say that nobody speaks https there; any other would be the same over http. */
const HTTPS_DOWN_FAILURES: ReadonlySet<string> = new Set(['refused', 'unreachable', 'tls', 'reset', 'timeout']);

/**
 * Asks by https, and by http where nobody speaks https. A site that answers over http alone has answered: only where https was
 * silent, so that nobody knows whether it is spoken, something is missing.
 */
export async function askHttpsFirst<Question, Found>(
  context: Context,
  source: Source<Question, Found>,
  question: (scheme: 'https' | 'http') => Question,
): Promise<SourceResult<Found>> {
  const secure = await context.askUnrecorded(source, question('https'));
  const deaf =
    secure.status === 'unavailable' && secure.refusal === undefined && HTTPS_DOWN_FAILURES.has(secure.failure);
  const plain = deaf ? await context.askUnrecorded(source, question('http')) : secure;
  const outcome = plain.status === 'ok' ? plain : secure;
  context.evidence.recordOutcome(source.policy, outcome);
  if (plain.status === 'ok' && secure.status === 'unavailable' && ['timeout', 'unreachable'].includes(secure.failure)) {
    context.evidence.addGap('HTTPS did not answer; what answered over HTTP was read');
  }
  return outcome;
}

/** The page of a look; 502 where what came is none. */
export function requireHtmlPage(look: SiteSnapshot, domain: string): PageFacts {
  if (look.page !== null) return look.page;
  const type = MEDIA_TYPE_PATTERN.exec(look.headers['content-type']?.[0] ?? '')?.[0] ?? 'something else';
  throw new ApiError('upstream_error', `${domain} answers its home page with ${type}, not with HTML.`);
}

/** Notes on the evidence what a look did not see. */
export function noteSiteGaps({ evidence }: Context, look: SiteSnapshot): void {
  if (look.truncated) evidence.addGap('the page is longer than what was read of it');
  if (look.stopped !== null) evidence.addGap(`its redirects do not end (${look.stopped}); the last answer was read`);
  if (look.status >= 400) evidence.addGap(`the page was answered with status ${look.status}`);
}
