import { isBypassHost } from './csp-bypass.ts';
import {
  type CspPolicy,
  isInsecure,
  isNonce,
  isNonceOrHash,
  isUnrestricted,
  parsePolicies,
  sourcesFor,
} from './csp-policy.ts';
import { syntaxIssues } from './csp-syntax.ts';
import type { Issue, Judgement } from './finding.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';
import type { IssueCode } from './issues.ts';

export interface CspAnalysis {
  /** Policies in force at once, of headers and of `<meta>` elements. */
  policies: number;
  in_header: number;
  in_meta: number;
  report_only: boolean;
  /** What a policy does not name is refused: `default-src 'none'` in one of them. */
  default_none: boolean;
  /** Directives that stand there twice. */
  repeated: string[];
  issues: Issue[];
}

const HEADER = 'Content-Security-Policy';
const REFERENCE = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP';

/** `metaPolicies`: contents of `<meta http-equiv="Content-Security-Policy">`. */
export function analyseCsp(headers: HeaderMap, metaPolicies: readonly string[] = []): CspAnalysis {
  const fromHeader = parsePolicies(headers.get(HEADER.toLowerCase()) ?? []);
  const policies = [...fromHeader, ...parsePolicies(metaPolicies, true)];
  const reportOnly = parsePolicies(headers.get('content-security-policy-report-only') ?? []).length > 0;
  return {
    policies: policies.length,
    in_header: fromHeader.length,
    in_meta: policies.length - fromHeader.length,
    report_only: reportOnly,
    default_none: policies.some(({ directives }) => isNone(directives.get('default-src') ?? null)),
    repeated: [...new Set(policies.flatMap(({ repeated }) => repeated))],
    issues: policies.length > 0 ? judge(policies) : [without(headers, reportOnly)],
  };
}

export function checkCsp(headers: HeaderMap, metaPolicies: readonly string[]): Judgement {
  return { header: HEADER, issues: analyseCsp(headers, metaPolicies).issues, reference: REFERENCE };
}

function without(headers: HeaderMap, reportOnly: boolean): Issue {
  if (reportOnly) return { code: 'csp_report_only' };
  return { code: joinedValue(headers, HEADER) === null ? 'csp_missing' : 'csp_invalid' };
}

/** What several policies let through is what each of them does, as all hold at once (CSP Level 3, section 8.1). */
function judge(policies: readonly CspPolicy[]): Issue[] {
  const syntax = syntaxIssues(policies);
  if (syntax.some(({ code }) => code === 'csp_invalid')) return syntax;
  const issues = GAPS.flatMap((gap) => issueOf(gap, policies));
  return [...new Map([...issues, ...syntax].map((issue) => [issue.code, issue])).values()];
}

/** Something that a policy can leave open. */
interface Gap {
  /** The sources that leave it open; none: it is left open because the policy does not speak of it. Null: it is closed. */
  open: (policy: CspPolicy) => readonly string[] | null;
  code: IssueCode;
  /** Where no policy speaks of it; null: nothing is to be said then. */
  missing: IssueCode | null;
}

const SCRIPT = ['script-src-elem', 'script-src-attr'];
const ACTIVE = [
  'script-src-elem',
  'style-src-elem',
  'object-src',
  'connect-src',
  'frame-src',
  'worker-src',
  'font-src',
];
const PASSIVE = ['img-src', 'media-src'];

const GAPS: readonly Gap[] = [
  {
    code: 'csp_script_unsafe_inline',
    missing: 'csp_script_src_missing',
    open: (policy) =>
      SCRIPT.map((name) => openTo(sourcesFor(policy, name), inlineSources)).find((found) => found !== null) ?? null,
  },
  {
    code: 'csp_script_unrestricted_source',
    missing: 'csp_script_src_missing',
    open: (policy) => openTo(trusted(sourcesFor(policy, 'script-src-elem')), unrestricted),
  },
  {
    code: 'csp_script_bypass_host',
    missing: 'csp_script_src_missing',
    open: (policy) => openTo(trusted(sourcesFor(policy, 'script-src-elem')), bypassHosts),
  },
  {
    code: 'csp_script_unsafe_eval',
    missing: 'csp_script_src_missing',
    open: (policy) =>
      openTo(sourcesFor(policy, 'script-src'), (sources) => sources.filter((source) => source === "'unsafe-eval'")),
  },
  {
    code: 'csp_insecure_source',
    missing: null,
    open: (policy) => insecureSources(policy, ACTIVE),
  },
  {
    code: 'csp_passive_insecure_source',
    missing: null,
    open: (policy) => insecureSources(policy, PASSIVE),
  },
  {
    code: 'csp_object_src_unrestricted',
    missing: 'csp_object_src_missing',
    open: (policy) => openTo(sourcesFor(policy, 'object-src'), unrestricted),
  },
  {
    code: 'csp_base_uri_unrestricted',
    missing: 'csp_base_uri_missing',
    open: ({ directives }) => openTo(directives.get('base-uri') ?? null, unrestricted),
  },
  {
    code: 'csp_form_action_unrestricted',
    missing: 'csp_form_action_missing',
    open: ({ directives }) => openTo(directives.get('form-action') ?? null, unrestricted),
  },
  {
    code: 'csp_style_unsafe_inline',
    missing: 'csp_style_src_missing',
    open: (policy) => openTo(sourcesFor(policy, 'style-src-elem'), inlineSources),
  },
  {
    code: 'csp_style_unrestricted_source',
    missing: 'csp_style_src_missing',
    open: (policy) => openTo(sourcesFor(policy, 'style-src-elem'), unrestricted),
  },
];

function issueOf({ open, code, missing }: Gap, policies: readonly CspPolicy[]): Issue[] {
  const found = policies.map(open);
  if (found.includes(null)) return [];
  const about = [...new Set(found.flatMap((sources) => sources ?? []))];
  if (about.length > 0) return [{ code, about }];
  if (missing === 'csp_base_uri_missing' && policies.some(withNonce))
    return [{ code: 'csp_base_uri_missing_with_nonce' }];
  return missing === null ? [] : [{ code: missing }];
}

function unrestricted(sources: readonly string[]): readonly string[] {
  return sources.filter(isUnrestricted);
}

/** No list: open, with nothing to show for it. A list: open where `select` finds sources in it. */
function openTo(
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
function trusted(sources: readonly string[] | null): readonly string[] | null {
  return sources?.includes(STRICT_DYNAMIC) ? sources.filter((source) => source.startsWith("'")) : sources;
}

function bypassHosts(sources: readonly string[]): readonly string[] {
  const evalAllowed = sources.includes("'unsafe-eval'");
  return sources.filter((source) => !source.startsWith("'") && isBypassHost(source, evalAllowed));
}

function insecureSources(policy: CspPolicy, directives: readonly string[]): readonly string[] | null {
  const { directives: set } = policy;
  if (set.has('upgrade-insecure-requests') || set.has('block-all-mixed-content')) return null;
  const lists = directives.map((name) => trusted(sourcesFor(policy, name)));
  const found = lists.flatMap((sources) => sources?.filter(isInsecure) ?? []);
  return found.length > 0 || lists.includes(null) ? [...new Set(found)] : null;
}

function withNonce(policy: CspPolicy): boolean {
  const sources = sourcesFor(policy, 'script-src-elem') ?? [];
  return sources.some(isNonce) || (sources.some(isNonceOrHash) && sources.includes(STRICT_DYNAMIC));
}

/** An empty list is the same as `'none'`. */
function isNone(sources: readonly string[] | null): boolean {
  return sources !== null && (sources.length === 0 || (sources.length === 1 && sources[0] === "'none'"));
}
