import { gradeHeaders, checkResponseHeaders } from '../headers/grade-headers.ts';
import { parseCookies, isDeletion } from '../headers/cookies.ts';
import { checkCors } from '../headers/cors.ts';
import { analyzeCsp, checkCsp } from '../headers/check-csp.ts';
import type { HeaderCheckResult } from '../headers/header-finding.ts';
import { type RawHeaders, type HeaderMap, toHeaderMap } from '../headers/header-map.ts';
import { displayLine, summarizeList } from '../display-text.ts';
import { toHeaderModuleResult } from './header-findings.ts';
import type { ModuleResult } from './modules.ts';

/** The answer with the page. */
export interface PageResponse {
  /** Lower-case names; each header line a value. */
  headers: RawHeaders;
  https: boolean;
  /** Policies in `<meta>` elements. */
  metaCsp: readonly string[];
  /** Content of `<meta name="referrer">`. */
  metaReferrer?: string | undefined;
}

const CSP_HEADER = 'Content-Security-Policy';
const HSTS_HEADER = 'Strict-Transport-Security';
const COOKIE_HEADER = 'Set-Cookie';
const CORS_HEADER = 'Access-Control-Allow-Origin';
const MAX_COOKIES = 8;

/** The results of the header grader, each passed to the module that it concerns, so that nothing is reported twice. */
export interface ResponseModuleResults {
  headers: ModuleResult;
  /** Of Strict-Transport-Security, which keeps browsers on HTTPS as the redirect brings them there. */
  hsts: ModuleResult;
  cookies: ModuleResult;
  disclosure: ModuleResult;
  csp_analysis: ModuleResult;
}

export function assessResponse({ headers: given, https, metaCsp, metaReferrer }: PageResponse): ResponseModuleResults {
  const headers = toHeaderMap(given);
  const context = { https, metaCsp, metaReferrer };
  const judgements = checkResponseHeaders(headers, context);
  const of = (select: (judgement: HeaderCheckResult) => boolean) =>
    toHeaderModuleResult(judgements.filter(select), headers);
  const own = new Set([CSP_HEADER, HSTS_HEADER, COOKIE_HEADER, CORS_HEADER]);
  const plain = of((judgement) => !own.has(judgement.header) && !isDisclosure(judgement));
  const { grade, score } = gradeHeaders(given, context);
  return {
    headers: prependDetails(plain, `All headers together: grade ${grade} (${score} of 100).`),
    hsts: of(({ header }) => header === HSTS_HEADER),
    cookies: prependDetails(
      of(({ header }) => header === COOKIE_HEADER),
      ...cookieDetails(headers),
    ),
    disclosure: of(isDisclosure),
    csp_analysis: cspModule(headers, metaCsp),
  };
}

function isDisclosure({ issues }: HeaderCheckResult): boolean {
  return issues.some(({ code }) => code === 'discloses_version' || code === 'discloses_software');
}

function cspModule(headers: HeaderMap, metaCsp: readonly string[]): ModuleResult {
  const { policies, in_header, in_meta, report_only, default_none, repeated } = analyzeCsp(headers, metaCsp);
  const found = toHeaderModuleResult([checkCsp(headers, metaCsp)], headers);
  return prependDetails(
    found,
    policies === 0 ? 'No policy is in force.' : `Policies in force: ${in_header} by header, ${in_meta} by <meta>.`,
    report_only && 'A policy is reported on, without being enforced.',
    default_none && "What no directive names is refused: default-src 'none'.",
    repeated.length > 0 && `Directives that stand there twice: ${summarizeList(repeated, 5, 40)}.`,
  );
}

function cookieDetails(headers: HeaderMap): string[] {
  const cookies = parseCookies(headers);
  const [date = ''] = headers.get('date') ?? [];
  if (cookies.length === 0) return ['No cookie is set.'];
  const shown = cookies.slice(0, MAX_COOKIES).map((cookie) => {
    const { name, attributes } = cookie;
    if (isDeletion(cookie, date)) return `${displayLine(name, 80)}: taken away.`;
    const kept = ['secure', 'httponly', 'samesite'].filter((each) => attributes.has(each));
    return `${displayLine(name, 80)}: ${kept.length === 0 ? 'no attribute that protects it' : kept.join(', ')}.`;
  });
  return [`Cookies set: ${cookies.length}.`, ...shown];
}

/** What the site answers to a request that names an origin; null: it did not. */
export interface CorsProbeResults {
  foreignOrigin: string;
  foreign: RawHeaders | null;
  nullOrigin: RawHeaders | null;
}

/** Whom the site lets read its answers, by what it says to an origin that it cannot know, and to `null`. */
export function corsModule({ foreignOrigin, foreign, nullOrigin }: CorsProbeResults): ModuleResult | null {
  const tried = [
    { given: foreign, origin: foreignOrigin },
    { given: nullOrigin, origin: 'null' },
  ].filter(({ given }) => given !== null);
  if (tried.length === 0) return null;
  const results = tried.map(({ given, origin }) => {
    const headers = toHeaderMap(given!);
    const { details, findings } = toHeaderModuleResult([checkCors(headers, origin)], headers);
    const said = findings.length + details.length === 0 ? [`The origin ${origin} is not allowed to read.`] : details;
    return { details: said, findings };
  });
  const all = results.flatMap(({ findings }) => findings);
  const reflected = all.some(({ id }) => id.startsWith('cors_reflects'));
  return {
    details: [...new Set(results.flatMap(({ details }) => details))],
    findings: all.filter(
      ({ id }, index) =>
        all.findIndex((other) => other.id === id) === index && !(reflected && id.startsWith('cors_null_origin')),
    ),
  };
}

export function prependDetails(result: ModuleResult, ...details: (string | false)[]): ModuleResult {
  return { ...result, details: [...details.filter((detail) => detail !== false), ...result.details] };
}
