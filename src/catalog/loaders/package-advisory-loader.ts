import type { DatabaseSync } from 'node:sqlite';
import type { PackageAdvisory } from '../../analysis/packages/match-advisory.ts';
import type { AdvisoryEntry, PackageAdvisoryEntry } from '../../feeds/entries.ts';
import { packageAdvisoriesOf } from '../../feeds/ghsa/package-advisories.ts';
import { type AdvisoryWithPackageName, storedPackageName } from '../package-advisories.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';

/** OSV's advisories. The first entry of an ecosystem deletes OSV's old entries of that ecosystem. */
export function createPackageAdvisoryLoader(db: DatabaseSync): FeedFileLoader<'package_advisory'> {
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
  };
}

/** Stores the packages of a GitHub advisory in place of those of its stored version `before`. */
export function createGithubPackageWriter(
  db: DatabaseSync,
): (advisory: AdvisoryEntry, before: AdvisoryEntry | null) => void {
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

/** Entries of one advisory whose package names differ only in spelling are merged. */
function createInserter(db: DatabaseSync): (entry: PackageAdvisoryEntry) => void {
  const insert = db.prepare(
    'INSERT INTO package_advisory (ecosystem, package, source, id, entry) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const key = 'ecosystem = ? AND package = ? AND source = ? AND id = ?';
  const known = db.prepare(`SELECT entry FROM package_advisory WHERE ${key}`);
  const replace = db.prepare(`UPDATE package_advisory SET entry = ? WHERE ${key}`);
  return ({ ecosystem, name, advisory }) => {
    const keyValues = [ecosystem, storedPackageName(ecosystem, name), advisory.source, advisory.id] as const;
    if (insert.run(...keyValues, JSON.stringify({ name, ...advisory })).changes === 1) return;
    const { entry } = known.get(...keyValues) as { entry: string };
    replace.run(JSON.stringify(mergeAdvisories(JSON.parse(entry) as AdvisoryWithPackageName, advisory)), ...keyValues);
  };
}

function mergeAdvisories(known: AdvisoryWithPackageName, more: PackageAdvisory): AdvisoryWithPackageName {
  const spans = new Map([...known.spans, ...more.spans].map((span) => [JSON.stringify(span), span]));
  return { ...known, spans: [...spans.values()], versions: [...new Set([...known.versions, ...more.versions])] };
}
