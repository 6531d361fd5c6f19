import type { AffectedDecision, CveStatements } from '../../../analysis/affected/decide-affected.ts';
import {
  DENIALS,
  describeVexStatement,
  findDenial,
  type VexStatement,
} from '../../../analysis/affected/vex-statement.ts';
import { prepareRecord } from '../../../analysis/affected/match-record.ts';
import { type Subject, subjectOfPackage } from '../../../analysis/affected/subject.ts';
import { parseCveId } from '../../../analysis/cve/cve-id.ts';
import type { AdvisoryMatch, PackageAdvisory } from '../../../analysis/packages/match-advisory.ts';
import { findDistribution } from '../../../analysis/packages/distributions.ts';
import { ECOSYSTEMS, type Ecosystem, findEcosystem } from '../../../analysis/packages/ecosystems.ts';
import {
  advisoryIds,
  type PackageVulnerability,
  joinVulnerabilities,
} from '../../../analysis/packages/package-vulnerabilities.ts';
import { packageIdentity, type PackageRef, parsePlainVersion } from '../../../analysis/packages/package-ref.ts';
import type { Support } from '../../../analysis/support/find-support.ts';
import { genericOrder } from '../../../analysis/versions/generic.ts';
import { compareCodeUnits, memoizeOrder, type VersionOrder } from '../../../analysis/versions/version-order.ts';
import type { Context } from '../../../engine/context.ts';
import { formatCount } from '../../../engine/summary.ts';
import { underPossibleNames } from '../../../engine/suggested-product-names.ts';
import { withOtherNames } from '../../../engine/other-product-names.ts';
import { createEventLoopYielder } from '../../../event-loop-yielder.ts';
import { type DependencyFinding, createDependencyFinding } from './dependency-finding.ts';
import { type CveRiskSummary, loadCveRiskSummary } from '../../cve/lib/cve-risk-summary.ts';
import { decideUnderNames, vexByCve } from '../../cve/lib/find-affected.ts';
import { supportOfPackage } from './package-support.ts';
import {
  type ExplainedCve,
  type PackageQuery,
  type PossibleCve,
  ProductQueue,
  TIMEOUT_REASON,
} from './product-queue.ts';
import { matchAdvisoriesByName } from './match-advisories-by-name.ts';

/** A finding, and the package of the input that it is about. */
export interface PackageFinding {
  ref: PackageRef;
  finding: DependencyFinding;
}

/** A package that could not be checked, and why. */
export interface UncheckedPackage {
  ref: PackageRef;
  reason: string;
}

type PackageCheckDeps = Pick<Context, 'catalog' | 'evidence' | 'now' | 'signal'>;

interface RankedFinding extends PackageFinding {
  /** What findings are sorted by. */
  risk: number;
}

/**
 * Checks packages against the catalog: findings by risk, highest first, CVEs that may affect one (known exploited, then likeliest
 * exploited first), CVEs that could not be decided, packages that could not be checked, and those of the checked ones that no source
 * names. Yields to the event loop in between. At the deadline the rest is reported as unchecked; an abort by the caller is thrown.
 */
export async function checkPackages(
  packages: readonly PackageRef[],
  deps: PackageCheckDeps,
): Promise<{
  found: PackageFinding[];
  possible: PossibleCve[];
  undecided: ExplainedCve[];
  denied: ExplainedCve[];
  unchecked: UncheckedPackage[];
  unnamed: PackageRef[];
}> {
  const check = new PackageCheck(deps);
  const unchecked: UncheckedPackage[] = [];
  for (const [index, ref] of packages.entries()) {
    if (await check.yieldAndCheckTimeout()) {
      unchecked.push(
        ...packages.slice(index).map((unreached) => ({ ref: unreached, reason: unreached.problem ?? TIMEOUT_REASON })),
      );
      break;
    }
    const reason = ref.problem ?? check.matchAdvisories(ref);
    if (reason !== null && !check.isVulnerable(ref)) unchecked.push({ ref, reason });
  }
  const late = new Set((await check.matchQueuedCpes()).map(({ ref }) => ref));
  for (const ref of late) if (!check.isVulnerable(ref)) unchecked.push({ ref, reason: TIMEOUT_REASON });
  const { possible, denied } = check;
  // An advisory and a CPE name may leave one CVE open.
  const undecided = [
    ...new Map(check.undecided.map((one) => [`${one.cve_id} ${packageIdentity(one.ref)}`, one])).values(),
  ];
  const uncheckedRefs = new Set(unchecked.map(({ ref }) => ref));
  const unnamed = packages.filter((ref) => !uncheckedRefs.has(ref) && !check.isNamed(ref));
  if (possible.length > 0) {
    const count = new Set(possible.map(({ ref }) => ref)).size;
    deps.evidence.addGap(
      `${formatCount(possible.length, 'CVE')} may affect ${formatCount(count, 'package')}, by CPE names alone: see possible`,
    );
  }
  if (undecided.length > 0)
    deps.evidence.addGap(`for ${formatCount(undecided.length, 'CVE')} it cannot be told: see undecided`);
  return { found: await check.sortedFindings(), possible, undecided, denied, unchecked, unnamed };
}

/** State of one call: findings so far, and packages whose CPE names are still to be matched. */
class PackageCheck {
  readonly #deps: PackageCheckDeps;
  readonly #yieldToEventLoop = createEventLoopYielder();
  readonly #findings: RankedFinding[] = [];
  readonly #denied: ExplainedCve[] = [];
  readonly #undecided: ExplainedCve[] = [];
  readonly #possible: PossibleCve[] = [];
  readonly #vulnerableRefs = new Set<PackageRef>();
  readonly #namedRefs = new Set<PackageRef>();
  readonly #supports = new Map<PackageRef, Support | null>();
  readonly #cveRisks = new Map<string, CveRiskSummary>();
  readonly #vex = new Map<string, Map<string, VexStatement[]>>();
  /** Each order once, so that a version is parsed once for all packages. */
  readonly #orders = new Map<VersionOrder, VersionOrder>();
  readonly #productQueue: ProductQueue;

  constructor(deps: PackageCheckDeps) {
    this.#deps = deps;
    this.#productQueue = new ProductQueue(deps, {
      checkTimeout: () => this.yieldAndCheckTimeout(),
      match: (facts, query) => this.#matchCve(facts, query),
    });
  }

  /** CVEs for which it cannot be told whether they affect the version. */
  get undecided(): ExplainedCve[] {
    return this.#undecided;
  }

  get possible(): PossibleCve[] {
    return this.#possible.sort(comparePossible);
  }

  /** CVEs that advisories or product names assert and the maker denies. */
  get denied(): ExplainedCve[] {
    return this.#denied;
  }

  isVulnerable(ref: PackageRef): boolean {
    return this.#vulnerableRefs.has(ref);
  }

  /** Whether any advisory, CVE or statement of a maker is about the package, whatever its version. */
  isNamed(ref: PackageRef): boolean {
    return this.#namedRefs.has(ref);
  }

  /** Yields to the event loop; true when the deadline has passed. Throws the abort reason when the caller is gone. */
  async yieldAndCheckTimeout(): Promise<boolean> {
    await this.#yieldToEventLoop();
    const { signal } = this.#deps;
    if (!signal.aborted) return false;
    if ((signal.reason as Error | undefined)?.name !== 'TimeoutError') throw signal.reason;
    return true;
  }

  /** Matches advisories with one package. Returns why it could not be checked; null where it was. */
  matchAdvisories(ref: PackageRef): string | null {
    if (ref.version === '') return 'no version is given';
    const given = ref.ecosystem === null ? null : findEcosystem(ref.ecosystem);
    if (given !== null && findDistribution(given.name) !== null && !this.#deps.catalog.hasOsvAdvisories(given.name)) {
      if (ref.cpe === undefined) return `OSV's advisories for ${given.name} have not been synced`;
      this.#queueCpeQuery(ref, null, new Set());
      return null;
    }
    if (given !== null) {
      addUnsyncedEcosystemsGap([given], this.#deps);
      const version = parsePlainVersion(ref.version, given.order);
      if (version === null) return `"${ref.version.slice(0, 60)}" is no ${given.name} version`;
      this.#queueCpeQuery(ref, given, this.#matchEcosystem(ref, given, version));
      return null;
    }
    if (ref.cpe !== undefined || ref.isGeneric === true) {
      this.#queueCpeQuery(ref, null, new Set());
      return parsePlainVersion(ref.version, genericOrder) === null
        ? `"${ref.version.slice(0, 60)}" is not a version that can be compared`
        : null;
    }
    addUnsyncedEcosystemsGap(ECOSYSTEMS, this.#deps);
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

  /** Adds findings from advisories; returns the ids of all advisories of the package, whatever its version. */
  #matchEcosystem(ref: PackageRef, ecosystem: Ecosystem, version: unknown): Set<string> {
    const named = matchAdvisoriesByName(ref, ecosystem, version, this.#deps.catalog);
    const subject = subjectOfPackage(ref);
    const vex = this.#vexOf(subject);
    if (named.length > 0) this.#namedRefs.add(ref);
    for (const { name, matches, withoutVersions } of named) {
      this.#addUndecidedAdvisories(ref, ecosystem.name, withoutVersions, matches);
      for (const flaw of joinVulnerabilities(matches, [])) {
        const denials = flaw.cves.map((cve_id) => findDenial(vex.get(cve_id) ?? [], subject));
        if (denials.length === 0 || denials.includes(null)) this.#addFinding(ref, name, ecosystem.name, flaw);
        else this.#addDenials(ref, ecosystem.name, denials);
      }
    }
    return new Set(named.flatMap(({ allIds }) => [...allIds]));
  }

  /** Flaws that no other advisory decides: an advisory without versions says neither that the package is affected nor that it is not. */
  #addUndecidedAdvisories(
    ref: PackageRef,
    ecosystem: string,
    withoutVersions: readonly PackageAdvisory[],
    matches: readonly AdvisoryMatch[],
  ): void {
    const found = new Set(matches.flatMap(({ advisory }) => advisoryIds(advisory)));
    for (const advisory of withoutVersions) {
      const ids = advisoryIds(advisory);
      if (ids.some((id) => found.has(id))) continue;
      const cve_id = ids.map(parseCveId).find((id) => id !== null);
      const reason = `${advisory.id} names no versions`;
      if (cve_id != null) this.#undecided.push({ ref, ecosystem, cve_id, reason });
      else this.#deps.evidence.addGap(`${reason} of ${ref.name}: whether ${ref.version} is affected cannot be told`);
    }
  }

  /** Queues the package for CPE matching. CVEs that its advisories cover are excluded. */
  #queueCpeQuery(ref: PackageRef, ecosystem: Ecosystem | null, advisoryCoveredIds: ReadonlySet<string>): void {
    const given = subjectOfPackage(ecosystem === null ? { ...ref, ecosystem: null } : ref);
    const subject = { ...given, order: this.#parsedOnce(given.order) };
    if (parsePlainVersion(ref.version, subject.order) === null) return;
    const vex = this.#vexOf(subject);
    const possible = underPossibleNames(subject, advisoryCoveredIds.size > 0, this.#deps.catalog);
    const query = {
      ref,
      ecosystem: ecosystem?.name ?? null,
      subjects: withOtherNames(subject, this.#deps.catalog),
      possibleSubjects: possible.subjects,
      possibleBasis: possible.basis,
      advisoryCoveredIds,
      judgedIds: new Set<string>(),
      vex,
    };
    this.#matchVexAssertions(query);
    this.#productQueue.add(query);
  }

  /** CVEs that the maker itself asserts: no record or advisory need name the package. */
  #matchVexAssertions(query: PackageQuery): void {
    for (const [cve_id, vex] of query.vex) {
      if (query.advisoryCoveredIds.has(cve_id) || vex.every(({ status }) => DENIALS.includes(status))) continue;
      const records = this.#deps.catalog.affectedFacts(cve_id).map(prepareRecord);
      query.judgedIds.add(cve_id);
      this.#matchCve({ cve_id, rejected: false, records, advisories: [], vex }, query);
    }
  }

  /** Matches queued packages with the CVEs that name their products; returns those not reached before the deadline. */
  matchQueuedCpes(): Promise<PackageQuery[]> {
    return this.#productQueue.matchAll();
  }

  /** Read once for each product. */
  #vexOf(subject: Subject): Map<string, VexStatement[]> {
    const key = [subject.purl, ...(subject.names?.tokens ?? [])].join('\n');
    const known = this.#vex.get(key) ?? vexByCve(subject, this.#deps);
    this.#vex.set(key, known);
    return known;
  }

  #parsedOnce(order: VersionOrder): VersionOrder {
    const known = this.#orders.get(order) ?? memoizeOrder(order);
    this.#orders.set(order, known);
    return known;
  }

  #addDenials(ref: PackageRef, ecosystem: string | null, denials: readonly (VexStatement | null)[]): void {
    for (const denial of denials) {
      if (denial !== null)
        this.#denied.push({ ref, ecosystem, cve_id: denial.cve_id, reason: describeVexStatement(denial) });
    }
  }

  #matchCve(facts: CveStatements, query: PackageQuery): void {
    const { ref, ecosystem, subjects } = query;
    const { cve_id } = facts;
    const own = decideUnderNames(facts, subjects);
    // Without a vendor, a plain name is too common to identify a package.
    const isIdentified = own.cpe !== null || subjects[0]?.names?.vendor != null || own.rule.kind === 'vex';
    const isOwn = own.rule.kind !== 'none' && isIdentified;
    if (isOwn) this.#namedRefs.add(ref);
    const isDecided = isOwn && (own.status === 'affected' || own.rule.kind === 'vex');
    if (!isDecided && this.#addPossible(facts, query, isOwn ? own : null)) return;
    if (!isOwn) return;
    const { status, cpe, rule, fixed_in, reason } = own;
    if (status === 'not_affected' && rule.kind === 'vex') this.#denied.push({ ref, ecosystem, cve_id, reason });
    if (status === 'unknown') this.#undecided.push({ ref, ecosystem, cve_id, reason });
    if (status !== 'affected') return;
    const by = rule.kind === 'vex' ? 'vex' : cpe === null ? 'name' : 'cpe';
    for (const flaw of joinVulnerabilities([], [{ cve_id, cpe: cpe ?? rule.text, by, fixed: fixed_in }])) {
      this.#addFinding(ref, ref.name, ecosystem, flaw);
    }
  }

  /** Adds what less certain names of the package say, where that is more serious than what its own say; false where it is not. */
  #addPossible(facts: CveStatements, query: PackageQuery, own: AffectedDecision | null): boolean {
    const { ref, ecosystem, possibleSubjects, possibleBasis } = query;
    if (possibleSubjects.length === 0) return false;
    const { status, rule, reason, fixed_in } = decideUnderNames(facts, possibleSubjects);
    if (rule.kind === 'none') return false;
    // What its coordinates suggest alone does not make the package one that a source names.
    if (possibleBasis === 'purl2cpe') this.#namedRefs.add(ref);
    if (status === 'not_affected' || (status === 'unknown' && own?.status === 'unknown')) return false;
    this.#namedRefs.add(ref);
    const { cve_id } = facts;
    const { catalog } = this.#deps;
    this.#possible.push({
      basis: possibleBasis,
      ref,
      ecosystem,
      cve_id,
      status,
      reason,
      rule: rule.text,
      fixed_in: status === 'affected' ? fixed_in : null,
      in_kev: catalog.kevLoaded ? catalog.kev(cve_id) !== null : null,
      epss_score: catalog.epss(cve_id)?.score ?? null,
    });
    return true;
  }

  #addFinding(ref: PackageRef, name: string, ecosystem: string | null, flaw: PackageVulnerability): void {
    const loadSummary = (cveId: string): CveRiskSummary => {
      const { catalog, now } = this.#deps;
      const known = this.#cveRisks.get(cveId) ?? loadCveRiskSummary(cveId, catalog, now);
      this.#cveRisks.set(cveId, known);
      return known;
    };
    const packageFields = { package: name, version: ref.version, ecosystem, support: this.#supportOf(ref) };
    this.#findings.push({ ref, ...createDependencyFinding(packageFields, flaw, loadSummary, this.#deps.now) });
    this.#vulnerableRefs.add(ref);
  }

  /** Looked up once for each package. */
  #supportOf(ref: PackageRef): Support | null {
    if (!this.#supports.has(ref)) this.#supports.set(ref, supportOfPackage(ref, this.#deps));
    return this.#supports.get(ref)!;
  }

  /** By risk, then by name. Sorted in pieces, with yields in between: there may be a hundred thousand. */
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

/** As `affected_check` sorts: affected ones first, then known to be exploited, likeliest to be exploited. */
function comparePossible(a: PossibleCve, b: PossibleCve): number {
  return (
    Number(b.status === 'affected') - Number(a.status === 'affected') ||
    Number(b.in_kev === true) - Number(a.in_kev === true) ||
    (b.epss_score ?? -1) - (a.epss_score ?? -1) ||
    compareCodeUnits(findingKeyOf(a), findingKeyOf(b))
  );
}

function findingKeyOf({ ref, cve_id }: PossibleCve): string {
  return [ref.name, ref.version, cve_id].join(' ');
}

function addUnsyncedEcosystemsGap(ecosystems: readonly Ecosystem[], { catalog, evidence }: PackageCheckDeps): void {
  const missing = ecosystems.filter(({ name }) => !catalog.hasOsvAdvisories(name)).map(({ name }) => name);
  if (missing.length === 0) return;
  evidence.addGap(
    `OSV's advisories for ${missing.join(', ')} have not been synced: for these only GitHub's were asked`,
  );
}

function findingSortKey(finding: DependencyFinding): string {
  return [finding.package, finding.version, finding.cve_id ?? '', finding.evidence[0]].join(' ');
}
