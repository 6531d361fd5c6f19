import { parseItem, Token } from 'structured-headers';
import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';
import { parseStructuredField } from './structured-field.ts';

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers';

const GOOD_OPENER_POLICIES = ['same-origin', 'same-origin-allow-popups', 'noopener-allow-popups'];
const GOOD_EMBEDDER_POLICIES = ['require-corp', 'credentialless'];
/** Compared exactly, and no structured field (Fetch standard, section 3.8). */
const RESOURCE_POLICIES = ['same-origin', 'same-site', 'cross-origin'];

export function checkOpenerPolicy(headers: HeaderMap): HeaderCheckResult {
  const header = 'Cross-Origin-Opener-Policy';
  const policy = parseToken(joinedValue(headers, header));
  return { header, issues: findTokenIssues('coop', policy, GOOD_OPENER_POLICIES), reference: `${MDN}/${header}` };
}

export function checkEmbedderPolicy(headers: HeaderMap): HeaderCheckResult {
  const header = 'Cross-Origin-Embedder-Policy';
  const policy = parseToken(joinedValue(headers, header));
  const issues = findTokenIssues('coep', policy, GOOD_EMBEDDER_POLICIES);
  if (issues.length === 0 && !isCrossOriginIsolated(headers)) issues.push({ code: 'isolation_incomplete' });
  return { header, issues, reference: `${MDN}/${header}` };
}

/** Whether the page may use what needs isolation, such as SharedArrayBuffer (HTML standard, section 7.2.2: both headers together). */
export function isCrossOriginIsolated(headers: HeaderMap): boolean {
  const opener = parseToken(joinedValue(headers, 'Cross-Origin-Opener-Policy'));
  const embedder = parseToken(joinedValue(headers, 'Cross-Origin-Embedder-Policy'));
  return opener === 'same-origin' && GOOD_EMBEDDER_POLICIES.includes(embedder ?? '');
}

export function checkResourcePolicy(headers: HeaderMap): HeaderCheckResult {
  const header = 'Cross-Origin-Resource-Policy';
  const value = joinedValue(headers, header);
  const issues: HeaderIssue[] = [];
  if (value === null) issues.push({ code: 'corp_missing' });
  else if (!RESOURCE_POLICIES.includes(value)) issues.push({ code: 'corp_invalid' });
  return { header, issues, reference: `${MDN}/${header}` };
}

/** Null: not sent. Empty: not a structured token. */
function parseToken(value: string | null): string | null {
  if (value === null) return null;
  const [item] = parseStructuredField(value, parseItem) ?? [];
  return item instanceof Token ? item.toString() : '';
}

function findTokenIssues(policy: 'coop' | 'coep', token: string | null, good: readonly string[]): HeaderIssue[] {
  if (token === null) return [{ code: `${policy}_missing` }];
  if (token === 'unsafe-none') return [{ code: `${policy}_unsafe_none` }];
  return good.includes(token) ? [] : [{ code: `${policy}_invalid` }];
}
