import type { PackageAdvisory } from './match-advisory.ts';
import { advisoryIds } from './package-vulnerabilities.ts';

/** Embedded Malicious Code. */
const CWE = 'CWE-506';
/** Titles of advisories about packages that do harm, and not of those about harm done to a package by malicious input. */
const TITLES: readonly RegExp[] = [
  /^(?:embedded )?(?:malicious code|malware|backdoor)\b(?: in\b|$|[.:])/i,
  /^malware in\b/i,
  /^entropy backdoor in\b/i,
  /^malicious (?:npm |pypi )?(?:packages?|versions?|releases?)(?: in\b| of\b| published\b|$|[.:])/i,
  /\b(?:package|project|for python)\b.*\bcode[- ]execution backdoor\b/i,
  /\b(?:new )?malicious releases? (?:was |were )?made\b/i,
];

/** Whether a weakness of an advisory is that the package itself is malicious (CWE-506). */
export function isMaliciousCode(cweIds: readonly string[]): boolean {
  return cweIds.includes(CWE);
}

/** Whether the advisory says that the package was made, or changed, to do harm: by its id (OSV's `MAL-`), its weakness or its title. */
export function isMaliciousPackage(
  advisory: Pick<PackageAdvisory, 'id' | 'aliases' | 'title' | 'is_malicious'>,
): boolean {
  if (advisory.is_malicious === true || advisoryIds(advisory).some((id) => id.startsWith('MAL-'))) return true;
  return TITLES.some((title) => title.test(advisory.title ?? ''));
}
