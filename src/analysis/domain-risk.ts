import type { LetterGrade } from './letter-grade.ts';
import { type RiskFactor, riskScore } from './risk-factor.ts';
import type { CheckSeverity } from './severity.ts';

/** Facts about a domain that affect its risk; null: unknown, which adds nothing. */
export interface RiskSignals {
  /** Malware URLs on it (URLhaus): those that are online now, and all that were ever listed. */
  malware: { online: number; listed: number } | null;
  /** Its addresses that are on a blocklist. */
  listedAddresses: readonly { ip: string; list: string }[] | null;
  /** Known vulnerabilities of the software at its addresses, and how many are known to be exploited (null: unknown). */
  vulnerabilities: { total: number; exploited: number | null } | null;
  /** Days since registration. */
  ageDays: number | null;
  /** Days until the registration ends; negative: it has ended. */
  daysToExpiry: number | null;
  /** EPP status codes. */
  status: readonly string[] | null;
  /** `none`: the host does not offer TLS. */
  tls: { grade: string; valid: boolean; daysRemaining: number | null } | 'none' | null;
  emailGrade: string | null;
  /** It accepts mail. */
  hasMail: boolean | null;
  nameServers: number | null;
}

export interface DomainRisk {
  /** 0 (nothing found) to 100. */
  score: number;
  grade: LetterGrade;
  factors: RiskFactor[];
  /** Parts of which nothing is known: the score would not show a risk there. */
  notAssessed: RiskPart[];
}

/** A finding that stands open, as far as it counts for the risk. */
export interface OpenFinding {
  title: string;
  severity: CheckSeverity | 'UNKNOWN';
  /** A CVE known to be exploited is behind it. */
  exploited: boolean;
}

const SIGNALS_BY_PART = {
  malware: ['malware'],
  blocklists: ['listedAddresses'],
  vulnerabilities: ['vulnerabilities'],
  registration: ['ageDays', 'daysToExpiry', 'status'],
  tls: ['tls'],
  mail: ['emailGrade'],
  name_servers: ['nameServers'],
} as const satisfies Record<string, readonly (keyof RiskSignals)[]>;

export type RiskPart = keyof typeof SIGNALS_BY_PART;
export const RISK_PARTS = Object.keys(SIGNALS_BY_PART) as RiskPart[];

const NEW_DOMAIN_MAX_DAYS = 30;
const YOUNG_DOMAIN_MAX_DAYS = 90;
const EXPIRY_WARNING_DAYS = 14;
const HOLD_STATUS_PATTERN = /^(client|server)hold$/i;

/** Scores from which the grades begin. */
const GRADE_MINIMUMS: readonly [grade: LetterGrade, score: number][] = [
  ['F', 70],
  ['D', 45],
  ['C', 25],
  ['B', 10],
  ['A', 0],
];

/** The best grade that a domain can have while such a finding is open; the first that holds counts. */
const FINDING_FLOORS: readonly {
  id: string;
  atBest: LetterGrade;
  what: string;
  holds: (finding: OpenFinding) => boolean;
}[] = [
  { id: 'exploited_finding', atBest: 'D', what: 'known exploited', holds: ({ exploited }) => exploited },
  { id: 'critical_finding', atBest: 'D', what: 'critical', holds: ({ severity }) => severity === 'CRITICAL' },
  { id: 'high_finding', atBest: 'C', what: 'high', holds: ({ severity }) => severity === 'HIGH' },
  { id: 'medium_finding', atBest: 'B', what: 'medium', holds: ({ severity }) => severity === 'MEDIUM' },
];

/**
 * The risk of dealing with a domain: the sum of its factors, at most 100. Malicious use has most points, then recent registration, then
 * poor configuration. `findings`: what stands open; the score is at least where the grade of the worst of them begins.
 */
export function assessDomainRisk(signals: RiskSignals, findings: readonly OpenFinding[] = []): DomainRisk {
  const factors = [...abuseFactors(signals), ...registrationFactors(signals), ...hygieneFactors(signals)];
  const notAssessed = RISK_PARTS.filter((part) => SIGNALS_BY_PART[part].every((signal) => signals[signal] === null));
  return { ...raiseRisk({ factors }, [...findings, ...possibleFindings(signals)]), notAssessed };
}

/**
 * A risk over further findings: never less than the worst of them allows. A floor that was set before is kept where it is of worse ones.
 * What raises the score is a factor of its own, the first, because it decides the grade; the score stays the sum of the factors.
 */
export function raiseRisk(
  { factors: given }: Pick<DomainRisk, 'factors'>,
  findings: readonly OpenFinding[],
): Pick<DomainRisk, 'score' | 'grade' | 'factors'> {
  const rankOf = (one: RiskFactor): number => FINDING_FLOORS.findIndex(({ id }) => id === one.id);
  const former = given.find((one) => rankOf(one) >= 0);
  const others = given.filter((one) => one !== former).toSorted((a, b) => b.points - a.points);
  const floor = floorOf(findings, riskScore(others));
  const isWorse = floor !== null && (former === undefined || rankOf(floor) <= rankOf(former));
  const decisive = isWorse ? floor : former;
  const factors = decisive === undefined ? others : [decisive, ...others];
  const score = riskScore(factors);
  return { score, grade: gradeOf(score), factors };
}

/** What is missing from a score to where the grade of the worst finding begins; null: nothing. */
function floorOf(findings: readonly OpenFinding[], score: number): RiskFactor | null {
  const floor = FINDING_FLOORS.find(({ holds }) => findings.some(holds));
  if (floor === undefined) return null;
  const missing = GRADE_MINIMUMS.find(([grade]) => grade === floor.atBest)![1] - score;
  return missing > 0 ? factor(floor.id, missing, floorReason(floor.what, findings.filter(floor.holds))) : null;
}

/** `Open, and critical: The SPF record ends in "+all", and 2 more.` */
function floorReason(what: string, [first, ...others]: readonly OpenFinding[]): string {
  return `Open, and ${what}: ${first!.title}${others.length > 0 ? `, and ${others.length} more` : ''}.`;
}

/** Of what an address shows, a version is guessed at: less certain than what is found at the site, so one level below. */
function possibleFindings({ vulnerabilities }: RiskSignals): OpenFinding[] {
  if (vulnerabilities === null || (vulnerabilities.exploited ?? 0) === 0) return [];
  const title = 'what its addresses show may have vulnerabilities that are known to be exploited';
  return [{ title, severity: 'HIGH', exploited: false }];
}

const factor = (id: string, points: number, reason: string): RiskFactor => ({ id, points, reason });

function* abuseFactors({ malware, listedAddresses, vulnerabilities }: RiskSignals): Generator<RiskFactor> {
  const { online, listed } = malware ?? { online: 0, listed: 0 };
  if (online > 0)
    yield factor('malware_online', 70, `URLhaus lists ${online} malware addresses on it that are online.`);
  else if (listed > 0)
    yield factor('malware_listed', 25, `URLhaus lists ${listed} malware addresses on it, none online now.`);
  const [address] = listedAddresses ?? [];
  if (address !== undefined) yield factor('address_listed', 25, `Its address ${address.ip} stands on ${address.list}.`);
  const { exploited, total } = vulnerabilities ?? { exploited: 0, total: 0 };
  const mayHave = 'What its addresses show may have';
  if (exploited !== null && exploited > 0)
    yield factor(
      'exploited_vulnerabilities',
      20,
      `${mayHave} vulnerabilities that are known to be exploited: ${exploited}.`,
    );
  else if (total > 0) yield factor('vulnerabilities', 8, `${mayHave} known vulnerabilities: ${total}.`);
}

function* registrationFactors({ ageDays, daysToExpiry, status }: RiskSignals): Generator<RiskFactor> {
  if (ageDays !== null && ageDays < NEW_DOMAIN_MAX_DAYS)
    yield factor('new_registration', 25, `It was registered ${Math.max(0, ageDays)} days ago.`);
  else if (ageDays !== null && ageDays < YOUNG_DOMAIN_MAX_DAYS)
    yield factor('young_registration', 10, `It was registered ${ageDays} days ago.`);
  if (daysToExpiry !== null && daysToExpiry < 0) yield factor('registration_over', 15, 'Its registration has ended.');
  else if (daysToExpiry !== null && daysToExpiry < EXPIRY_WARNING_DAYS)
    yield factor('registration_ending', 5, `Its registration ends in ${daysToExpiry} days.`);
  const held = status?.find((code) => HOLD_STATUS_PATTERN.test(code.replace(/\s/g, '')));
  if (held !== undefined) yield factor('on_hold', 20, `Its registry status is ${held}.`);
}

function* hygieneFactors({ tls, emailGrade, hasMail, nameServers }: RiskSignals): Generator<RiskFactor> {
  if (tls === 'none') yield factor('no_tls', 10, 'It does not speak TLS on port 443.');
  else if (tls !== null && !tls.valid) yield factor('invalid_certificate', 15, 'Its certificate is not valid for it.');
  else if (tls !== null && 'CDF'.includes(tls.grade))
    yield factor('weak_tls', 8, `Its TLS settings have grade ${tls.grade}.`);
  else if (tls !== null && tls.daysRemaining !== null && tls.daysRemaining < EXPIRY_WARNING_DAYS)
    yield factor('certificate_ending', 3, `Its certificate ends in ${tls.daysRemaining} days.`);
  // A domain without mail can still be spoofed as a sender, but receivers expect less mail from it.
  if (emailGrade === 'F')
    yield factor('spoofable_mail', hasMail === false ? 6 : 12, 'Anybody can send mail in its name (posture F).');
  else if (emailGrade === 'D') yield factor('weak_mail', 7, 'Mail in its name is hardly protected (posture D).');
  else if (emailGrade === 'C') yield factor('improvable_mail', 3, 'Mail in its name is protected in part (posture C).');
  if (nameServers === 1) yield factor('one_name_server', 2, 'It has one name server alone (RFC 2182 asks for two).');
}

function gradeOf(score: number): LetterGrade {
  return GRADE_MINIMUMS.find(([, least]) => score >= least)![0];
}
