import { type AdvisoryMatch, isWithdrawn, matchAdvisory } from '../../../analysis/packages/match-advisory.ts';
import { type CpeQuery, createCpeQuery, matchCpeRows, parseCpeRows } from '../../../analysis/packages/cpe-match.ts';
import { ECOSYSTEMS, type Ecosystem, findEcosystem } from '../../../analysis/packages/ecosystems.ts';
import {
  type PackageVulnerability,
  advisoryIds,
  joinVulnerabilities,
} from '../../../analysis/packages/package-vulnerabilities.ts';
import { type PackageRef, packageLabel, parsePlainVersion } from '../../../analysis/packages/package-ref.ts';
import { genericOrder } from '../../../analysis/versions/generic.ts';
import { compareCodeUnits, type VersionOrder } from '../../../analysis/versions/version-order.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { Context } from '../../../engine/context.ts';
import { breather } from './breathe.ts';
import { type AboutCve, aboutCve, type DependencyFinding, dependencyFinding } from './dependency-finding.ts';

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

/** A package whose version CPE names are still to be asked about. */
interface Pending {
  ref: PackageRef;
  ecosystem: string | null;
  question: CpeQuery;
  /** Ids that advisories know: of these, the advisories' ranges decide. */
  known: ReadonlySet<string>;
}

/** More CVEs with a product of one name than this are not read: it is then no name of a package. */
const MAX_CVES_OF_PRODUCT = 2000;
const TOO_LATE = 'the time for this answer was over';

/**
 * Checks packages against all that the catalog has: findings by risk, highest first, and the packages that could not be checked.
 * Other work has its turn in between; when the time for the answer is over, what was not reached is unchecked. Throws the signal's
 * reason when the caller is gone.
 */
export async function checkPackages(
  packages: readonly PackageRef[],
  ground: Ground,
): Promise<{ found: Found[]; unchecked: Unchecked[] }> {
  const work = new PackageCheck(ground);
  const unchecked: Unchecked[] = [];
  for (const [index, ref] of packages.entries()) {
    if (await work.isOver()) {
      unchecked.push(...packages.slice(index).map((late) => ({ ref: late, reason: late.problem ?? TOO_LATE })));
      break;
    }
    const reason = ref.problem ?? work.checkAdvisories(ref);
    if (reason !== null && !work.hasFound(ref)) unchecked.push({ ref, reason });
  }
  const late = new Set((await work.checkProducts()).map(({ ref }) => ref));
  for (const ref of late) if (!work.hasFound(ref)) unchecked.push({ ref, reason: TOO_LATE });
  return { found: await work.sorted(), unchecked };
}

/** One call: what it found, and what it still has to look up. */
class PackageCheck {
  readonly #ground: Ground;
  readonly #breathe = breather();
  readonly #found: Ranked[] = [];
  readonly #vulnerable = new Set<PackageRef>();
  readonly #abouts = new Map<string, AboutCve>();
  /** By token of a product: its rows are read once for all packages that it may mean. */
  readonly #pending = new Map<string, Pending[]>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  hasFound(ref: PackageRef): boolean {
    return this.#vulnerable.has(ref);
  }

  /** Gives others their turn; true when the time for the answer is over. */
  async isOver(): Promise<boolean> {
    await this.#breathe();
    const { signal } = this.#ground;
    if (!signal.aborted) return false;
    if ((signal.reason as Error | undefined)?.name !== 'TimeoutError') throw signal.reason;
    return true;
  }

  /** What advisories say of one package; why it could not be checked, or null. */
  checkAdvisories(ref: PackageRef): string | null {
    if (ref.version === '') return 'no version is given';
    const given = ref.ecosystem === null ? null : findEcosystem(ref.ecosystem);
    if (given !== null) {
      noteUnsynced([given], this.#ground);
      const version = parsePlainVersion(ref.version, given.order);
      if (version === null) return `"${ref.version.slice(0, 60)}" is no ${given.name} version`;
      this.#ask(ref, given, this.#inEcosystem(ref, given, version));
      return null;
    }
    if (ref.cpe !== undefined) {
      this.#ask(ref, null, new Set());
      return parsePlainVersion(ref.version, genericOrder) === null
        ? `"${ref.version.slice(0, 60)}" is not a version that can be compared`
        : null;
    }
    noteUnsynced(ECOSYSTEMS, this.#ground);
    let readable = parsePlainVersion(ref.version, genericOrder) !== null;
    const covered = new Set<string>();
    for (const ecosystem of ECOSYSTEMS) {
      const version = parsePlainVersion(ref.version, ecosystem.order);
      if (version === null) continue;
      readable = true;
      for (const id of this.#inEcosystem(ref, ecosystem, version)) covered.add(id);
    }
    if (!readable) return `"${ref.version.slice(0, 60)}" is no version of any ecosystem`;
    this.#ask(ref, null, covered);
    return null;
  }

  /** Adds what advisories say; gives all ids that they know in the package, whatever its version. */
  #inEcosystem(ref: PackageRef, ecosystem: Ecosystem, version: unknown): Set<string> {
    const named = advisoriesOf(ref, ecosystem, version, this.#ground.catalog);
    for (const { name, matches } of named) {
      for (const flaw of joinVulnerabilities(matches, [])) this.#add(ref, name, ecosystem.name, flaw);
    }
    return new Set(named.flatMap(({ known }) => [...known]));
  }

  /** Has CPE names asked about the package: those of a CVE that advisories know are left out. */
  #ask(ref: PackageRef, ecosystem: Ecosystem | null, known: ReadonlySet<string>): void {
    const question = createCpeQuery(ref, ecosystem);
    for (const token of question?.tokens ?? []) {
      const pending = this.#pending.get(token) ?? [];
      this.#pending.set(token, pending);
      pending.push({ ref, ecosystem: ecosystem?.name ?? null, question: question!, known });
    }
  }

  /** Asks CPE names about all packages, product by product; those that the time was not enough for. */
  async checkProducts(): Promise<Pending[]> {
    const left = new Map(this.#pending);
    for (const [token, pending] of this.#pending) {
      const rest = await this.#checkProduct(token, pending);
      if (rest) break;
      left.delete(token);
    }
    const late = [...left.values()].flat();
    if (late.length > 0) {
      const labels = [...new Set(late.map(({ ref }) => packageLabel(ref)))];
      const more = labels.length - MAX_NAMED;
      this.#ground.evidence.addGap(
        `${TOO_LATE} before the CPE names of these were read: ${labels.slice(0, MAX_NAMED).join(', ').slice(0, 500)}${more > 0 ? ` and ${more} more` : ''}`,
      );
    }
    return late;
  }

  /** True when the time was over before the end. */
  async #checkProduct(token: string, pending: readonly Pending[]): Promise<boolean> {
    const { catalog, evidence } = this.#ground;
    const orders = new Map<VersionOrder, VersionOrder>();
    const questions = pending.map((one) => {
      const { order } = one.question;
      const parsedOnce = orders.get(order) ?? rememberingOrder(order);
      orders.set(order, parsedOnce);
      return { ...one, question: { ...one.question, order: parsedOnce } };
    });
    let read = 0;
    for (const { cve_id, rows } of catalog.cvesOfProduct(token)) {
      if (++read > MAX_CVES_OF_PRODUCT) {
        evidence.addGap(
          `more than ${MAX_CVES_OF_PRODUCT} CVEs name a product "${token.slice(0, 60)}": the newest were read`,
        );
        break;
      }
      const named = parseCpeRows(rows);
      for (const { ref, ecosystem, question, known } of questions) {
        const match = known.has(cve_id) ? null : matchCpeRows(cve_id, named, question);
        if (match === null) continue;
        for (const flaw of joinVulnerabilities([], [match])) this.#add(ref, ref.name, ecosystem, flaw);
      }
      if (await this.isOver()) return true;
    }
    return false;
  }

  #add(ref: PackageRef, name: string, ecosystem: string | null, flaw: PackageVulnerability): void {
    const about = (cveId: string): AboutCve => {
      const { catalog, now } = this.#ground;
      const known = this.#abouts.get(cveId) ?? aboutCve(cveId, catalog, now);
      this.#abouts.set(cveId, known);
      return known;
    };
    const of = { package: name, version: ref.version, ecosystem };
    this.#found.push({ ref, ...dependencyFinding(of, flaw, about, this.#ground.now) });
    this.#vulnerable.add(ref);
  }

  /** By risk, then by name. Sorted piece by piece: there may be a hundred thousand. */
  async sorted(): Promise<Found[]> {
    const byRisk = Map.groupBy(this.#found, ({ risk }) => risk);
    const sorted: Found[] = [];
    for (const risk of [...byRisk.keys()].sort((a, b) => b - a)) {
      const keyed = byRisk.get(risk)!.map((one) => ({ one, key: nameOf(one.finding) }));
      keyed.sort((a, b) => compareCodeUnits(a.key, b.key));
      for (const { one } of keyed) sorted.push(one);
      await this.#breathe();
    }
    return sorted;
  }
}

const MAX_NAMED = 20;

/** The same order, which reads each text once. */
function rememberingOrder(order: VersionOrder): VersionOrder {
  const parsed = new Map<string, unknown>();
  return {
    compare: (a, b) => order.compare(a, b),
    parse(text) {
      if (!parsed.has(text)) parsed.set(text, order.parse(text));
      return parsed.get(text);
    },
  };
}

interface NamedMatches {
  name: string;
  matches: AdvisoryMatch[];
  /** Ids of all flaws that advisories know in the package, whatever its version. */
  known: Set<string>;
}

/** Of a Maven artifact without its group there may be several packages. */
function advisoriesOf(ref: PackageRef, ecosystem: Ecosystem, version: unknown, catalog: CatalogView): NamedMatches[] {
  const byName = new Map<string, NamedMatches>();
  for (const advisory of catalog.packageAdvisories(ecosystem.name, ref.name)) {
    if (isWithdrawn(advisory)) continue;
    const name = ecosystem.name === 'Maven' ? advisory.name : ref.name;
    const of = byName.get(name) ?? { name, matches: [], known: new Set() };
    byName.set(name, of);
    for (const id of advisoryIds(advisory)) of.known.add(id);
    const match = matchAdvisory(advisory, ref.version, version, ecosystem.order);
    if (match !== null) of.matches.push(match);
  }
  return [...byName.values()];
}

function noteUnsynced(ecosystems: readonly Ecosystem[], { catalog, evidence }: Ground): void {
  const missing = ecosystems.filter(({ name }) => !catalog.hasOsvAdvisories(name)).map(({ name }) => name);
  if (missing.length === 0) return;
  evidence.addGap(
    `OSV's advisories for ${missing.join(', ')} have not been synced: for these only GitHub's were asked`,
  );
}

function nameOf(finding: DependencyFinding): string {
  return [finding.package, finding.version, finding.cve_id ?? '', finding.evidence[0]].join(' ');
}
