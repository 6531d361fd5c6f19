import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PackageRef, packageIdentity } from '../../analysis/packages/package-ref.ts';
import {
  type Companions,
  lockfileFormat,
  type Reading,
  readLockfile,
  readSbom,
} from '../../analysis/packages/read-document.ts';
import { CatalogView } from '../../catalog/view.ts';
import { checkPackages } from '../../operations/code/check-packages.ts';
import type { DependencyFinding } from '../../operations/code/dependency-finding.ts';
import { Evidence, type Verdict } from '../../operations/evidence.ts';
import type { Services } from '../../operations/runner.ts';
import { CliError } from '../exit.ts';
import type { Problem } from './problem.ts';
import type { FoundFile } from './walk.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PARENTS = 5;
const SBOM_NAME = /(?:^|\.)(?:cdx|s?bom)\.(?:json|xml)$|\.spdx(?:\.(?:json|ya?ml|rdf))?$/i;

/** One lockfile or SBOM, and how many packages it lists. */
export interface CheckedDocument {
  file: string;
  format: string;
  packages: number;
  /** Why it could not be read, or null. */
  fault: string | null;
}

/** Where a document lists a package. */
interface Place {
  file: string;
  line: number | null;
}

export interface DependencyReport {
  documents: CheckedDocument[];
  /** Different packages in all documents. */
  packages: number;
  /** By risk, the highest first; a package of several documents is there for each. */
  findings: (DependencyFinding & Place)[];
  unchecked: (Place & { package: string; version: string; ecosystem: string | null; reason: string })[];
  verdict: Verdict;
}

/** The format of a lockfile or SBOM by its name; null for any other file. */
export function documentFormat(path: string): string | null {
  return lockfileFormat(path) ?? (SBOM_NAME.test(path) ? 'SBOM' : null);
}

/** Checks every lockfile and SBOM among the files against the catalog of this installation. */
export async function checkDependencies(files: readonly FoundFile[], services: Services): Promise<DependencyReport> {
  const catalog = services.catalog.current;
  if (catalog === null) throw new CliError('failed', 'there is no catalog yet: run sextant sync');
  const now = services.now();
  const evidence = new Evidence(catalog.generation.sources, now);
  const documents: CheckedDocument[] = [];
  const packages = new Map<string, PackageRef>();
  const places = new Map<string, Place[]>();
  for (const file of files) {
    const format = documentFormat(file.path);
    if (format === null) continue;
    const { read, fault } = readDocument(file, format);
    documents.push({ file: file.path, format, packages: read?.given ?? 0, fault });
    if (fault !== null) evidence.gap(`${file.path} could not be read: ${fault}`);
    for (const ref of read?.packages ?? []) {
      const key = packageIdentity(ref);
      packages.set(key, ref);
      places.set(key, [...(places.get(key) ?? []), { file: file.path, line: ref.line ?? null }]);
    }
  }
  const { found, unchecked } = await checkPackages([...packages.values()], {
    catalog: new CatalogView(catalog, evidence),
    evidence,
    now,
    signal: new AbortController().signal,
  });
  const placesOf = (ref: PackageRef): Place[] => places.get(packageIdentity(ref)) ?? [];
  if (unchecked.length > 0) evidence.gap(`${unchecked.length} packages could not be checked`);
  return {
    documents,
    packages: packages.size,
    findings: found.flatMap(({ ref, finding }) => placesOf(ref).map((place) => ({ ...finding, ...place }))),
    unchecked: unchecked.flatMap(({ ref, reason }) =>
      placesOf(ref).map((place) => ({
        package: ref.name,
        version: ref.version,
        ecosystem: ref.ecosystem,
        reason,
        ...place,
      })),
    ),
    verdict: evidence.verdict([]),
  };
}

function readDocument(file: FoundFile, format: string): Reading {
  if (file.bytes > MAX_BYTES) return { read: null, fault: `it is larger than ${MAX_BYTES} bytes` };
  const text = readFileSync(file.absolute, 'utf8');
  if (format === 'SBOM') return readSbom({ document: text });
  return readLockfile({ text, filename: file.path, companions: companionsOf(file, format, text) });
}

/** What the document may need beside it, as far as it is there. */
function companionsOf({ absolute }: FoundFile, format: string, text: string): Companions {
  const paths: string[] = [];
  if (format === 'go.mod') paths.push('go.sum');
  if (format === 'pom.xml') {
    for (let up = 1; up <= MAX_PARENTS; up++) paths.push(`${'../'.repeat(up)}pom.xml`);
    for (const [, given] of text.matchAll(/<relativePath>\s*([\w./-]{1,200}\.xml)\s*<\/relativePath>/g)) {
      paths.push(given!.replace(/^\.\//, ''));
    }
  }
  return Object.fromEntries(
    paths.flatMap((path) => {
      const beside = join(dirname(absolute), path);
      const stats = statSync(beside, { throwIfNoEntry: false });
      return stats?.isFile() && stats.size <= MAX_BYTES ? [[path, readFileSync(beside, 'utf8')]] : [];
    }),
  );
}

/** A finding as a report has it. */
export function problemOf(finding: DependencyReport['findings'][number]): Problem {
  const { cve_id, evidence, title, severity, file, line, remediation, ecosystem } = finding;
  const rule = cve_id ?? evidence[0] ?? 'unknown';
  const what = title ?? 'A known flaw';
  return {
    check: 'dependencies',
    rule,
    title: what,
    severity: severity === null ? 'unknown' : (severity.toLowerCase() as 'critical' | 'high' | 'medium' | 'low'),
    file,
    line,
    message: `${finding.package} ${finding.version} has ${rule}: ${what}${/[.!?]$/.test(what) ? '' : '.'}`,
    remediation,
    fingerprint: `${ecosystem ?? ''}:${finding.package}:${rule}:${file}`,
  };
}
