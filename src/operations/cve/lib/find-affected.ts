import {
  type AffectedDecision,
  type AffectedStatus,
  type CveStatements,
  decideByKev,
  decideByRule,
  decideAffected,
  withoutYieldingAdvisories,
} from '../../../analysis/affected/decide-affected.ts';
import { type PreparedRecord, prepareRecord } from '../../../analysis/affected/match-record.ts';
import type { Subject } from '../../../analysis/affected/subject.ts';
import type { VexStatement } from '../../../analysis/affected/vex-statement.ts';
import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import { parseCveId } from '../../../analysis/cve/cve-id.ts';
import { summarizeList } from '../../../analysis/display-text.ts';
import { isWithdrawn, type PackageAdvisory } from '../../../analysis/packages/match-advisory.ts';
import { advisoryIds } from '../../../analysis/packages/package-vulnerabilities.ts';
import { memoizeOrder } from '../../../analysis/versions/version-order.ts';
import type { CveDossier, EpssScore } from '../../../catalog/cve-dossier.ts';
import type { Context } from '../../../engine/context.ts';
import { createEventLoopYielder } from '../../../event-loop-yielder.ts';
import { underPossibleNames } from '../../../engine/suggested-product-names.ts';
import { withOtherNames } from '../../../engine/other-product-names.ts';
import { formatCount } from '../../../engine/summary.ts';

/** A CVE, the decision on it, and what it is ranked by. */
export interface JudgedCve extends AffectedDecision {
  cve_id: string;
  epss: EpssScore | null;
  /** Null: no known-exploited catalog is loaded. */
  in_kev: boolean | null;
  kev: CveDossier['kev'];
}

/** What was judged of a subject. */
export interface AffectedJudgement {
  /** Affected ones first, those known to be exploited and likeliest to be before the others. */
  cves: JudgedCve[];
  /** The same CVEs for another version of the subject, in no order; they are not read again. Null at the deadline. */
  judgeAt: (version: string) => Promise<JudgedCve[] | null>;
}

type Ranking = Omit<JudgedCve, keyof AffectedDecision | 'cve_id'>;

export type AffectedDeps = Pick<Context, 'catalog' | 'evidence' | 'signal'>;

/** So common a name does not identify a product; the largest one, the Linux kernel, has some 10,000 CVEs. */
const MAX_CVES = 12_000;
const STATUS_RANK: Readonly<Record<AffectedStatus, number>> = { affected: 0, unknown: 1, not_affected: 2 };

/** Judges these CVEs, or all that name the subject. At the deadline the rest is named as a gap; an abort by the caller is thrown. */
export async function findAffected(
  given: Subject,
  cveIds: readonly string[] | null,
  deps: AffectedDeps,
): Promise<AffectedJudgement> {
  const { catalog, evidence, signal } = deps;
  const subject = { ...given, order: memoizeOrder(given.order) };
  const yieldToEventLoop = createEventLoopYielder();
  const advisories = packageAdvisoriesOf(subject, deps);
  const vex = vexByCve(subject, deps);
  const subjects = subjectsOf(subject, advisories, deps);
  const vendors = new Set<string>();
  const cves: JudgedCve[] = [];
  const named: { statements: CveStatements; ranking: Ranking }[] = [];
  let read = 0;
  const advisoriesByCve = byCve(advisories);
  const judgement = new Judgement(subjects);
  for (const { cve_id, records } of candidates(subjects, cveIds, advisories, vex, deps)) {
    // To await nothing, thousands of times, costs as much as to judge.
    const rest = yieldToEventLoop();
    if (rest !== undefined) await rest;
    if (signal.aborted) {
      if ((signal.reason as Error | undefined)?.name !== 'TimeoutError') throw signal.reason;
      evidence.addGap(`the time for this answer was over after ${formatCount(read, 'CVE')}`);
      break;
    }
    if (++read > MAX_CVES) {
      evidence.addGap(`more than ${MAX_CVES} CVEs name a product of this name: the newest were read`);
      break;
    }
    const statements: CveStatements = {
      cve_id,
      rejected: cveIds !== null && catalog.cve(cve_id)?.record?.rejected === true,
      records,
      advisories: advisoriesByCve.get(cve_id) ?? [],
      vex: vex.get(cve_id) ?? [],
    };
    const ranking = rankingFacts(cve_id, records.length > 0, deps);
    const decision = judgement.decide(statements, ranking);
    if (cveIds === null && decision.rule.kind === 'none') continue;
    if (subjects[0]?.names?.vendor === null && subject.ecosystem === null) addVendors(records, subject, vendors);
    named.push({ statements, ranking });
    cves.push({ cve_id, ...decision, ...ranking });
  }
  if (vendors.size > 1) {
    const names = summarizeList([...vendors].sort(), 5);
    evidence.addGap(`${vendors.size} vendors have a product of this name (${names}): give vendor`);
  }
  addAdvisoriesWithoutCveGap(subject, advisories, deps);
  const judgeAt = async (version: string): Promise<JudgedCve[] | null> => {
    const other = new Judgement(subjectsOf({ ...subject, version }, advisories, deps));
    const found: JudgedCve[] = [];
    for (const { statements, ranking } of named) {
      const rest = yieldToEventLoop();
      if (rest !== undefined) await rest;
      if (signal.aborted) return null;
      found.push({ cve_id: statements.cve_id, ...other.decide(statements, ranking), ...ranking });
    }
    return found;
  };
  return { cves: cves.sort(compareJudged), judgeAt };
}

function subjectsOf(
  subject: Subject,
  advisories: readonly PackageAdvisory[],
  { catalog }: Pick<AffectedDeps, 'catalog'>,
): Subject[] {
  const isCovered = advisories.some((advisory) => !isWithdrawn(advisory));
  return [...withOtherNames(subject, catalog), ...underPossibleNames(subject, isCovered, catalog).subjects];
}

/** The decision for one product of several names: that of the name which the CVE is about, the most serious first. */
export function decideUnderNames(statements: CveStatements, subjects: readonly Subject[]): AffectedDecision {
  const records = withoutYieldingAdvisories(statements.records, subjects);
  const judged = records === statements.records ? statements : { ...statements, records };
  const about = subjects.flatMap((subject) => decideByRule(judged, subject) ?? []);
  if (about.length === 0) return decideAffected(judged, subjects[0]!);
  // A name whose versions have other numbers says nothing where another name decides.
  const comparable = about.filter(({ unknown }) => unknown !== 'numbering');
  const said = comparable.length > 0 ? comparable : about;
  return said.sort((a, b) => STATUS_RANK[a.status] - STATUS_RANK[b.status])[0]!;
}

/** Decides about one version of a product, under its names. CVEs of which the records say the same are decided once. */
class Judgement {
  readonly #subjects: readonly Subject[];
  readonly #byRecords = new Map<CveStatements['records'], AffectedDecision>();

  constructor(subjects: readonly Subject[]) {
    this.#subjects = subjects.map((subject) => ({ ...subject, tested: new Map() }));
  }

  /** As `decideUnderNames`; where no record names any product, the known-exploited catalog may name the subject. */
  decide(statements: CveStatements, { kev }: Pick<Ranking, 'kev'>): AffectedDecision {
    const decided = this.#decideByStatements(statements);
    return decided.rule.kind !== 'none' || statements.rejected
      ? decided
      : (decideByKev(statements.records, kev, this.#subjects) ?? decided);
  }

  #decideByStatements(statements: CveStatements): AffectedDecision {
    const { records, advisories, vex, rejected } = statements;
    // What makers and advisories say is about one CVE.
    if (rejected || advisories.length > 0 || vex.length > 0) return decideUnderNames(statements, this.#subjects);
    let decided = this.#byRecords.get(records);
    if (decided === undefined) this.#byRecords.set(records, (decided = decideUnderNames(statements, this.#subjects)));
    return decided;
  }
}

function byCve(advisories: readonly PackageAdvisory[]): ReadonlyMap<string, PackageAdvisory[]> {
  const known = new Map<string, PackageAdvisory[]>();
  for (const advisory of advisories) {
    for (const id of new Set(advisoryIds(advisory))) {
      const others = known.get(id);
      if (others === undefined) known.set(id, [advisory]);
      else others.push(advisory);
    }
  }
  return known;
}

/** Each CVE once, with the records of all its sources. */
function* candidates(
  subjects: readonly Subject[],
  cveIds: readonly string[] | null,
  advisories: readonly PackageAdvisory[],
  vex: ReadonlyMap<string, VexStatement[]>,
  { catalog }: AffectedDeps,
): Iterable<{ cve_id: string; records: readonly PreparedRecord[] }> {
  const whole = (cve_id: string) => ({ cve_id, records: catalog.affectedFacts(cve_id).map(prepareRecord) });
  if (cveIds !== null) {
    for (const cve_id of new Set(cveIds)) yield whole(cve_id);
    return;
  }
  const seen = new Set<string>();
  const tokens = new Set(subjects.flatMap(({ names }) => names?.tokens ?? []));
  if (tokens.size > 0) {
    const naming = catalog.cvesOfProducts();
    for (const token of tokens) naming.add(token);
    for (const { cve_id, records } of naming.read()) {
      seen.add(cve_id);
      yield { cve_id, records };
    }
  }
  for (const cve_id of exploitedOf(subjects, catalog)) {
    if (seen.has(cve_id)) continue;
    seen.add(cve_id);
    yield whole(cve_id);
  }
  const advised = advisories.filter((advisory) => !isWithdrawn(advisory)).flatMap(advisoryIds);
  for (const id of new Set([...advised, ...vex.keys()])) {
    const cve_id = parseCveId(id);
    if (cve_id !== null && !seen.has(cve_id)) yield whole(cve_id);
  }
}

/** CVEs that the known-exploited catalog ties to the product by its own words. */
function exploitedOf(subjects: readonly Subject[], catalog: AffectedDeps['catalog']): string[] {
  const byProduct = catalog.remember('known exploited by product', exploitedByProduct);
  const tokens = new Set(subjects.flatMap(({ names }) => names?.tokens ?? []));
  return [...tokens].flatMap((token) => byProduct.get(token) ?? []);
}

function exploitedByProduct(catalog: AffectedDeps['catalog']): Map<string, string[]> {
  const { cves } = catalog.kevPage({ sort: 'added_desc', limit: MAX_CVES, offset: 0 });
  const byProduct = new Map<string, string[]>();
  for (const { cve_id, kev } of cves) {
    if (kev === null) continue;
    const token = normalizeCpeToken(kev.product);
    const known = byProduct.get(token);
    if (known === undefined) byProduct.set(token, [cve_id]);
    else known.push(cve_id);
  }
  return byProduct;
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
function rankingFacts(cveId: string, isRecorded: boolean, { catalog }: AffectedDeps): Ranking {
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
