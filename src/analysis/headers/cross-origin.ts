import type { Issue, Judgement } from './finding.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';
import { parseItem } from './structured-field.ts';

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers';

const OPENER = ['same-origin', 'same-origin-allow-popups', 'noopener-allow-popups'];
const EMBEDDER = ['require-corp', 'credentialless'];
/** Compared exactly, and no structured field (Fetch standard, section 3.8). */
const RESOURCE = ['same-origin', 'same-site', 'cross-origin'];

export function checkOpenerPolicy(headers: HeaderMap): Judgement {
  const header = 'Cross-Origin-Opener-Policy';
  const policy = tokenOf(joinedValue(headers, header));
  return { header, issues: judgeToken('coop', policy, OPENER), reference: `${MDN}/${header}` };
}

export function checkEmbedderPolicy(headers: HeaderMap): Judgement {
  const header = 'Cross-Origin-Embedder-Policy';
  const policy = tokenOf(joinedValue(headers, header));
  return { header, issues: judgeToken('coep', policy, EMBEDDER), reference: `${MDN}/${header}` };
}

export function checkResourcePolicy(headers: HeaderMap): Judgement {
  const header = 'Cross-Origin-Resource-Policy';
  const value = joinedValue(headers, header);
  const issues: Issue[] = [];
  if (value === null) issues.push({ code: 'corp_missing' });
  else if (!RESOURCE.includes(value)) issues.push({ code: 'corp_invalid' });
  return { header, issues, reference: `${MDN}/${header}` };
}

/** Null: not sent. Empty: no structured token. */
function tokenOf(value: string | null): string | null {
  if (value === null) return null;
  const item = parseItem(value);
  return item?.kind === 'token' ? item.value : '';
}

function judgeToken(policy: 'coop' | 'coep', token: string | null, good: readonly string[]): Issue[] {
  if (token === null) return [{ code: `${policy}_missing` }];
  if (token === 'unsafe-none') return [{ code: `${policy}_unsafe_none` }];
  return good.includes(token) ? [] : [{ code: `${policy}_invalid` }];
}
