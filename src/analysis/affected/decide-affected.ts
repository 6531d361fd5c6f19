import { normalizeCpeToken } from '../cve/cpe.ts';
import { advisoryIds } from '../packages/package-vulnerabilities.ts';
import { findEcosystem } from '../packages/ecosystems.ts';
import type { PackageAdvisory } from '../packages/match-advisory.ts';
import { type AdvisoryFinding, matchPackageAdvisories } from './match-package.ts';
import { isSameVendor } from './match-product-row.ts';
import { matchRecord, namesWithRange, type PreparedRecord, type RecordFinding } from './match-record.ts';
import type { Subject } from './subject.ts';
import type { Finding, Truth, UnknownCause } from './truth.ts';
import {
  appliesTo,
  DENIALS,
  describeVexStatement,
  describeVexVersions,
  type VexStatement,
  type VexStatus,
} from './vex-statement.ts';

export type AffectedStatus = 'affected' | 'not_affected' | 'unknown';

/** The rule that decided. */
export interface AffectedRule {
  /** `nvd`, `cvelist`, `ghsa`, `osv`, `vex`, `csaf`, `kev`; null where no source names the product. */
  source: string | null;
  /**
   * `vex`: a statement of the product's maker. `advisory`: an advisory of the package. `configuration`: a CPE applicability
   * statement. `product`: a product with its versions. `none`: no rule names the product.
   */
  kind: 'vex' | 'advisory' | 'configuration' | 'product' | 'none';
  /** Which statement, node and range, in words. */
  text: string;
}

/** Whether a CVE affects a subject, who says so and why. */
export interface AffectedDecision {
  status: AffectedStatus;
  reason: string;
  rule: AffectedRule;
  /** The first fixed version that the rule knows. */
  fixed_in: string | null;
  /** The CPE name that decided, where one did. */
  cpe: string | null;
  unknown: UnknownCause | null;
}

/** All that sources say of one CVE. */
export interface CveStatements {
  cve_id: string;
  rejected: boolean;
  records: readonly PreparedRecord[];
  /** Of the subject's package, of any CVE. */
  advisories: readonly PackageAdvisory[];
  /** Of any product. */
  vex: readonly VexStatement[];
}

/** A product as the known-exploited catalog names it. */
interface ExploitedProduct {
  vendor_project: string;
  product: string;
}

const NO_RULE: AffectedRule = { source: null, kind: 'none', text: '' };

/**
 * Decides in the order of certainty: the maker's own denial for the product (VEX), the advisories of the package, CVE records, and
 * last what else is said of the product. So CVE records yield to what the package's own advisories say.
 */
export function decideAffected(cve: CveStatements, subject: Subject): AffectedDecision {
  return decideByRule(cve, subject) ?? decideWithoutRule(cve, subject);
}

/** The same; null where no rule is about the subject. */
export function decideByRule(cve: CveStatements, subject: Subject): AffectedDecision | null {
  if (cve.rejected || isOfOtherRegistries(cve, subject)) return null;
  const own = cve.advisories.filter((advisory) => advisoryIds(advisory).includes(cve.cve_id));
  const advisory = matchPackageAdvisories(own, subject);
  const records = cve.records.map((record) => matchRecord(record, subject)).filter((finding) => finding !== null);
  const statements = cve.vex.filter((statement) => appliesTo(statement, subject) === true);
  const decided =
    decideByVex(statements, DENIALS) ??
    (advisory === null ? null : decideByAdvisory(advisory, subject)) ??
    decideByRecords(records, subject);
  // An assertion without a fix goes before records that know no range.
  if (decided === null || decided.unknown === 'no_range') {
    return decideByVex(statements, OTHER_STATUSES) ?? decided;
  }
  return decided;
}

/** What is said where no rule is about the subject. */
function decideWithoutRule(cve: CveStatements, subject: Subject): AffectedDecision {
  if (cve.rejected) return decision('not_affected', 'the CVE was rejected', NO_RULE);
  const reason = isOfOtherRegistries(cve, subject)
    ? `its advisory names packages of ${otherRegistries(cve.records, subject)} alone`
    : describeNoRule(cve.records, subject);
  return decision('unknown', reason, NO_RULE);
}

function isOfOtherRegistries({ records }: CveStatements, subject: Subject): boolean {
  return subject.isSharedName === true && otherRegistries(records, subject) !== null;
}

/**
 * The records that judge a plain product under these names: without the advisory of packages where another source's record knows ranges of
 * the product. The versions of one package (`log4j-core`, which has no 1.x) are not those of the product's other lines.
 */
export function withoutYieldingAdvisories(
  records: readonly PreparedRecord[],
  subjects: readonly Subject[],
): readonly PreparedRecord[] {
  if (records.length < 2 || !subjects.every(({ ecosystem }) => ecosystem === null)) return records;
  const isAdvisory = ({ source }: PreparedRecord): boolean => source === 'ghsa';
  if (!records.some(isAdvisory)) return records;
  const hasRanges = records.some(
    (record) => !isAdvisory(record) && subjects.some((subject) => namesWithRange(record, subject)),
  );
  return hasRanges ? records.filter((record) => !isAdvisory(record)) : records;
}

/**
 * What the known-exploited catalog says where no record names any product: that its CVE is in the subject, without versions. Null where
 * records name products, or where it names another one.
 */
export function decideByKev(
  records: readonly PreparedRecord[],
  kev: ExploitedProduct | null,
  subjects: readonly Subject[],
): AffectedDecision | null {
  if (kev === null || records.some(({ namesProducts }) => namesProducts)) return null;
  const [vendor, product] = [normalizeCpeToken(kev.vendor_project), normalizeCpeToken(kev.product)];
  const isNamed = subjects.some(
    ({ ecosystem, names }) =>
      ecosystem === null &&
      names?.tokens.includes(product) === true &&
      (names.vendor === null || isSameVendor(vendor, names.vendor)),
  );
  if (!isNamed) return null;
  const text = `${kev.vendor_project} ${kev.product}, no version is compared`;
  return decision('unknown', 'named by the known-exploited catalog without versions', {
    source: 'kev',
    kind: 'product',
    text,
  });
}

/** The registries whose packages an advisory among the records names; null where the subject is a package of one of them, or no advisory names any. */
function otherRegistries(records: readonly PreparedRecord[], { ecosystem }: Subject): string | null {
  const named = records.flatMap(({ registries }) => registries);
  const names = [...new Set(named.map((name) => findEcosystem(name)?.name ?? name))].sort();
  return names.length === 0 || names.includes(ecosystem?.name ?? '') ? null : names.join(' and ');
}

/** Why no rule is about the subject: there is no record, no product is named at all, or it is named as what another one runs on. */
function describeNoRule(records: readonly PreparedRecord[], { names }: Subject): string {
  if (records.length === 0) return 'no source has a record of it';
  const rows = () => records.values().flatMap((record) => record.rows);
  const vulnerable = rows().find(({ row }) => row.vulnerable);
  if (vulnerable === undefined) return 'no source says which products it affects';
  const platform = rows().find(({ row, token }) => !row.vulnerable && names?.tokens.includes(token) === true);
  if (platform === undefined) return 'no source names this product';
  return `named only as what ${vulnerable.vendor} ${vulnerable.token} runs on: ask about that, with this as its platform`;
}

function decision(
  status: AffectedStatus,
  reason: string,
  rule: AffectedRule,
  finding: Pick<Finding, 'fixed' | 'cpe' | 'unknown'> | null = null,
): AffectedDecision {
  const { fixed = null, cpe = null, unknown = null } = finding ?? {};
  return { status, reason, rule, fixed_in: fixed, cpe, unknown };
}

const OTHER_STATUSES: readonly VexStatus[] = ['affected', 'under_investigation'];
const STATUS_OF_VEX: Readonly<Record<VexStatus, AffectedStatus>> = {
  not_affected: 'not_affected',
  fixed: 'not_affected',
  affected: 'affected',
  under_investigation: 'unknown',
};

/** The first statement of these statuses, in their order. Null: there is none. */
function decideByVex(statements: readonly VexStatement[], statuses: readonly VexStatus[]): AffectedDecision | null {
  const statement = statuses
    .map((status) => statements.find((one) => one.status === status))
    .find((one) => one !== undefined);
  if (statement === undefined) return null;
  const shown = [statement.purl ?? `${statement.vendor} ${statement.product}`, describeVexVersions(statement)];
  const text = `${statement.document}: ${shown.filter((part) => part !== '').join(' ')}`;
  return decision(STATUS_OF_VEX[statement.status], describeVexStatement(statement), {
    source: statement.source,
    kind: 'vex',
    text,
  });
}

function decideByAdvisory({ source, finding }: AdvisoryFinding, subject: Subject): AffectedDecision {
  const text = `${finding.text} (${orderName(finding, subject)})`;
  const rule: AffectedRule = { source, kind: 'advisory', text };
  return decision(statusOf(finding.truth), finding.reason, rule, finding);
}

/**
 * A record that names a platform or edition as condition is more exact than one that asserts without it. A range decides before a
 * record that knows none.
 */
function decideByRecords(records: readonly RecordFinding[], subject: Subject): AffectedDecision | null {
  const conditional = records.find(({ kind, finding }) => kind === 'configuration' && finding.unknown === 'condition');
  const affirming = records.filter(({ finding }) => finding.truth === true);
  const confirmed = affirming.find(({ kind }) => kind === 'configuration');
  const denying = records.find(({ finding }) => finding.truth === false);
  const open = records.find(({ finding }) => finding.unknown === 'condition' || finding.unknown === 'no_version');
  const decisive = confirmed ?? conditional ?? affirming[0] ?? open ?? denying ?? records[0];
  if (decisive === undefined) return null;
  const { source, kind, finding } = decisive;
  const contradicting = finding.truth === true && denying !== undefined ? ` (${denying.source} does not say so)` : '';
  const uncertain =
    finding.truth === true && subject.ecosystem !== null
      ? ' (by a CPE name alone, without an advisory of the package)'
      : '';
  return decision(
    statusOf(finding.truth),
    `${finding.reason}${contradicting}${uncertain}`,
    { source, kind, text: `${finding.text} (${orderName(finding, subject)})` },
    finding,
  );
}

function orderName({ unknown }: Finding, { ecosystem }: Subject): string {
  if (unknown === 'no_range') return 'no version is compared';
  return `versions in ${ecosystem === null ? 'generic' : ecosystem.name} order`;
}

function statusOf(truth: Truth): AffectedStatus {
  return truth === null ? 'unknown' : truth ? 'affected' : 'not_affected';
}
