import type { DatabaseSync } from 'node:sqlite';
import { parseCveId } from '../analysis/cve/cve-id.ts';
import type { PackageAdvisory } from '../analysis/packages/match-advisory.ts';
import { advisoryIds } from '../analysis/packages/package-vulnerabilities.ts';
import { findEcosystem } from '../analysis/packages/ecosystems.ts';

/** An advisory of a package, with the package's name as the advisory writes it. */
export interface AdvisoryWithPackageName extends PackageAdvisory {
  name: string;
}

/** Reads the advisories of a package. */
export class PackageAdvisoryReader {
  readonly #db: DatabaseSync;
  readonly #byPackage;
  readonly #byMavenArtifact;
  readonly #ecosystems;
  #packagesByCve: ReadonlyMap<string, { ecosystem: string; name: string }[]> | null = null;
  #cvesByMavenGroup: Map<string, Set<string>> | null = null;
  readonly #osvByEcosystem = new Map<string, boolean>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#byPackage = db.prepare('SELECT entry FROM package_advisory WHERE ecosystem = ? AND package = ?');
    // One step of the index for each ecosystem.
    this.#ecosystems = db.prepare(
      `WITH RECURSIVE known (ecosystem) AS (
         SELECT min(ecosystem) FROM package_advisory
         UNION ALL SELECT (SELECT min(ecosystem) FROM package_advisory p WHERE p.ecosystem > known.ecosystem) FROM known
         WHERE ecosystem IS NOT NULL
       ) SELECT ecosystem FROM known WHERE ecosystem IS NOT NULL`,
    );
    this.#byMavenArtifact = db.prepare(
      "SELECT entry FROM package_advisory WHERE ecosystem = 'Maven' AND package >= ? AND package < ?",
    );
  }

  /** For a Maven artifact without its group: the advisories of all artifacts of that name. */
  forPackage(ecosystem: string, name: string): AdvisoryWithPackageName[] {
    const rows =
      ecosystem === 'Maven' && !name.includes(':')
        ? this.#byMavenArtifact.all(`${name}:`, `${name};`)
        : this.#byPackage.all(ecosystem, storedPackageName(ecosystem, name));
    return (rows as { entry: string }[]).map(({ entry }) => JSON.parse(entry) as AdvisoryWithPackageName);
  }

  /** The packages of this name in all registries, with how many advisories each has; a Maven artifact also without its group. */
  packagesNamed(name: string): { ecosystem: string; name: string; advisories: number }[] {
    const ecosystems = (this.#ecosystems.all() as { ecosystem: string }[]).map(({ ecosystem }) => ecosystem);
    return ecosystems.flatMap((ecosystem) => {
      const byName = Map.groupBy(this.forPackage(ecosystem, name), (advisory) => advisory.name);
      return [...byName].map(([own, advisories]) => ({ ecosystem, name: own, advisories: advisories.length }));
    });
  }

  /** The packages whose advisories name this CVE. All advisories are read once, at the first question. */
  packagesOfCve(cveId: string): readonly { ecosystem: string; name: string }[] {
    this.#packagesByCve ??= this.#readPackagesByCve();
    return this.#packagesByCve.get(cveId) ?? [];
  }

  #readPackagesByCve(): Map<string, { ecosystem: string; name: string }[]> {
    const byCve = new Map<string, { ecosystem: string; name: string }[]>();
    const rows = this.#db.prepare('SELECT ecosystem, entry FROM package_advisory').iterate();
    for (const { ecosystem, entry } of rows as Iterable<{ ecosystem: string; entry: string }>) {
      const advisory = JSON.parse(entry) as AdvisoryWithPackageName;
      for (const id of advisoryIds(advisory)) {
        const cveId = parseCveId(id);
        if (cveId === null) continue;
        const known = byCve.get(cveId) ?? [];
        if (known.some((one) => one.ecosystem === ecosystem && one.name === advisory.name)) continue;
        byCve.set(cveId, [...known, { ecosystem, name: advisory.name }]);
      }
    }
    return byCve;
  }

  /** CVEs of the advisories of all artifacts of a Maven group. All groups are read once, at the first question. */
  cvesOfMavenGroup(group: string): readonly string[] {
    this.#cvesByMavenGroup ??= this.#readMavenGroups();
    return [...(this.#cvesByMavenGroup.get(group) ?? [])];
  }

  #readMavenGroups(): Map<string, Set<string>> {
    const groups = new Map<string, Set<string>>();
    const rows = this.#db.prepare("SELECT package, entry FROM package_advisory WHERE ecosystem = 'Maven'");
    for (const { package: name, entry } of rows.iterate() as Iterable<{ package: string; entry: string }>) {
      const group = name.slice(name.indexOf(':') + 1);
      const { aliases } = JSON.parse(entry) as AdvisoryWithPackageName;
      const known = groups.get(group) ?? new Set();
      groups.set(group, known);
      for (const alias of aliases) {
        const cveId = parseCveId(alias);
        if (cveId !== null) known.add(cveId);
      }
    }
    return groups;
  }

  /** Whether OSV's advisories of an ecosystem are loaded. */
  hasOsvAdvisories(ecosystem: string): boolean {
    let known = this.#osvByEcosystem.get(ecosystem);
    if (known === undefined) {
      const query = "SELECT 1 FROM package_advisory WHERE ecosystem = ? AND source = 'osv' LIMIT 1";
      known = this.#db.prepare(query).get(ecosystem) !== undefined;
      this.#osvByEcosystem.set(ecosystem, known);
    }
    return known;
  }
}

/**
 * The name under which a package is stored: the canonical name of its ecosystem. Maven's `group:artifact` becomes
 * `artifact:group`, so that an artifact is found without its group.
 */
export function storedPackageName(ecosystem: string, name: string): string {
  const canonical = findEcosystem(ecosystem)?.canonicalName(name) ?? name;
  if (ecosystem !== 'Maven') return canonical;
  const colon = canonical.indexOf(':');
  return `${canonical.slice(colon + 1)}:${canonical.slice(0, Math.max(colon, 0))}`;
}
