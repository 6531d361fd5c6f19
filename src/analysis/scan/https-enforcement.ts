import { type HttpsRedirect, classifyHttpsRedirect } from '../headers/https-redirect.ts';
import { displayLine } from '../display-text.ts';
import { type ScanFindingId, createScanFinding } from './scan-findings.ts';
import type { ModuleResult } from './modules.ts';

/** What `http://host/` answers; `not_listening`: the port is closed. */
export type PlainHttpResponse = { url: string; status: number; location: string | null } | 'not_listening';

/** By the first step alone: where it leads to another unencrypted address, what comes after is not asked. */
const FINDING_BY_REDIRECT: Readonly<Partial<Record<HttpsRedirect, ScanFindingId>>> = {
  missing: 'redirect_missing',
  not_to_https: 'redirect_not_to_https',
  off_host_first: 'redirect_off_host_first',
};

/** Whether visitors get to HTTPS; `hsts` is what was found about staying there. */
export function httpsModule(plain: PlainHttpResponse, hsts: ModuleResult): ModuleResult {
  if (plain === 'not_listening') return { ...hsts, details: ['Nothing listens on port 80.', ...hsts.details] };
  const { url, status, location } = plain;
  const target = location === null ? null : URL.parse(location, url);
  // An error status without a redirect serves no page, so it is not a finding.
  const served = target !== null || status < 400;
  const code = served
    ? FINDING_BY_REDIRECT[classifyHttpsRedirect(target === null ? [url] : [url, target.href])]
    : undefined;
  const targetPhrase =
    target === null ? 'without a redirect' : `leading to ${displayLine(target.origin + target.pathname, 200)}`;
  const evidence = `HTTP is answered with status ${status}, ${targetPhrase}.`;
  return {
    details: [evidence, ...hsts.details],
    findings: [...(code === undefined ? [] : [createScanFinding(code, evidence)]), ...hsts.findings],
  };
}
