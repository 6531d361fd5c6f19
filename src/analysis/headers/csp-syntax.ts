import { type CspPolicy, isNonce, isNonceOrHash } from './csp-policy.ts';
import type { HeaderIssue } from './header-finding.ts';
import type { HeaderIssueCode } from './header-issues.ts';

const KNOWN_DIRECTIVES = new Set(
  `base-uri child-src connect-src default-src fenced-frame-src font-src form-action frame-ancestors frame-src img-src
  manifest-src media-src object-src report-to report-uri require-trusted-types-for sandbox script-src script-src-attr
  script-src-elem style-src style-src-attr style-src-elem trusted-types upgrade-insecure-requests webrtc worker-src`.split(
    /\s+/,
  ),
);
const DEPRECATED_DIRECTIVES = new Set(
  `block-all-mixed-content disown-opener navigate-to plugin-types prefetch-src referrer reflected-xss require-sri-for`.split(
    ' ',
  ),
);
const SOURCE_KEYWORDS = new Set([
  'self',
  'none',
  'unsafe-inline',
  'unsafe-eval',
  'strict-dynamic',
  'unsafe-hashes',
  'report-sample',
  'wasm-unsafe-eval',
  'inline-speculation-rules',
]);
/** 16 bytes in base64, without padding. */
const MIN_NONCE_LENGTH = 22;
/** Below it Google's CSP Evaluator reports a nonce as too short. */
const MIN_UNGUESSED_LENGTH = 8;

/** Syntax errors in policies, regardless of what they allow. */
export function findCspSyntaxIssues(policies: readonly CspPolicy[]): HeaderIssue[] {
  const names = policies.flatMap(({ directives }) => [...directives.keys()]);
  const sources = policies.flatMap(({ directives }) =>
    [...directives].filter(([name]) => name.endsWith('-src') || OTHER_SOURCE_DIRECTIVES.has(name)),
  );
  const words = sources.flatMap(([, list]) => list);
  const known =
    policies.some(({ ignored }) => ignored.length > 0) ||
    names.some((name) => KNOWN_DIRECTIVES.has(name) || DEPRECATED_DIRECTIVES.has(name));
  if (!known) return [{ code: 'csp_invalid' }];
  return [
    ...issueIfAny(
      'csp_unknown_directive',
      names.filter((name) => !KNOWN_DIRECTIVES.has(name) && !DEPRECATED_DIRECTIVES.has(name)),
    ),
    ...issueIfAny(
      'csp_deprecated_directive',
      names.filter((name) => DEPRECATED_DIRECTIVES.has(name)),
    ),
    ...issueIfAny(
      'csp_meta_directive_ignored',
      policies.flatMap(({ ignored }) => ignored),
    ),
    ...trustedTypesIssues(policies),
    ...issueIfAny(
      'csp_duplicate_directive',
      policies.flatMap(({ repeated }) => repeated),
    ),
    ...issueIfAny(
      'csp_unquoted_keyword',
      words.filter((word) => SOURCE_KEYWORDS.has(word) || /^(?:nonce|sha(?:256|384|512))-/.test(word)),
    ),
    ...issueIfAny(
      'csp_strict_dynamic_alone',
      sources
        .filter(
          ([name, list]) => governsScripts(name) && list.includes("'strict-dynamic'") && !list.some(isNonceOrHash),
        )
        .map(([name]) => name),
    ),
    ...issueIfAny(
      'csp_strict_dynamic_misplaced',
      sources
        .filter(([name, list]) => !governsScripts(name) && list.includes("'strict-dynamic'"))
        .map(([name]) => name),
    ),
    ...issueIfAny(
      'csp_weak_nonce',
      words.filter((word) => isNonce(word) && nonceLength(word) < MIN_UNGUESSED_LENGTH),
    ),
    ...issueIfAny('csp_short_nonce', words.filter(isShortNonce)),
    ...issueIfAny('csp_ip_source', words.filter(isIpSource)),
    ...issueIfAny(
      'csp_none_not_alone',
      sources.filter(([, list]) => list.length > 1 && list.includes("'none'")).map(([name]) => name),
    ),
  ];
}

/** `'strict-dynamic'` concerns scripts alone (CSP Level 3, section 8.2). */
function governsScripts(directive: string): boolean {
  return directive === 'default-src' || directive === 'worker-src' || directive.startsWith('script-src');
}

const OTHER_SOURCE_DIRECTIVES = new Set([
  'base-uri',
  'form-action',
  'frame-ancestors',
  'script-src-elem',
  'script-src-attr',
  'style-src-elem',
  'style-src-attr',
]);

/** Trusted Types (CSP Level 3 with W3C Trusted Types, section 4.3): `trusted-types` names policies, `require-trusted-types-for` enforces them. */
function trustedTypesIssues(policies: readonly CspPolicy[]): HeaderIssue[] {
  const sinks = policies.flatMap(({ directives }) => directives.get('require-trusted-types-for') ?? []);
  const named = policies.flatMap(({ directives }) => directives.get('trusted-types') ?? []);
  const isNamed = policies.some(({ directives }) => directives.has('trusted-types'));
  const isRequired = policies.some(({ directives }) => directives.has('require-trusted-types-for'));
  return [
    ...(isRequired && !sinks.includes("'script'") ? [{ code: 'csp_trusted_types_invalid' } as const] : []),
    ...(isNamed && !isRequired ? [{ code: 'csp_trusted_types_not_required' } as const] : []),
    ...issueIfAny(
      'csp_trusted_types_open',
      isRequired ? named.filter((word) => word === '*' || word === "'allow-duplicates'") : [],
    ),
  ];
}

function issueIfAny(code: HeaderIssueCode, about: readonly string[]): HeaderIssue[] {
  return about.length === 0 ? [] : [{ code, subjects: [...new Set(about)] }];
}

function isShortNonce(source: string): boolean {
  return isNonce(source) && nonceLength(source) >= MIN_UNGUESSED_LENGTH && nonceLength(source) < MIN_NONCE_LENGTH;
}

function nonceLength(source: string): number {
  return source.length - "'nonce-'".length;
}

/** Loopback is the one address that browsers match. */
function isIpSource(source: string): boolean {
  const host = source.replace(/^[a-z]+:\/\//, '');
  return (/^\d{1,3}(?:\.\d{1,3}){3}(?:[:/]|$)/.test(host) && !host.startsWith('127.0.0.1')) || host.startsWith('[');
}
