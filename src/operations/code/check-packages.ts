import { type AdvisoryMatch, matchAdvisory } from '../../analysis/packages/advisory.ts';
import { cpeQuestion, matchCpeRows } from '../../analysis/packages/cpe-match.ts';
import { ECOSYSTEMS, type Ecosystem, findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { type CpeMatch, type Flaw, idsOf, joinFlaws } from '../../analysis/packages/findings.ts';
import { type PackageRef, parseGivenVersion } from '../../analysis/packages/package-ref.ts';
import { genericOrder } from '../../analysis/versions/generic.ts';
import type { CatalogView } from '../../catalog/view.ts';
import type { Context } from '../context.ts';
import { breather } from './breathe.ts';
import { type DependencyFinding, dependencyFinding } from './dependency-finding.ts';

/** A finding, and the package that was asked about. */
export interface Found {
  ref: PackageRef;
  finding: DependencyFinding;
}

/** A package about which nothing can be said. */
export interface Unchecked {
  ref: PackageRef;
  reason: string;
}

type Ground = Pick<Context, 'catalog' | 'evidence' | 'now' | 'signal'>;

interface Ranked extends Found {
  /** What findings are sorted by. */
  risk: number;
}

/** More CVEs with a product of one name than this are not read: it is then no name of a package. */
const MAX_CVES_OF_PRODUCT = 2000;

/**
 * Checks packages against all that the catalog has: findings by risk, highest first, and the packages that could not be checked.
 * Other work has its turn in between.
 */
export async function checkPackages(
  packages: readonly PackageRef[],
  ground: Ground,
): Promise<{ found: Found[]; unchecked: Unchecked[] }> {
  const breathe = breather();
  const ranked: Ranked[] = [];
  const unchecked: Unchecked[] = [];
  for (const ref of packages) {
    const before = ranked.length;
    const reason = ref.problem ?? (await checkOne(ref, ground, ranked, breathe));
    if (reason !== null && ranked.length === before) unchecked.push({ ref, reason });
    await breathe();
    ground.signal.throwIfAborted();
  }
  ranked.sort((a, b) => b.risk - a.risk || compareNames(a.finding, b.finding));
  return { found: ranked, unchecked };
}

/** Adds what is found of one package; why it could not be checked, or null. */
async function checkOne(
  ref: PackageRef,
  ground: Ground,
  found: Ranked[],
  breathe: () => Promise<void> | undefined,
): Promise<string | null> {
  if (ref.version === '') return 'no version is given';
  const { catalog } = ground;
  const given = ref.ecosystem === null ? null : findEcosystem(ref.ecosystem);
  const add = (name: string, ecosystem: string | null, flaws: readonly Flaw[]): void => {
    for (const flaw of flaws)
      found.push({ ref, ...dependencyFinding({ package: name, version: ref.version, ecosystem }, flaw, ground) });
  };
  if (given !== null) {
    noteUnsynced([given], ground);
    const version = parseGivenVersion(ref.version, given.order);
    if (version === null) return `"${ref.version.slice(0, 60)}" is no ${given.name} version`;
    const named = inEcosystem(ref, given, version, catalog);
    for (const { name, matches } of named) add(name, given.name, joinFlaws(matches, []));
    const known = new Set(named.flatMap(({ known }) => [...known]));
    add(ref.name, given.name, joinFlaws([], await cpeMatches(ref, given, known, ground, breathe)));
    return null;
  }
  noteUnsynced(ECOSYSTEMS, ground);
  let readable = parseGivenVersion(ref.version, genericOrder) !== null;
  const covered = new Set<string>();
  for (const ecosystem of ECOSYSTEMS) {
    const version = parseGivenVersion(ref.version, ecosystem.order);
    if (version === null) continue;
    readable = true;
    for (const { name, matches, known } of inEcosystem(ref, ecosystem, version, catalog)) {
      for (const id of known) covered.add(id);
      add(name, ecosystem.name, joinFlaws(matches, []));
    }
  }
  if (!readable) return `"${ref.version.slice(0, 60)}" is no version of any ecosystem`;
  const cpes = await cpeMatches(ref, null, covered, ground, breathe);
  add(ref.name, null, joinFlaws([], cpes));
  return null;
}

interface NamedMatches {
  name: string;
  matches: AdvisoryMatch[];
  /** Ids of all flaws that advisories know in the package, whatever its version. */
  known: Set<string>;
}

/** Of a Maven artifact without its group there may be several packages. */
function inEcosystem(ref: PackageRef, ecosystem: Ecosystem, version: unknown, catalog: CatalogView): NamedMatches[] {
  const byName = new Map<string, NamedMatches>();
  for (const advisory of catalog.packageAdvisories(ecosystem.name, ref.name)) {
    const name = ecosystem.name === 'Maven' ? advisory.name : ref.name;
    const of = byName.get(name) ?? { name, matches: [], known: new Set() };
    byName.set(name, of);
    for (const id of idsOf(advisory)) of.known.add(id);
    const match = matchAdvisory(advisory, ref.version, version, ecosystem.order);
    if (match !== null) of.matches.push(match);
  }
  return [...byName.values()];
}

/** CVEs that CPE names alone know: of what an advisory knows, the advisory's ranges decide. */
async function cpeMatches(
  ref: PackageRef,
  ecosystem: Ecosystem | null,
  known: ReadonlySet<string>,
  { catalog, evidence }: Ground,
  breathe: () => Promise<void> | undefined,
): Promise<CpeMatch[]> {
  const question = cpeQuestion(ref.name, ref.version, ecosystem);
  const matches: CpeMatch[] = [];
  for (const token of question?.tokens ?? []) {
    let read = 0;
    for (const { cve_id, rows } of catalog.cvesOfProduct(token)) {
      if (++read > MAX_CVES_OF_PRODUCT) {
        evidence.gap(
          `more than ${MAX_CVES_OF_PRODUCT} CVEs name a product "${token.slice(0, 60)}": the newest were read`,
        );
        break;
      }
      const match = known.has(cve_id) ? null : matchCpeRows(cve_id, rows, question!);
      if (match !== null) matches.push(match);
      await breathe();
    }
  }
  return matches;
}

function noteUnsynced(ecosystems: readonly Ecosystem[], { catalog, evidence }: Ground): void {
  const missing = ecosystems.filter(({ name }) => !catalog.hasOsv(name)).map(({ name }) => name);
  if (missing.length === 0) return;
  evidence.gap(`OSV's advisories for ${missing.join(', ')} have not been synced: for these only GitHub's were asked`);
}

function compareNames(a: DependencyFinding, b: DependencyFinding): number {
  const [left, right] = [nameOf(a), nameOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function nameOf(finding: DependencyFinding): string {
  return [finding.package, finding.version, finding.cve_id ?? '', finding.evidence[0]].join(' ');
}
