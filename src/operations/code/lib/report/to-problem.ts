import type { z } from 'zod';
import type { CodeFinding } from '../code-check-fields.ts';
import type { DependencyFinding } from '../dependency-finding.ts';
import type { CheckName, Problem } from './problem.ts';

/** A finding in code, with its check and its file. */
export type LocatedCodeFinding = z.output<typeof CodeFinding> & { check: CheckName; file: string };

/** A finding of a package, with the file and line that list it. */
export type LocatedDependencyFinding = DependencyFinding & { file: string; line: number | null };

/** The finding in the form that all checks share. */
export function toCodeProblem(finding: LocatedCodeFinding): Problem {
  const { check, file, type, severity, line, match, description, remediation } = finding;
  const fingerprint = `${type}:${file}:${match}`;
  const texts = { title: description, message: description, remediation };
  return { check, rule: type, severity, file, line, ...texts, score: null, fingerprint };
}

/** The finding in the form that all checks share. */
export function toDependencyProblem(finding: LocatedDependencyFinding): Problem {
  const { cve_id, evidence, title, severity, cvss_v3, file, line, remediation, ecosystem } = finding;
  const rule = cve_id ?? evidence[0] ?? 'unknown';
  const titleText = title ?? 'A known flaw';
  return {
    check: 'dependencies',
    rule,
    title: titleText,
    severity: severity ?? 'UNKNOWN',
    file,
    line,
    message: `${finding.package} ${finding.version} has ${rule}: ${titleText}${/[.!?]$/.test(titleText) ? '' : '.'}`,
    remediation,
    score: cvss_v3,
    fingerprint: `${ecosystem ?? ''}:${finding.package}:${rule}:${file}`,
  };
}
