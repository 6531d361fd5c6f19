import type { DatabaseSync } from 'node:sqlite';
import type { PackageAdvisory } from '../analysis/packages/match-advisory.ts';
import { findEcosystem } from '../analysis/packages/ecosystems.ts';
import type { AdvisoryEntry, PackageAdvisoryEntry } from '../feeds/entries.ts';
import { packageAdvisoriesOf } from '../feeds/ghsa/package-advisories.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';

/** `package` is as `packageKey` makes it. */
export const PACKAGE_ADVISORY_TABLE = `
  CREATE TABLE package_advisory (
    ecosystem TEXT NOT NULL, package TEXT NOT NULL, source TEXT NOT NULL, id TEXT NOT NULL, entry TEXT NOT NULL,
    PRIMARY KEY (ecosystem, package, source, id)
  ) STRICT, WITHOUT ROWID;
`;

/** What OSV says of packages; the first entry of an ecosystem clears what OSV said of it before. */
export function packageAdvisoryLoader(db: DatabaseSync): FeedFileLoader<'package_advisory'> {
  const insert = createInserter(db);
  const clear = db.prepare("DELETE FROM package_advisory WHERE ecosystem = ? AND source = 'osv'");
  const cleared = new Set<string>();
  return {
    put(entries) {
      for (const entry of entries) {
        if (!cleared.has(entry.ecosystem)) clear.run(entry.ecosystem);
        cleared.add(entry.ecosystem);
        insert(entry);
      }
    },
    finish: () => {},
  };
}

/** Takes the packages of a GitHub advisory in; `before` is the same advisory as the catalog has it now, if it has. */
export function githubPackageWriter(db: DatabaseSync): (advisory: AdvisoryEntry, before: AdvisoryEntry | null) => void {
  const insert = createInserter(db);
  const remove = db.prepare(
    "DELETE FROM package_advisory WHERE ecosystem = ? AND package = ? AND source = 'ghsa' AND id = ?",
  );
  return (advisory, before) => {
    for (const { ecosystem, name, advisory: old } of before === null ? [] : packageAdvisoriesOf(before)) {
      remove.run(ecosystem, storedPackageName(ecosystem, name), old.id);
    }
    for (const entry of packageAdvisoriesOf(advisory)) insert(entry);
  };
}

/** An advisory that names a package in several spellings says all of it of the one package. */
function createInserter(db: DatabaseSync): (entry: PackageAdvisoryEntry) => void {
  const insert = db.prepare(
    'INSERT INTO package_advisory (ecosystem, package, source, id, entry) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const key = 'ecosystem = ? AND package = ? AND source = ? AND id = ?';
  const known = db.prepare(`SELECT entry FROM package_advisory WHERE ${key}`);
  const replace = db.prepare(`UPDATE package_advisory SET entry = ? WHERE ${key}`);
  return ({ ecosystem, name, advisory }) => {
    const place = [ecosystem, storedPackageName(ecosystem, name), advisory.source, advisory.id] as const;
    if (insert.run(...place, JSON.stringify({ name, ...advisory })).changes === 1) return;
    const { entry } = known.get(...place) as { entry: string };
    replace.run(JSON.stringify(mergeAdvisories(JSON.parse(entry) as AdvisoryWithPackageName, advisory)), ...place);
  };
}

function mergeAdvisories(known: AdvisoryWithPackageName, more: PackageAdvisory): AdvisoryWithPackageName {
  const spans = new Map([...known.spans, ...more.spans].map((span) => [JSON.stringify(span), span]));
  return { ...known, spans: [...spans.values()], versions: [...new Set([...known.versions, ...more.versions])] };
}

/** A package as an advisory names it, and what is said of it. */
export interface AdvisoryWithPackageName extends PackageAdvisory {
  name: string;
}

/** Reads what is said of a package: one range of one index. */
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

  /** Of a Maven artifact named without its group: of every artifact of that name. */
  forPackage(ecosystem: string, name: string): AdvisoryWithPackageName[] {
    const rows =
      ecosystem === 'Maven' && !name.includes(':')
        ? this.#byMavenArtifact.all(`${name}:`, `${name};`)
        : this.#byPackage.all(ecosystem, storedPackageName(ecosystem, name));
    return (rows as { entry: string }[]).map(({ entry }) => JSON.parse(entry) as AdvisoryWithPackageName);
  }

  /** Whether OSV's advisories of an ecosystem are here. */
  hasOsvAdvisories(ecosystem: string): boolean {
    let known = this.#osvByEcosystem.get(ecosystem);
    if (known === undefined) {
      const one = "SELECT 1 FROM package_advisory WHERE ecosystem = ? AND source = 'osv' LIMIT 1";
      known = this.#db.prepare(one).get(ecosystem) !== undefined;
      this.#osvByEcosystem.set(ecosystem, known);
    }
    return known;
  }
}

/** The name that a package is kept under. Maven's `group:artifact` is turned round, so that an artifact is found without its group. */
export function storedPackageName(ecosystem: string, name: string): string {
  const canonical = findEcosystem(ecosystem)?.canonicalName(name) ?? name;
  if (ecosystem !== 'Maven') return canonical;
  const colon = canonical.indexOf(':');
  return `${canonical.slice(colon + 1)}:${canonical.slice(0, Math.max(colon, 0))}`;
}
