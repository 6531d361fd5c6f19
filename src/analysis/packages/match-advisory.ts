import type { Severity } from '../severity.ts';
import type { VersionOrder } from '../versions/version-order.ts';
import { type AffectedRange, isInRange } from './affected-range.ts';

/** What one advisory says about one package. */
export interface PackageAdvisory {
  /** In its own database: `GHSA-...`, `PYSEC-...`, `GO-...`, `RUSTSEC-...`. */
  id: string;
  source: 'osv' | 'ghsa';
  /** Other ids of the same flaw, CVE ids among them. */
  aliases: string[];
  title: string | null;
  /** As the advisory gives it; null where it gives none. */
  severity: Severity | null;
  /** CVSS 3.x base score of the advisory itself. */
  cvss_v3: number | null;
  /** ISO 8601. */
  published: string | null;
  spans: AffectedRange[];
  /** Affected versions that no span holds. */
  versions: string[];
  /** Present where its weakness is malicious code in the package itself (CWE-506). */
  is_malicious?: true;
}

export interface AdvisoryMatch {
  advisory: PackageAdvisory;
  /** The lowest version from here on that this advisory does not affect; null where none is known. */
  fixed: string | null;
}

/** Some advisories are withdrawn in their titles alone: `Withdrawn: ...`, `Withdrawn Advisory: ...`. */
export function isWithdrawn({ title }: Pick<PackageAdvisory, 'title'>): boolean {
  return /^withdrawn(?: advisory)?\s*:/i.test(title ?? '');
}

/** What the advisory says about a version: null where it is not affected. `text` is the version as given, `version` as parsed. */
export function matchAdvisory(
  advisory: PackageAdvisory,
  text: string,
  version: unknown,
  order: VersionOrder,
): AdvisoryMatch | null {
  const span = advisory.spans.find((span) => isInRange(span, version, order));
  if (span !== undefined) return { advisory, fixed: findFixedVersion(span, advisory.spans, order) };
  const listed = advisory.versions.some((one) => one === text || isSameVersion(one, version, order));
  return listed ? { advisory, fixed: null } : null;
}

function isSameVersion(text: string, version: unknown, order: VersionOrder): boolean {
  const parsed = order.parse(text);
  return parsed !== null && order.compare(parsed, version) === 0;
}

/** If another range contains the fixed version, that range's fix counts. */
function findFixedVersion(span: AffectedRange, spans: readonly AffectedRange[], order: VersionOrder): string | null {
  let { fixed } = span;
  for (let steps = 0; fixed !== null && steps < spans.length; steps++) {
    const version = order.parse(fixed);
    const again = version === null ? undefined : spans.find((other) => isInRange(other, version, order));
    if (again === undefined) return fixed;
    fixed = again.fixed;
  }
  return fixed;
}
