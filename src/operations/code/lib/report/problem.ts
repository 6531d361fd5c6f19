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

/** A finding of any check, in the form that reports share. */
export interface Problem {
  check: CheckName | 'headers';
  /** Id of the vulnerability or the rule: `CVE-2021-44228`, `aws-access-key`. */
  rule: string;
  title: string;
  severity: ProblemSeverity;
  /** Relative to the folder that was checked. */
  file: string;
  /** From 1; null if only the file is known. */
  line: number | null;
  message: string;
  remediation: string;
  /** CVSS 3 base score; null if no source gives one. */
  score: number | null;
  /** The same problem has the same fingerprint in every report, so that reports can be compared. */
  fingerprint: string;
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

/** Sorted worst first, then by file and line. Repeated fingerprints get a number, so that each is unique. */
export function sortWithUniqueFingerprints(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, number>();
  return problems.toSorted(compareProblems).map((problem) => {
    const count = (seen.get(problem.fingerprint) ?? 0) + 1;
    seen.set(problem.fingerprint, count);
    return count === 1 ? problem : { ...problem, fingerprint: `${problem.fingerprint}#${count}` };
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
