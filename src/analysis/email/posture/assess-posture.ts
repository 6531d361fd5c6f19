import { DKIM_RULES } from './dkim-rules.ts';
import { DMARC_RULES } from './dmarc-rules.ts';
import { type MailFacts, usableDkimKeys } from './mail-facts.ts';
import type { PostureCheck, PostureRule } from './posture-rule.ts';
import { SERVER_RULES } from './server-rules.ts';
import { SPF_RULES } from './spf-rules.ts';
import { TRANSPORT_RULES } from './transport-rules.ts';
import { compareFindings, type Finding } from '../../finding.ts';
import type { CheckSeverity } from '../../severity.ts';
import type { LetterGrade } from '../../letter-grade.ts';

export const POSTURE_RULES: readonly PostureRule[] = [
  ...SPF_RULES,
  ...DMARC_RULES,
  ...DKIM_RULES,
  ...TRANSPORT_RULES,
  ...SERVER_RULES,
];

export interface PostureFinding extends Omit<Finding<CheckSeverity>, 'remediation'> {
  check: PostureCheck;
  status: 'pass' | 'info' | 'warn' | 'fail' | 'unknown';
  /** Taken off the score. */
  points: number;
  /** Null: the check found no problem, or was not made. */
  remediation: string | null;
}

export type PostureGrade = 'A+' | LetterGrade;

export interface Posture {
  /** 0 to 100; null where SPF or DMARC could not be read. */
  score: number | null;
  grade: PostureGrade | null;
  findings: PostureFinding[];
}

/** What each check is worth at most; together 100. A check that was not made takes nothing off. */
const MAX_POINTS_BY_CHECK: Readonly<Partial<Record<PostureCheck, number>>> = {
  spf: 30,
  dmarc: 40,
  dkim: 20,
  mta_sts: 8,
  tls_rpt: 2,
};
const GRADE_THRESHOLDS: readonly [number, PostureGrade][] = [
  [95, 'A+'],
  [85, 'A'],
  [70, 'B'],
  [55, 'C'],
  [40, 'D'],
  [0, 'F'],
];
const CHECK_NAMES: Readonly<Record<PostureCheck, string>> = {
  mx: 'MX',
  spf: 'SPF',
  dmarc: 'DMARC',
  dkim: 'DKIM',
  mta_sts: 'MTA-STS',
  tls_rpt: 'TLS-RPT',
  starttls: 'STARTTLS',
  dane: 'DANE',
  bimi: 'BIMI',
};

/** Findings, worst first, and the score: 100 less the `points` of the findings, each check's together no more than it is worth. */
export function assessPosture(facts: MailFacts): Posture {
  const found = POSTURE_RULES.flatMap((rule): PostureFinding[] => {
    const description = rule.findProblem(facts);
    return description === null ? [] : [toPostureFinding(rule, description)];
  });
  found.sort(compareFindings);
  const findings = [...limitPointsByCheck(found), ...findingsWithoutProblem(facts, found)];
  const decided = facts.spf.present !== null && facts.dmarc.present !== null;
  const score = decided ? 100 - findings.reduce((sum, { points }) => sum + points, 0) : null;
  return { score, grade: score === null ? null : GRADE_THRESHOLDS.find(([least]) => score >= least)![1], findings };
}

function toPostureFinding(
  { id, check, severity, points, remediation }: PostureRule,
  description: string,
): PostureFinding {
  const status = severity === 'INFO' ? 'info' : severity === 'LOW' || severity === 'MEDIUM' ? 'warn' : 'fail';
  return { id, check, status, severity, points, description, remediation };
}

/** Points deducted for each check, at most the points of the check. */
function limitPointsByCheck(findings: readonly PostureFinding[]): PostureFinding[] {
  const left = { ...MAX_POINTS_BY_CHECK };
  return findings.map((finding) => {
    const points = Math.min(finding.points, left[finding.check] ?? 0);
    left[finding.check] = (left[finding.check] ?? 0) - points;
    return { ...finding, points };
  });
}

/** One row for each check without findings: in order, or not known. */
function findingsWithoutProblem(facts: MailFacts, found: readonly PostureFinding[]): PostureFinding[] {
  return (Object.keys(CHECK_NAMES) as PostureCheck[])
    .filter((check) => !found.some((finding) => finding.check === check))
    .map((check) => {
      const known = isKnown(check, facts);
      return {
        id: `${check}_${known ? 'in_order' : 'unknown'}`,
        check,
        status: known ? 'pass' : 'unknown',
        severity: 'INFO',
        points: 0,
        description: known
          ? `${CHECK_NAMES[check]}: nothing to object to.`
          : `${CHECK_NAMES[check]} was not looked at, or not answered for.`,
        remediation: null,
      };
    });
}

function isKnown(check: PostureCheck, facts: MailFacts): boolean {
  switch (check) {
    case 'spf':
      return facts.spf.present !== null;
    case 'dmarc':
      return facts.dmarc.present !== null;
    case 'dkim':
      return facts.dkim !== null && (facts.dkim.unanswered.length === 0 || usableDkimKeys(facts.dkim).length > 0);
    case 'mta_sts':
      return facts.mtaSts !== null && (!facts.mtaSts.present || facts.mtaSts.policy !== null);
    case 'tls_rpt':
      return facts.tlsRpt !== null;
    case 'starttls':
      return facts.servers?.every(({ startTls }) => startTls !== null) === true;
    case 'dane':
      return facts.servers?.every(({ dane }) => dane !== null && (dane.usable === 0 || dane.matches !== null)) === true;
    case 'bimi':
      return facts.bimi !== null;
    case 'mx':
      return facts.mx !== null;
  }
}
