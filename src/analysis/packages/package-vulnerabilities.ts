import { parseCveId } from '../cve/cve-id.ts';
import { type Severity, severityOfScore } from '../severity.ts';
import type { AdvisoryMatch } from './match-advisory.ts';

/** A CVE that affects the version of a package by its product names, or by a statement of its maker. */
export interface CpeMatch {
  cve_id: string;
  /** The CPE name that matched, vendor and product in plain words with their range, or the statement. */
  cpe: string;
  /** `name`: vendor and product in plain words; `vex`: a statement of the maker. */
  by: 'cpe' | 'name' | 'vex';
  fixed: string | null;
}

/** What several databases say of one flaw in one package. */
export interface PackageVulnerability {
  advisories: AdvisoryMatch[];
  cpes: CpeMatch[];
  /** CVE ids, in order. */
  cves: string[];
  /** All other ids, in order. */
  ids: string[];
}

/** Joins what names the same flaw, by ids and aliases: one flaw, however many databases have it under ids of their own. */
export function joinVulnerabilities(
  advisories: readonly AdvisoryMatch[],
  cpes: readonly CpeMatch[],
): PackageVulnerability[] {
  const parent = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    while (parent.get(root) !== undefined && parent.get(root) !== root) root = parent.get(root)!;
    parent.set(id, root);
    return root;
  };
  for (const { advisory } of advisories) {
    for (const id of advisoryIds(advisory)) parent.set(rootOf(id), rootOf(advisory.id));
  }
  const flaws = new Map<string, { advisories: AdvisoryMatch[]; cpes: CpeMatch[] }>();
  const flawAt = (id: string): { advisories: AdvisoryMatch[]; cpes: CpeMatch[] } => {
    const root = rootOf(id);
    const known = flaws.get(root) ?? { advisories: [], cpes: [] };
    flaws.set(root, known);
    return known;
  };
  for (const match of advisories) flawAt(match.advisory.id).advisories.push(match);
  for (const match of cpes) flawAt(match.cve_id).cpes.push(match);
  return [...flaws.values()].map(({ advisories, cpes }) => {
    const ids = new Set([
      ...advisories.flatMap(({ advisory }) => advisoryIds(advisory)),
      ...cpes.map(({ cve_id }) => cve_id),
    ]);
    const all = [...ids].sort();
    return {
      advisories,
      cpes,
      cves: all.filter(isCveId),
      ids: all.filter((id) => !isCveId(id)),
    };
  });
}

/** An advisory's own id and its aliases; CVE ids as they are compared. */
export function advisoryIds({ id, aliases }: { id: string; aliases: readonly string[] }): string[] {
  return [id, ...aliases].map((one) => parseCveId(one) ?? one);
}

function isCveId(id: string): boolean {
  return parseCveId(id) !== null;
}

/** The severity of a CVSS 3 score; without a score, or for 0.0, the one that the advisory states. */
export function severityFromScore(cvssV3: number | null, stated: Severity | null): Severity | null {
  const severity = cvssV3 === null ? 'NONE' : severityOfScore('3.1', cvssV3);
  return severity === 'NONE' ? stated : severity;
}

/** For what has a severity and no score: the middle of its band of scores. */
export const TYPICAL_SCORE_BY_SEVERITY: Readonly<Record<Severity, number>> = {
  CRITICAL: 9.5,
  HIGH: 8,
  MEDIUM: 5.5,
  LOW: 2,
};

/** What to do about a flaw, in a sentence or two. `fixed` of a malicious package: the first version that its advisories do not name. */
export function describeRemedy(name: string, fixed: string | null, malicious: boolean): string {
  if (malicious) {
    const clean = fixed === null ? '' : ` The first version after it that no advisory names so is ${fixed}.`;
    return `Remove ${name}: this version was published to do harm. Treat machines that installed it as compromised, and secrets on them as known to others.${clean}`;
  }
  if (fixed !== null) return `Upgrade ${name} to ${fixed} or later.`;
  return `No fixed version of ${name} is known: replace it, or keep what is vulnerable in it out of reach.`;
}
