import {
  type AffectedDecision,
  type AffectedStatus,
  type CveStatements,
  decideAffected,
} from '../../../analysis/affected/decide-affected.ts';
import { type AffectedFacts, type PreparedRecord, prepareRecord } from '../../../analysis/affected/match-record.ts';
import type { Subject } from '../../../analysis/affected/subject.ts';
import type { VexStatement } from '../../../analysis/affected/vex-statement.ts';
import { parseCveId } from '../../../analysis/cve/cve-id.ts';
import { summarizeList } from '../../../analysis/display-text.ts';
import { isWithdrawn, type PackageAdvisory } from '../../../analysis/packages/match-advisory.ts';
import { advisoryIds } from '../../../analysis/packages/package-vulnerabilities.ts';
import { memoizeOrder } from '../../../analysis/versions/version-order.ts';
import type { CveDossier, EpssScore } from '../../../catalog/cve-dossier.ts';
import type { Context } from '../../../engine/context.ts';
import { createEventLoopYielder } from '../../../engine/event-loop-yielder.ts';
import { underNamesOfPurl, withOtherNames } from '../../../engine/other-product-names.ts';
import { formatCount } from '../../../engine/summary.ts';

/** A CVE, the decision on it, and what it is ranked by. */
export interface JudgedCve extends AffectedDecision {
  cve_id: string;
  epss: EpssScore | null;
  /** Null: no known-exploited catalog is loaded. */
  in_kev: boolean | null;
  kev: CveDossier['kev'];
}

type AffectedDeps = Pick<Context, 'catalog' | 'evidence' | 'signal'>;

/** So common a name does not identify a product; the largest one, the Linux kernel, has some 10,000 CVEs. */
const MAX_CVES = 12_000;
const STATUS_RANK: Readonly<Record<AffectedStatus, number>> = { affected: 0, unknown: 1, not_affected: 2 };

/**
 * Judges these CVEs, or all that name the subject: affected ones first, those known to be exploited and likeliest to be before the
 * others. At the deadline the rest is named as a gap; an abort by the caller is thrown.
 */
export async function findAffected(
  given: Subject,
  cveIds: readonly string[] | null,
  deps: AffectedDeps,
): Promise<JudgedCve[]> {
  const { catalog, evidence, signal } = deps;
  const subject = { ...given, order: memoizeOrder(given.order) };
  const yieldToEventLoop = createEventLoopYielder();
  const advisories = packageAdvisoriesOf(subject, deps);
  const vex = vexByCve(subject, deps);
  const subjects = [...withOtherNames(subject, catalog), ...underNamesOfPurl(subject, catalog)];
  const vendors = new Set<string>();
  const judged: JudgedCve[] = [];
  let read = 0;
  for (const { cve_id, facts } of candidates(subjects, cveIds, advisories, vex, deps)) {
    await yieldToEventLoop();
    if (signal.aborted) {
      if ((signal.reason as Error | undefined)?.name !== 'TimeoutError') throw signal.reason;
      evidence.addGap(`the time for this answer was over after ${formatCount(read, 'CVE')}`);
      break;
    }
    if (++read > MAX_CVES) {
      evidence.addGap(`more than ${MAX_CVES} CVEs name a product of this name: the newest were read`);
      break;
    }
    const records = facts.map(prepareRecord);
    const statements: CveStatements = {
      cve_id,
      rejected: cveIds !== null && catalog.cve(cve_id)?.record?.rejected === true,
      records,
      advisories,
      vex: vex.get(cve_id) ?? [],
    };
    const decision = decideUnderNames(statements, subjects);
    if (cveIds === null && decision.rule.kind === 'none') continue;
    if (subjects[0]?.names?.vendor === null && subject.ecosystem === null) addVendors(records, subject, vendors);
    judged.push({ cve_id, ...decision, ...rankingFacts(cve_id, facts.length > 0, deps) });
  }
  if (vendors.size > 1) {
    const names = summarizeList([...vendors].sort(), 5);
    evidence.addGap(`${vendors.size} vendors have a product of this name (${names}): give vendor`);
  }
  addAdvisoriesWithoutCveGap(subject, advisories, deps);
  return judged.sort(compareJudged);
}

/** The decision for one product of several names: that of the name which the CVE is about, the most serious first. */
function decideUnderNames(statements: CveStatements, subjects: readonly Subject[]): AffectedDecision {
  const decisions = subjects.map((subject) => decideAffected(statements, subject));
  const about = decisions.filter(({ rule }) => rule.kind !== 'none');
  return about.sort((a, b) => STATUS_RANK[a.status] - STATUS_RANK[b.status])[0] ?? decisions[0]!;
}

/** Each CVE once, with the records of all its sources. */
function* candidates(
  subjects: readonly Subject[],
  cveIds: readonly string[] | null,
  advisories: readonly PackageAdvisory[],
  vex: ReadonlyMap<string, VexStatement[]>,
  { catalog }: AffectedDeps,
): Iterable<{ cve_id: string; facts: AffectedFacts[] }> {
  if (cveIds !== null) {
    for (const cve_id of new Set(cveIds)) yield { cve_id, facts: catalog.affectedFacts(cve_id) };
    return;
  }
  const seen = new Set<string>();
  const tokens = new Set(subjects.flatMap(({ names }) => names?.tokens ?? []));
  if (tokens.size > 0) {
    const named = catalog.cvesOfProducts();
    for (const token of tokens) named.add(token);
    for (const { cve_id, records } of named.read()) {
      seen.add(cve_id);
      yield { cve_id, facts: records };
    }
  }
  const advised = advisories.filter((advisory) => !isWithdrawn(advisory)).flatMap(advisoryIds);
  for (const id of new Set([...advised, ...vex.keys()])) {
    const cve_id = parseCveId(id);
    if (cve_id !== null && !seen.has(cve_id)) yield { cve_id, facts: catalog.affectedFacts(cve_id) };
  }
}

function packageAdvisoriesOf(
  { ecosystem, packageName }: Subject,
  { catalog, evidence }: AffectedDeps,
): PackageAdvisory[] {
  if (ecosystem === null || packageName === null) return [];
  if (!catalog.hasOsvAdvisories(ecosystem.name)) {
    evidence.addGap(`OSV's advisories for ${ecosystem.name} have not been synced`);
  }
  return catalog.packageAdvisories(ecosystem.name, packageName);
}

/** What makers say of CVEs in the product (VEX), under its package URL and its names. */
export function vexByCve(
  { purl, names }: Pick<Subject, 'purl' | 'names'>,
  { catalog }: Pick<Context, 'catalog'>,
): Map<string, VexStatement[]> {
  const keys = [...(purl === null ? [] : [purl]), ...(names?.tokens ?? [])];
  return Map.groupBy(
    keys.flatMap((key) => catalog.vexOfProduct(key)),
    ({ cve_id }) => cve_id,
  );
}

/** Vendors of the CPE names of the product: with several it is not certain which product is meant. */
function addVendors(records: readonly PreparedRecord[], { names }: Subject, vendors: Set<string>): void {
  for (const { rows, byToken } of records) {
    for (const index of names?.tokens.flatMap((token) => byToken.get(token) ?? []) ?? []) {
      if (rows[index]!.name !== null) vendors.add(rows[index]!.vendor);
    }
  }
}

function addAdvisoriesWithoutCveGap(
  subject: Subject,
  advisories: readonly PackageAdvisory[],
  { evidence }: AffectedDeps,
): void {
  const without = advisories.filter(
    (advisory) => !isWithdrawn(advisory) && advisoryIds(advisory).every((id) => parseCveId(id) === null),
  );
  if (without.length === 0) return;
  const ids = summarizeList(
    without.map(({ id }) => id),
    3,
  );
  evidence.addGap(
    `${formatCount(without.length, 'advisory')} of ${subject.packageName} without a CVE (${ids}): see check_dependencies`,
  );
}

/** Two small reads: there may be thousands of CVEs, of which a page is shown. */
function rankingFacts(
  cveId: string,
  isRecorded: boolean,
  { catalog }: AffectedDeps,
): Omit<JudgedCve, keyof AffectedDecision | 'cve_id'> {
  const kev = catalog.kev(cveId);
  const epss = catalog.epss(cveId);
  // Of a CVE that no source knows nothing is known.
  const isKnown = isRecorded || kev !== null || epss !== null;
  return {
    epss,
    in_kev: catalog.kevLoaded && isKnown ? kev !== null : null,
    kev,
  };
}

function compareJudged(a: JudgedCve, b: JudgedCve): number {
  return (
    STATUS_RANK[a.status] - STATUS_RANK[b.status] ||
    Number(b.in_kev === true) - Number(a.in_kev === true) ||
    (b.epss?.score ?? -1) - (a.epss?.score ?? -1) ||
    (a.cve_id < b.cve_id ? 1 : -1)
  );
}
