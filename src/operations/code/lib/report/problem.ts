import { createHash } from 'node:crypto';
import { compareSeverity, SEVERITIES } from '../../../../analysis/severity.ts';

/** Severities of problems, worst first; `UNKNOWN` if no source gives one. */
export const PROBLEM_SEVERITIES = [...SEVERITIES, 'UNKNOWN'] as const;
export type ProblemSeverity = (typeof PROBLEM_SEVERITIES)[number];

export const CHECK_NAMES = ['dependencies', 'secrets', 'injection'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** A file, a folder or a part of a file that should have been read and was not. */
export interface UnreadItem {
  file: string;
  reason: string;
}

/** Why a finding does not count: the project says so, in the file itself or in its file of suppressions. */
export interface Suppression {
  kind: 'inSource' | 'external';
  reason: string;
  /** The last day (`YYYY-MM-DD`, UTC) on which it holds; null: for good. */
  until: string | null;
  /** File and line where it stands. */
  source: string;
}

/** A finding of any check, in the form that reports share. */
export interface Problem {
  check: CheckName | 'headers';
  /** Id of the vulnerability or the rule: `CVE-2021-44228`, `aws_access_key_id`. */
  rule: string;
  /** Other ids of the same vulnerability. */
  aliases: readonly string[];
  title: string;
  severity: ProblemSeverity;
  /** Relative to the folder that was checked. */
  file: string;
  /** From 1; null if only the file is known. */
  line: number | null;
  /** From 1, in UTF-16 units; null if it is not known. */
  column: number | null;
  /** In UTF-16 units, from `column` on; null if the end is not known. */
  length: number | null;
  /** What is vulnerable; null for code and headers. */
  package: { readonly name: string; readonly version: string; readonly ecosystem: string | null } | null;
  message: string;
  remediation: string;
  /** CVSS 3 base score; null if no source gives one. */
  score: number | null;
  /** The same problem has the same fingerprint in every report, so that reports can be compared. */
  fingerprint: string;
  suppression: Suppression | null;
  /** Whether an earlier report has it; null where there was none to compare with. */
  known_before: boolean | null;
}

/** A fingerprint of what identifies a problem: neither lines, which move, nor versions, which rise. */
export function fingerprintOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Whether the problem counts for totals and for the exit status: it is neither suppressed nor known before. */
export function counts({ suppression, known_before }: Pick<Problem, 'suppression' | 'known_before'>): boolean {
  return suppression === null && known_before !== true;
}

/** Whether a severity reaches the threshold `least`. `UNKNOWN` only reaches `LOW`. */
export function isAtLeastAsSevere(severity: ProblemSeverity, least: ProblemSeverity): boolean {
  if (severity === 'UNKNOWN') return least === 'LOW' || least === 'UNKNOWN';
  return compareSeverity(severity, least) <= 0;
}

/** `src/main.py:12`, or the file alone. */
export function fileAndLine(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`;
}

/**
 * Worst first, then by file and line. Repeated fingerprints get the number of their repetition, in this order, so that each is unique and lines
 * may move.
 */
export function sortWithUniqueFingerprints<One extends Problem>(problems: readonly One[]): One[] {
  const seen = new Map<string, number>();
  return problems.toSorted(compareProblems).map((problem) => {
    const count = (seen.get(problem.fingerprint) ?? 0) + 1;
    seen.set(problem.fingerprint, count);
    return count === 1 ? problem : { ...problem, fingerprint: fingerprintOf(problem.fingerprint, String(count)) };
  });
}

/** For sorting: by severity, worst first, then by file and line. */
export function compareProblems(
  a: Pick<Problem, 'severity' | 'file' | 'line'>,
  b: Pick<Problem, 'severity' | 'file' | 'line'>,
): number {
  return (
    compareSeverity(a.severity, b.severity) ||
    (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
    (a.line ?? 0) - (b.line ?? 0)
  );
}
