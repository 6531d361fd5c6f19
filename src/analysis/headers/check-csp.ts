import { isBypassHost } from './csp-bypass.ts';
import {
  type CspPolicy,
  isInsecureSource,
  isNonce,
  isNonceOrHash,
  isUnrestrictedSource,
  parseCspPolicies,
  effectiveSources,
} from './csp-policy.ts';
import { findCspSyntaxIssues } from './csp-syntax.ts';
import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import { findReportingIssues } from './reporting.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';
import type { HeaderIssueCode } from './header-issues.ts';

export interface CspAnalysis {
  /** Policies in force at once, of headers and of `<meta>` elements. */
  policies: number;
  in_header: number;
  in_meta: number;
  report_only: boolean;
  /** What a policy does not name is refused: `default-src 'none'` in one of them. */
  default_none: boolean;
  /** Directives that occur more than once. */
  repeated: string[];
  issues: HeaderIssue[];
}

const HEADER = 'Content-Security-Policy';
const REFERENCE = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP';

/** `metaPolicies`: contents of `<meta http-equiv="Content-Security-Policy">`. */
export function analyzeCsp(headers: HeaderMap, metaPolicies: readonly string[] = []): CspAnalysis {
  const fromHeader = parseCspPolicies(headers.get(HEADER.toLowerCase()) ?? []);
  const policies = [...fromHeader, ...parseCspPolicies(metaPolicies, true)];
  const reportOnly = parseCspPolicies(headers.get('content-security-policy-report-only') ?? []).length > 0;
  return {
    policies: policies.length,
    in_header: fromHeader.length,
    in_meta: policies.length - fromHeader.length,
    report_only: reportOnly,
    default_none: policies.some(({ directives }) => allowsNothing(directives.get('default-src') ?? null)),
    repeated: [...new Set(policies.flatMap(({ repeated }) => repeated))],
    issues: policies.length > 0 ? findCspIssues(policies) : [missingPolicyIssue(headers, reportOnly)],
  };
}

export function checkCsp(headers: HeaderMap, metaPolicies: readonly string[]): HeaderCheckResult {
  const { issues } = analyzeCsp(headers, metaPolicies);
  return { header: HEADER, issues: [...issues, ...findReportingIssues(headers)], reference: REFERENCE };
}

function missingPolicyIssue(headers: HeaderMap, reportOnly: boolean): HeaderIssue {
  if (reportOnly) return { code: 'csp_report_only' };
  return { code: joinedValue(headers, HEADER) === null ? 'csp_missing' : 'csp_invalid' };
}

/** What several policies let through is what each of them does, as all hold at once (CSP Level 3, section 8.1). */
function findCspIssues(policies: readonly CspPolicy[]): HeaderIssue[] {
  const syntax = findCspSyntaxIssues(policies);
  if (syntax.some(({ code }) => code === 'csp_invalid')) return syntax;
  const issues = CSP_GAPS.flatMap((gap) => gapIssues(gap, policies));
  return [...new Map([...issues, ...syntax].map((issue) => [issue.code, issue])).values()];
}

/** Something that a policy can leave open. */
interface CspGap {
  /** The sources that do not restrict it; empty: the policy does not restrict it at all. Null: it is restricted. */
  openSources: (policy: CspPolicy) => readonly string[] | null;
  code: HeaderIssueCode;
  /** Where no policy restricts it; null: that is no issue. */
  missing: HeaderIssueCode | null;
}

const SCRIPT_DIRECTIVES = ['script-src-elem', 'script-src-attr'];
const ACTIVE_DIRECTIVES = [
  'script-src-elem',
  'style-src-elem',
  'object-src',
  'connect-src',
  'frame-src',
  'worker-src',
  'font-src',
];
const PASSIVE_DIRECTIVES = ['img-src', 'media-src'];

const CSP_GAPS: readonly CspGap[] = [
  {
    code: 'csp_script_unsafe_inline',
    missing: 'csp_script_src_missing',
    openSources: (policy) =>
      SCRIPT_DIRECTIVES.map((name) => selectOpenSources(effectiveSources(policy, name), inlineSources)).find(
        (found) => found !== null,
      ) ?? null,
  },
  {
    code: 'csp_script_unrestricted_source',
    missing: 'csp_script_src_missing',
    openSources: (policy) =>
      selectOpenSources(withoutIgnoredSources(effectiveSources(policy, 'script-src-elem')), unrestrictedSources),
  },
  {
    code: 'csp_script_bypass_host',
    missing: 'csp_script_src_missing',
    openSources: (policy) =>
      selectOpenSources(withoutIgnoredSources(effectiveSources(policy, 'script-src-elem')), bypassHosts),
  },
  {
    code: 'csp_script_unsafe_eval',
    missing: 'csp_script_src_missing',
    openSources: (policy) =>
      selectOpenSources(effectiveSources(policy, 'script-src'), (sources) =>
        sources.filter((source) => source === "'unsafe-eval'"),
      ),
  },
  {
    code: 'csp_insecure_source',
    missing: null,
    openSources: (policy) => insecureSources(policy, ACTIVE_DIRECTIVES),
  },
  {
    code: 'csp_passive_insecure_source',
    missing: null,
    openSources: (policy) => insecureSources(policy, PASSIVE_DIRECTIVES),
  },
  {
    code: 'csp_object_src_unrestricted',
    missing: 'csp_object_src_missing',
    openSources: (policy) => selectOpenSources(effectiveSources(policy, 'object-src'), unrestrictedSources),
  },
  {
    code: 'csp_base_uri_unrestricted',
    missing: 'csp_base_uri_missing',
    openSources: ({ directives }) => selectOpenSources(directives.get('base-uri') ?? null, unrestrictedSources),
  },
  {
    code: 'csp_form_action_unrestricted',
    missing: 'csp_form_action_missing',
    openSources: ({ directives }) => selectOpenSources(directives.get('form-action') ?? null, unrestrictedSources),
  },
  {
    code: 'csp_style_unsafe_inline',
    missing: 'csp_style_src_missing',
    openSources: (policy) => selectOpenSources(effectiveSources(policy, 'style-src-elem'), inlineSources),
  },
  {
    code: 'csp_style_unrestricted_source',
    missing: 'csp_style_src_missing',
    openSources: (policy) => selectOpenSources(effectiveSources(policy, 'style-src-elem'), unrestrictedSources),
  },
];

function gapIssues({ openSources, code, missing }: CspGap, policies: readonly CspPolicy[]): HeaderIssue[] {
  const found = policies.map(openSources);
  if (found.includes(null)) return [];
  const about = [...new Set(found.flatMap((sources) => sources ?? []))];
  if (about.length > 0) return [{ code, subjects: about }];
  if (missing === 'csp_base_uri_missing') {
    // Where no script runs, none can be led elsewhere.
    if (policies.some((policy) => allowsNothing(effectiveSources(policy, 'script-src-elem')))) return [];
    if (policies.some(usesNonce)) return [{ code: 'csp_base_uri_missing_with_nonce' }];
  }
  return missing === null ? [] : [{ code: missing }];
}

function unrestrictedSources(sources: readonly string[]): readonly string[] {
  return sources.filter(isUnrestrictedSource);
}

/** No list: not restricted, without sources to show. A list: not restricted if `select` finds sources in it. */
function selectOpenSources(
  sources: readonly string[] | null,
  select: (sources: readonly string[]) => readonly string[],
): readonly string[] | null {
  if (sources === null) return [];
  const found = select(sources);
  return found.length === 0 ? null : found;
}

/** Nonces, hashes and `'strict-dynamic'` make browsers ignore `'unsafe-inline'`. */
function inlineSources(sources: readonly string[]): readonly string[] {
  if (sources.some((source) => isNonceOrHash(source) || source === STRICT_DYNAMIC)) return [];
  return sources.filter((source) => source === "'unsafe-inline'");
}

const STRICT_DYNAMIC = "'strict-dynamic'";

/** With `'strict-dynamic'` browsers ignore hosts and schemes. */
function withoutIgnoredSources(sources: readonly string[] | null): readonly string[] | null {
  return sources?.includes(STRICT_DYNAMIC) ? sources.filter((source) => source.startsWith("'")) : sources;
}

function bypassHosts(sources: readonly string[]): readonly string[] {
  const evalAllowed = sources.includes("'unsafe-eval'");
  return sources.filter((source) => !source.startsWith("'") && isBypassHost(source, evalAllowed));
}

function insecureSources(policy: CspPolicy, directives: readonly string[]): readonly string[] | null {
  const { directives: set } = policy;
  if (set.has('upgrade-insecure-requests') || set.has('block-all-mixed-content')) return null;
  const lists = directives.map((name) => withoutIgnoredSources(effectiveSources(policy, name)));
  const found = lists.flatMap((sources) => sources?.filter(isInsecureSource) ?? []);
  return found.length > 0 || lists.includes(null) ? [...new Set(found)] : null;
}

function usesNonce(policy: CspPolicy): boolean {
  const sources = effectiveSources(policy, 'script-src-elem') ?? [];
  return sources.some(isNonce) || (sources.some(isNonceOrHash) && sources.includes(STRICT_DYNAMIC));
}

/** An empty list is the same as `'none'`. */
function allowsNothing(sources: readonly string[] | null): boolean {
  return sources !== null && (sources.length === 0 || (sources.length === 1 && sources[0] === "'none'"));
}
