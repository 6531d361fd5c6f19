import type { z } from 'zod';
import type { CodeFinding } from '../code-check-fields.ts';
import type { DependencyFinding } from '../dependency-finding.ts';
import { type CheckName, fingerprintOf, type Problem } from './problem.ts';

/** A finding in code, with its check and its file. */
export type LocatedCodeFinding = z.output<typeof CodeFinding> & { check: CheckName; file: string };

/** A finding of a package, with the file and line that list it, and the paths that lead to it. */
export type LocatedDependencyFinding = DependencyFinding & {
  file: string;
  line: number | null;
  brought_by: string[] | null;
};

/** The finding in the form that all checks share. */
export function toCodeProblem(finding: LocatedCodeFinding): Problem {
  const { check, file, type, severity, line, column, length, match, description, remediation } = finding;
  return {
    check,
    rule: type,
    aliases: [],
    title: description,
    severity,
    file,
    line,
    column,
    length,
    package: null,
    message: description,
    remediation,
    score: null,
    fingerprint: fingerprintOf(type, file, match),
    suppression: null,
    known_before: null,
  };
}

/** The finding in the form that all checks share. */
export function toDependencyProblem(finding: LocatedDependencyFinding): Problem {
  const { cve_id, evidence, title, severity, cvss_v3, file, line, remediation, ecosystem, brought_by } = finding;
  const rule = cve_id ?? evidence[0] ?? 'unknown';
  const titleText = title ?? 'A known flaw';
  const [path] = brought_by ?? [];
  return {
    check: 'dependencies',
    rule,
    aliases: finding.aliases.filter((alias) => alias !== rule),
    title: titleText,
    severity: severity ?? 'UNKNOWN',
    file,
    line,
    column: null,
    length: null,
    package: { name: finding.package, version: finding.version, ecosystem },
    message: `${finding.package} ${finding.version} ${finding.malicious ? 'is malicious,' : 'has'} ${rule}: ${titleText}${/[.!?]$/.test(titleText) ? '' : '.'}${path === undefined ? '' : ` Brought by ${path}.`}`,
    remediation,
    score: cvss_v3,
    fingerprint: fingerprintOf(ecosystem ?? '', finding.package, rule, file),
    suppression: null,
    known_before: null,
  };
}
