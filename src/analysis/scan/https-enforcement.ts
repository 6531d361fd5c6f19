import { type HttpsRedirect, classifyHttpsRedirect } from '../headers/https-redirect.ts';
import { displayLine } from '../display-text.ts';
import { type ScanFindingId, createScanFinding } from './scan-findings.ts';
import type { ModuleResult } from './modules.ts';

/** What `http://host/` answers; `nobody`: nothing listens there. */
export type PlainHttpResponse = { url: string; status: number; location: string | null } | 'nobody';

/** By the first step alone: where it leads to another unencrypted address, what comes after is not asked. */
const FINDING_BY_REDIRECT: Readonly<Partial<Record<HttpsRedirect, ScanFindingId>>> = {
  missing: 'redirect_missing',
  not_to_https: 'redirect_not_to_https',
  off_host_first: 'redirect_off_host_first',
};

/** Whether visitors get to HTTPS; `hsts` is what was found about staying there. */
export function httpsModule(plain: PlainHttpResponse, hsts: ModuleResult): ModuleResult {
  if (plain === 'nobody') return { ...hsts, details: ['Nothing listens on port 80.', ...hsts.details] };
  const { url, status, location } = plain;
  const target = location === null ? null : URL.parse(location, url);
  // An answer that is no page leaves nobody on it.
  const served = target !== null || status < 400;
  const code = served
    ? FINDING_BY_REDIRECT[classifyHttpsRedirect(target === null ? [url] : [url, target.href])]
    : undefined;
  const leads =
    target === null ? 'without a redirect' : `leading to ${displayLine(target.origin + target.pathname, 200)}`;
  const seen = `HTTP is answered with status ${status}, ${leads}.`;
  return {
    details: [seen, ...hsts.details],
    findings: [...(code === undefined ? [] : [createScanFinding(code, seen)]), ...hsts.findings],
  };
}
