import { type CspPolicy, isNonce, isNonceOrHash } from './csp-policy.ts';
import type { Issue } from './finding.ts';
import type { IssueCode } from './issues.ts';

const DIRECTIVES = new Set(
  `base-uri child-src connect-src default-src fenced-frame-src font-src form-action frame-ancestors frame-src img-src
  manifest-src media-src object-src report-to report-uri require-trusted-types-for sandbox script-src script-src-attr
  script-src-elem style-src style-src-attr style-src-elem trusted-types upgrade-insecure-requests webrtc worker-src`.split(
    /\s+/,
  ),
);
const DEPRECATED = new Set(
  `block-all-mixed-content disown-opener navigate-to plugin-types prefetch-src referrer reflected-xss require-sri-for`.split(
    ' ',
  ),
);
const KEYWORDS = new Set([
  'self',
  'none',
  'unsafe-inline',
  'unsafe-eval',
  'strict-dynamic',
  'unsafe-hashes',
  'report-sample',
]);
/** 16 bytes in base64, without padding. */
const NONCE_LENGTH = 22;

/** What is written wrong in policies, whatever they allow. */
export function syntaxIssues(policies: readonly CspPolicy[]): Issue[] {
  const names = policies.flatMap(({ directives }) => [...directives.keys()]);
  const sources = policies.flatMap(({ directives }) =>
    [...directives].filter(([name]) => name.endsWith('-src') || LISTS.has(name)),
  );
  const words = sources.flatMap(([, list]) => list);
  const known = names.some((name) => DIRECTIVES.has(name) || DEPRECATED.has(name));
  if (!known) return [{ code: 'csp_invalid' }];
  return [
    ...issue(
      'csp_unknown_directive',
      names.filter((name) => !DIRECTIVES.has(name) && !DEPRECATED.has(name)),
    ),
    ...issue(
      'csp_deprecated_directive',
      names.filter((name) => DEPRECATED.has(name)),
    ),
    ...issue(
      'csp_duplicate_directive',
      policies.flatMap(({ repeated }) => repeated),
    ),
    ...issue(
      'csp_unquoted_keyword',
      words.filter((word) => KEYWORDS.has(word) || /^(?:nonce|sha(?:256|384|512))-/.test(word)),
    ),
    ...issue(
      'csp_strict_dynamic_alone',
      sources
        .filter(([, list]) => list.includes("'strict-dynamic'") && !list.some(isNonceOrHash))
        .map(([name]) => name),
    ),
    ...issue('csp_weak_nonce', words.filter(isWeakNonce)),
    ...issue('csp_ip_source', words.filter(isAddress)),
    ...issue(
      'csp_none_not_alone',
      sources.filter(([, list]) => list.length > 1 && list.includes("'none'")).map(([name]) => name),
    ),
  ];
}

const LISTS = new Set([
  'base-uri',
  'form-action',
  'frame-ancestors',
  'script-src-elem',
  'script-src-attr',
  'style-src-elem',
  'style-src-attr',
]);

function issue(code: IssueCode, about: readonly string[]): Issue[] {
  return about.length === 0 ? [] : [{ code, about: [...new Set(about)] }];
}

function isWeakNonce(source: string): boolean {
  return isNonce(source) && source.length - "'nonce-'".length < NONCE_LENGTH;
}

/** Loopback is the one address that browsers match. */
function isAddress(source: string): boolean {
  const host = source.replace(/^[a-z]+:\/\//, '');
  return (/^\d{1,3}(?:\.\d{1,3}){3}(?:[:/]|$)/.test(host) && !host.startsWith('127.0.0.1')) || host.startsWith('[');
}
