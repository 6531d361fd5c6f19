import type { DatabaseSync } from 'node:sqlite';
import type { PackageAdvisory } from '../analysis/packages/match-advisory.ts';
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
  readonly #osvByEcosystem = new Map<string, boolean>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#byPackage = db.prepare('SELECT entry FROM package_advisory WHERE ecosystem = ? AND package = ?');
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
