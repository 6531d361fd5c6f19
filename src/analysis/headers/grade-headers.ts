import { checkContentTypeOptions, checkPermissionsPolicy, checkReferrerPolicy } from './content-policies.ts';
import { checkCookies } from './cookies.ts';
import { checkCors } from './cors.ts';
import { checkEmbedderPolicy, checkOpenerPolicy, checkResourcePolicy } from './cross-origin.ts';
import { checkCsp } from './csp.ts';
import { checkDeprecated, checkDisclosure } from './disclosure.ts';
import { type HeaderFinding, type Judgement, SEVERITIES, toFinding } from './finding.ts';
import { checkFraming, frameAncestors } from './framing.ts';
import { type GivenHeaders, type HeaderMap, readHeaders } from './header-map.ts';
import { checkHsts } from './hsts.ts';
import type { IssueSeverity } from './issues.ts';

export interface HeaderContext {
  /** The response came over HTTPS; default: it did. */
  https?: boolean;
  /** Policies that the page itself sets, in `<meta>` elements. */
  metaCsp?: readonly string[];
  /** What the page says in `<meta name="referrer">`. */
  metaReferrer?: string | undefined;
  /** The origin that the request named, where the site has no reason to trust it. */
  foreignOrigin?: string;
  /** Values in full, however long. */
  full?: boolean;
}

export interface HeaderReport {
  /** Worst first. */
  findings: HeaderFinding[];
  total: number;
  /** Nothing in headers alone is critical; the key stands there as in every list of findings. */
  by_severity: Record<'critical' | IssueSeverity, number>;
  /** 0-100. */
  score: number;
  grade: Grade;
  /** Of the headers that a site should send. */
  headers_present: string[];
  headers_missing: string[];
}

export type Grade = 'A' | 'B' | 'C' | 'D' | 'F';

/** Points that a finding costs. */
const WEIGHTS: Readonly<Record<IssueSeverity, number>> = { high: 25, medium: 15, low: 10, info: 0 };
const GRADES: readonly (readonly [number, Grade])[] = [
  [90, 'A'],
  [75, 'B'],
  [60, 'C'],
  [40, 'D'],
];

/** What a site should send. Without the first six a site has 0 points. */
const RECOMMENDED = [
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
export function judgeHeaders(headers: HeaderMap, context: HeaderContext = {}): Judgement[] {
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
    ...checkDisclosure(headers),
    ...checkDeprecated(headers),
  ];
}

/** Judges the headers of one response. */
export function gradeHeaders(given: GivenHeaders, context: HeaderContext = {}): HeaderReport {
  const headers = readHeaders(given);
  const findings = judgeHeaders(headers, context)
    .map((judgement) => toFinding(judgement, headers, context.full ?? false))
    .filter((finding) => finding !== null)
    .toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
  const sent = (header: string): boolean => headers.has(header.toLowerCase());
  // frame-ancestors does what X-Frame-Options does.
  const needless = frameAncestors(headers) === 'restricted' ? 'X-Frame-Options' : null;
  const score = scoreOf(findings);
  return {
    findings,
    total: findings.length,
    by_severity: countBySeverity(findings),
    score,
    grade: gradeOf(score),
    headers_present: RECOMMENDED.filter(sent),
    headers_missing: RECOMMENDED.filter((header) => !sent(header) && header !== needless),
  };
}

function scoreOf(findings: readonly HeaderFinding[]): number {
  return findings.reduce((score, { severity }) => Math.max(0, score - WEIGHTS[severity]), 100);
}

function gradeOf(score: number): Grade {
  return GRADES.find(([least]) => score >= least)?.[1] ?? 'F';
}

function countBySeverity(findings: readonly HeaderFinding[]): HeaderReport['by_severity'] {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}
