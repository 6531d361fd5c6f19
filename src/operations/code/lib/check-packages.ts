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
import { createEventLoopYielder } from '../../../engine/event-loop-yielder.ts';
import {
  type CveRiskSummary,
  loadCveRiskSummary,
  type DependencyFinding,
  createDependencyFinding,
} from './dependency-finding.ts';
import { summarizeList } from '../../../analysis/display-text.ts';

/** A finding, and the package that was asked about. */
export interface PackageFinding {
  ref: PackageRef;
  finding: DependencyFinding;
}

/** A package about which nothing can be said. */
export interface UncheckedPackage {
  ref: PackageRef;
  reason: string;
}

type PackageCheckDeps = Pick<Context, 'catalog' | 'evidence' | 'now' | 'signal'>;

interface RankedFinding extends PackageFinding {
  /** What findings are sorted by. */
  risk: number;
}

/** A package whose version CPE names are still to be asked about. */
interface PendingCpeQuery {
  ref: PackageRef;
  ecosystem: string | null;
  cpeQuery: CpeQuery;
  /** Ids that advisories know: of these, the advisories' ranges decide. */
  advisoryCoveredIds: ReadonlySet<string>;
}

/** More CVEs with a product of one name than this are not read: it is then no name of a package. */
const MAX_CVES_PER_PRODUCT = 2000;
const TIMEOUT_REASON = 'the time for this answer was over';

/**
 * Checks packages against all that the catalog has: findings by risk, highest first, and the packages that could not be checked.
 * Other work has its turn in between; when the time for the answer is over, what was not reached is unchecked. Throws the signal's
 * reason when the caller is gone.
 */
export async function checkPackages(
  packages: readonly PackageRef[],
  ground: PackageCheckDeps,
): Promise<{ found: PackageFinding[]; unchecked: UncheckedPackage[] }> {
  const work = new PackageCheck(ground);
  const unchecked: UncheckedPackage[] = [];
  for (const [index, ref] of packages.entries()) {
    if (await work.yieldAndCheckTimeout()) {
      unchecked.push(...packages.slice(index).map((late) => ({ ref: late, reason: late.problem ?? TIMEOUT_REASON })));
      break;
    }
    const reason = ref.problem ?? work.matchAdvisories(ref);
    if (reason !== null && !work.isVulnerable(ref)) unchecked.push({ ref, reason });
  }
  const late = new Set((await work.matchQueuedCpes()).map(({ ref }) => ref));
  for (const ref of late) if (!work.isVulnerable(ref)) unchecked.push({ ref, reason: TIMEOUT_REASON });
  return { found: await work.sortedFindings(), unchecked };
}

/** One call: what it found, and what it still has to look up. */
class PackageCheck {
  readonly #deps: PackageCheckDeps;
  readonly #yieldToEventLoop = createEventLoopYielder();
  readonly #findings: RankedFinding[] = [];
  readonly #vulnerableRefs = new Set<PackageRef>();
  readonly #cveRisks = new Map<string, CveRiskSummary>();
  /** By token of a product: its rows are read once for all packages that it may mean. */
  readonly #pendingByToken = new Map<string, PendingCpeQuery[]>();

  constructor(ground: PackageCheckDeps) {
    this.#deps = ground;
  }

  isVulnerable(ref: PackageRef): boolean {
    return this.#vulnerableRefs.has(ref);
  }

  /** Gives others their turn; true when the time for the answer is over. */
  async yieldAndCheckTimeout(): Promise<boolean> {
    await this.#yieldToEventLoop();
    const { signal } = this.#deps;
    if (!signal.aborted) return false;
    if ((signal.reason as Error | undefined)?.name !== 'TimeoutError') throw signal.reason;
    return true;
  }

  /** What advisories say of one package; why it could not be checked, or null. */
  matchAdvisories(ref: PackageRef): string | null {
    if (ref.version === '') return 'no version is given';
    const given = ref.ecosystem === null ? null : findEcosystem(ref.ecosystem);
    if (given !== null) {
      noteUnsyncedEcosystems([given], this.#deps);
      const version = parsePlainVersion(ref.version, given.order);
      if (version === null) return `"${ref.version.slice(0, 60)}" is no ${given.name} version`;
      this.#queueCpeQuery(ref, given, this.#matchEcosystem(ref, given, version));
      return null;
    }
    if (ref.cpe !== undefined) {
      this.#queueCpeQuery(ref, null, new Set());
      return parsePlainVersion(ref.version, genericOrder) === null
        ? `"${ref.version.slice(0, 60)}" is not a version that can be compared`
        : null;
    }
    noteUnsyncedEcosystems(ECOSYSTEMS, this.#deps);
    let readable = parsePlainVersion(ref.version, genericOrder) !== null;
    const covered = new Set<string>();
    for (const ecosystem of ECOSYSTEMS) {
      const version = parsePlainVersion(ref.version, ecosystem.order);
      if (version === null) continue;
      readable = true;
      for (const id of this.#matchEcosystem(ref, ecosystem, version)) covered.add(id);
    }
    if (!readable) return `"${ref.version.slice(0, 60)}" is no version of any ecosystem`;
    this.#queueCpeQuery(ref, null, covered);
    return null;
  }

  /** Adds what advisories say; gives all ids that they know in the package, whatever its version. */
  #matchEcosystem(ref: PackageRef, ecosystem: Ecosystem, version: unknown): Set<string> {
    const named = matchPackageAdvisories(ref, ecosystem, version, this.#deps.catalog);
    for (const { name, matches } of named) {
      for (const flaw of joinVulnerabilities(matches, [])) this.#addFinding(ref, name, ecosystem.name, flaw);
    }
    return new Set(named.flatMap(({ allIds }) => [...allIds]));
  }

  /** Has CPE names asked about the package: those of a CVE that advisories know are left out. */
  #queueCpeQuery(ref: PackageRef, ecosystem: Ecosystem | null, known: ReadonlySet<string>): void {
    const question = createCpeQuery(ref, ecosystem);
    for (const token of question?.tokens ?? []) {
      const pending = this.#pendingByToken.get(token) ?? [];
      this.#pendingByToken.set(token, pending);
      pending.push({ ref, ecosystem: ecosystem?.name ?? null, cpeQuery: question!, advisoryCoveredIds: known });
    }
  }

  /** Asks CPE names about all packages, product by product; those that the time was not enough for. */
  async matchQueuedCpes(): Promise<PendingCpeQuery[]> {
    const left = new Map(this.#pendingByToken);
    for (const [token, pending] of this.#pendingByToken) {
      const rest = await this.#matchProduct(token, pending);
      if (rest) break;
      left.delete(token);
    }
    const late = [...left.values()].flat();
    if (late.length > 0) {
      const labels = [...new Set(late.map(({ ref }) => packageLabel(ref)))];
      this.#deps.evidence.addGap(
        `${TIMEOUT_REASON} before the CPE names of these were read: ${summarizeList(labels, MAX_LISTED_LABELS)}`,
      );
    }
    return late;
  }

  /** True when the time was over before the end. */
  async #matchProduct(token: string, pending: readonly PendingCpeQuery[]): Promise<boolean> {
    const { catalog, evidence } = this.#deps;
    const orders = new Map<VersionOrder, VersionOrder>();
    const questions = pending.map((one) => {
      const { order } = one.cpeQuery;
      const parsedOnce = orders.get(order) ?? memoizeOrder(order);
      orders.set(order, parsedOnce);
      return { ...one, question: { ...one.cpeQuery, order: parsedOnce } };
    });
    let read = 0;
    for (const { cve_id, rows } of catalog.cvesOfProduct(token)) {
      if (++read > MAX_CVES_PER_PRODUCT) {
        evidence.addGap(
          `more than ${MAX_CVES_PER_PRODUCT} CVEs name a product "${token.slice(0, 60)}": the newest were read`,
        );
        break;
      }
      const named = parseCpeRows(rows);
      for (const { ref, ecosystem, question, advisoryCoveredIds } of questions) {
        const match = advisoryCoveredIds.has(cve_id) ? null : matchCpeRows(cve_id, named, question);
        if (match === null) continue;
        for (const flaw of joinVulnerabilities([], [match])) this.#addFinding(ref, ref.name, ecosystem, flaw);
      }
      if (await this.yieldAndCheckTimeout()) return true;
    }
    return false;
  }

  #addFinding(ref: PackageRef, name: string, ecosystem: string | null, flaw: PackageVulnerability): void {
    const about = (cveId: string): CveRiskSummary => {
      const { catalog, now } = this.#deps;
      const known = this.#cveRisks.get(cveId) ?? loadCveRiskSummary(cveId, catalog, now);
      this.#cveRisks.set(cveId, known);
      return known;
    };
    const of = { package: name, version: ref.version, ecosystem };
    this.#findings.push({ ref, ...createDependencyFinding(of, flaw, about, this.#deps.now) });
    this.#vulnerableRefs.add(ref);
  }

  /** By risk, then by name. Sorted piece by piece: there may be a hundred thousand. */
  async sortedFindings(): Promise<PackageFinding[]> {
    const byRisk = Map.groupBy(this.#findings, ({ risk }) => risk);
    const sorted: PackageFinding[] = [];
    for (const risk of [...byRisk.keys()].sort((a, b) => b - a)) {
      const keyed = byRisk.get(risk)!.map((one) => ({ one, key: findingSortKey(one.finding) }));
      keyed.sort((a, b) => compareCodeUnits(a.key, b.key));
      for (const { one } of keyed) sorted.push(one);
      await this.#yieldToEventLoop();
    }
    return sorted;
  }
}

const MAX_LISTED_LABELS = 20;

/** The same order, which reads each text once. */
function memoizeOrder(order: VersionOrder): VersionOrder {
  const parsed = new Map<string, unknown>();
  return {
    compare: (a, b) => order.compare(a, b),
    parse(text) {
      if (!parsed.has(text)) parsed.set(text, order.parse(text));
      return parsed.get(text);
    },
  };
}

interface PackageMatches {
  name: string;
  matches: AdvisoryMatch[];
  /** Ids of all flaws that advisories know in the package, whatever its version. */
  allIds: Set<string>;
}

/** Of a Maven artifact without its group there may be several packages. */
function matchPackageAdvisories(
  ref: PackageRef,
  ecosystem: Ecosystem,
  version: unknown,
  catalog: CatalogView,
): PackageMatches[] {
  const byName = new Map<string, PackageMatches>();
  for (const advisory of catalog.packageAdvisories(ecosystem.name, ref.name)) {
    if (isWithdrawn(advisory)) continue;
    const name = ecosystem.name === 'Maven' ? advisory.name : ref.name;
    const of = byName.get(name) ?? { name, matches: [], allIds: new Set() };
    byName.set(name, of);
    for (const id of advisoryIds(advisory)) of.allIds.add(id);
    const match = matchAdvisory(advisory, ref.version, version, ecosystem.order);
    if (match !== null) of.matches.push(match);
  }
  return [...byName.values()];
}

function noteUnsyncedEcosystems(ecosystems: readonly Ecosystem[], { catalog, evidence }: PackageCheckDeps): void {
  const missing = ecosystems.filter(({ name }) => !catalog.hasOsvAdvisories(name)).map(({ name }) => name);
  if (missing.length === 0) return;
  evidence.addGap(
    `OSV's advisories for ${missing.join(', ')} have not been synced: for these only GitHub's were asked`,
  );
}

function findingSortKey(finding: DependencyFinding): string {
  return [finding.package, finding.version, finding.cve_id ?? '', finding.evidence[0]].join(' ');
}
