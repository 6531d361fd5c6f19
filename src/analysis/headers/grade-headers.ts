import { checkPermissionsPolicy } from './permissions-policy.ts';
import { checkContentTypeOptions, checkReferrerPolicy } from './policy-headers.ts';
import { checkReporting } from './reporting.ts';
import { checkAgentCluster, checkClearSiteData } from './site-state.ts';
import { checkCookies } from './cookies.ts';
import { checkCors } from './cors.ts';
import { checkEmbedderPolicy, checkOpenerPolicy, checkResourcePolicy } from './cross-origin.ts';
import { checkCsp } from './check-csp.ts';
import { checkDeprecatedHeaders, checkDisclosure, checkInternals } from './disclosure.ts';
import { type HeaderFinding, type HeaderCheckResult, toHeaderFinding } from './header-finding.ts';
import { checkFraming, frameAncestorsPolicy } from './framing.ts';
import { type RawHeaders, type HeaderMap, toHeaderMap } from './header-map.ts';
import { checkHsts } from './hsts.ts';
import type { HeaderSeverity } from './header-issue.ts';
import { CHECK_SEVERITIES, type CheckSeverity, countBySeverity } from '../severity.ts';
import { compareFindings, scoreFindings } from '../finding.ts';
import { gradeOfScore, type LetterGrade } from '../letter-grade.ts';

export interface HeaderContext {
  /** The response came over HTTPS; default: it did. */
  https?: boolean;
  /** Policies that the page itself sets, in `<meta>` elements. */
  metaCsp?: readonly string[];
  /** What the page says in `<meta name="referrer">`. */
  metaReferrer?: string | undefined;
  /** The origin that the request named, where the site has no reason to trust it. */
  foreignOrigin?: string;
}

export interface HeaderReport {
  /** Worst first. */
  findings: HeaderFinding[];
  total: number;
  by_severity: Record<CheckSeverity, number>;
  /** 0-100. */
  score: number;
  grade: LetterGrade;
  /** Of the headers that a site should send. */
  headers_present: string[];
  headers_missing: string[];
}

/** Points that a finding costs. */
const COST_BY_SEVERITY: Readonly<Record<HeaderSeverity, number>> = { HIGH: 25, MEDIUM: 15, LOW: 10, INFO: 0 };

/** What a site should send. Without the first six a site has 0 points. */
const RECOMMENDED_HEADERS = [
  'Content-Security-Policy',
  'Strict-Transport-Security',
  'X-Frame-Options',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Permissions-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Embedder-Policy',
  'Cross-Origin-Resource-Policy',
];

/** What there is to say of each header. */
export function checkResponseHeaders(headers: HeaderMap, context: HeaderContext = {}): HeaderCheckResult[] {
  const { https = true, metaCsp = [], metaReferrer = null, foreignOrigin = null } = context;
  const hsts = checkHsts(headers, https);
  const underHsts = hsts.issues.every(({ code }) => code === 'hsts_no_subdomains' || code === 'hsts_repeated');
  return [
    checkCsp(headers, metaCsp),
    hsts,
    checkFraming(headers),
    checkContentTypeOptions(headers),
    checkReferrerPolicy(headers, metaReferrer),
    checkPermissionsPolicy(headers),
    checkCookies(headers, underHsts),
    checkCors(headers, foreignOrigin),
    checkOpenerPolicy(headers),
    checkEmbedderPolicy(headers),
    checkResourcePolicy(headers),
    ...checkReporting(headers),
    checkClearSiteData(headers),
    checkAgentCluster(headers),
    ...checkDisclosure(headers),
    ...checkInternals(headers),
    ...checkDeprecatedHeaders(headers),
  ];
}

/** Judges the headers of one response. `fullValues`: header values in the findings are not truncated. */
export function gradeHeaders(rawHeaders: RawHeaders, context: HeaderContext = {}, fullValues = false): HeaderReport {
  const headers = toHeaderMap(rawHeaders);
  const findings = checkResponseHeaders(headers, context)
    .map((judgement) => toHeaderFinding(judgement, headers, fullValues))
    .filter((finding) => finding !== null)
    .toSorted(compareFindings);
  const sent = (header: string): boolean => headers.has(header.toLowerCase());
  // frame-ancestors does what X-Frame-Options does.
  const needless = frameAncestorsPolicy(headers) === 'restricted' ? 'X-Frame-Options' : null;
  const score = scoreFindings(findings, COST_BY_SEVERITY);
  return {
    findings,
    total: findings.length,
    by_severity: countBySeverity(CHECK_SEVERITIES, findings),
    score,
    grade: gradeOfScore(score),
    headers_present: RECOMMENDED_HEADERS.filter(sent),
    headers_missing: RECOMMENDED_HEADERS.filter((header) => !sent(header) && header !== needless),
  };
}
