import type { HeaderFinding } from './header-finding.ts';

/**
 * Values that fit nearly every site. The policy for content is one to begin with: a site has to allow what it needs. HSTS is without
 * `includeSubDomains`: a subdomain that has no HTTPS yet would be out of reach for a year.
 */
const SUGGESTED_VALUES: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'",
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Lines to send for headers that are missing or that browsers ignore, in the order of the findings. */
export function suggestHeaderLines(findings: readonly HeaderFinding[]): string[] {
  return findings.flatMap(({ header, present, valid }) => {
    const line = suggestedLine(header);
    return line === null || (present && valid) ? [] : [line];
  });
}

/** The line to send for a header; null: there is none that fits most sites. */
export function suggestedLine(header: string): string | null {
  return Object.hasOwn(SUGGESTED_VALUES, header) ? `${header}: ${SUGGESTED_VALUES[header]}` : null;
}
