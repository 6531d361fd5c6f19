import { VERSION } from '../../../../version.ts';
import { counts, type Problem, type ProblemSeverity, type UnreadItem } from './problem.ts';
import { codeRuleText, vulnerabilityRuleText } from './rule-texts.ts';

/** Of GitLab's report schemas for scanners. */
const SCHEMA_VERSION = '15.0.7';
const MAX_NAME_LENGTH = 255;
const MAX_SOLUTION_LENGTH = 7000;

const QUALITY_SEVERITIES: Readonly<Record<ProblemSeverity, string>> = {
  CRITICAL: 'blocker',
  HIGH: 'critical',
  MEDIUM: 'major',
  LOW: 'minor',
  UNKNOWN: 'info',
};
const SCANNER_SEVERITIES: Readonly<Record<ProblemSeverity, string>> = {
  CRITICAL: 'Critical',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
  UNKNOWN: 'Unknown',
};

/** Findings that count, as a report of GitLab's Code Quality. */
export function gitlabCodeQuality(problems: readonly Problem[]): object[] {
  return problems.filter(counts).map(({ rule, severity, file, line, message, remediation, fingerprint }) => ({
    description: `${message} ${remediation}`,
    check_name: rule,
    fingerprint,
    severity: QUALITY_SEVERITIES[severity],
    location: { path: file, lines: { begin: line ?? 1 } },
  }));
}

export interface GitlabInput {
  problems: readonly Problem[];
  unread: readonly UnreadItem[];
  /** Documents and their packages. */
  documents: readonly { file: string; format: string; packages: readonly { package: string; version: string }[] }[];
  start: Date;
  end: Date;
}

/** Findings of packages that count, as GitLab's report of dependency scanning. */
export function gitlabDependencyScanning(input: GitlabInput): object {
  const problems = input.problems.filter((problem) => counts(problem) && problem.check === 'dependencies');
  return {
    version: SCHEMA_VERSION,
    scan: scan('dependency_scanning', input),
    vulnerabilities: problems.map((problem) => ({
      ...vulnerability(problem),
      identifiers: [problem.rule, ...problem.aliases].map((id) => ({
        type: identifierType(id),
        name: id,
        value: id,
        url: vulnerabilityRuleText(id, '').helpUri,
      })),
      location: { file: problem.file, dependency: dependency(problem.package!.name, problem.package!.version) },
    })),
    dependency_files: input.documents.map(({ file, format, packages }) => ({
      path: file,
      package_manager: format,
      dependencies: packages.map(({ package: name, version }) => dependency(name, version)),
    })),
  };
}

/** Findings in code that count, secrets included, as GitLab's report of static analysis. */
export function gitlabSast(input: GitlabInput): object {
  const problems = input.problems.filter((problem) => counts(problem) && problem.check !== 'dependencies');
  return {
    version: SCHEMA_VERSION,
    scan: scan('sast', input),
    vulnerabilities: problems.map((problem) => {
      const { helpUri } = codeRuleText(problem.rule);
      const cwe = /\/(\d+)\.html$/.exec(helpUri)?.[1];
      return {
        ...vulnerability(problem),
        identifiers: [
          { type: 'sextant_rule', name: problem.rule, value: problem.rule },
          ...(cwe === undefined ? [] : [{ type: 'cwe', name: `CWE-${cwe}`, value: cwe, url: helpUri }]),
        ],
        location: {
          file: problem.file,
          ...(problem.line !== null && { start_line: problem.line, end_line: problem.line }),
        },
      };
    }),
  };
}

function scan(type: string, { unread, start, end }: GitlabInput): object {
  const tool = { id: 'sextant', name: 'Sextant', version: VERSION, vendor: { name: 'Sextant' } };
  return {
    type,
    status: 'success',
    start_time: toGitlabTime(start),
    end_time: toGitlabTime(end),
    analyzer: tool,
    scanner: tool,
    messages: unread.map(({ file, reason }) => ({ level: 'warn', value: `${file} was not read: ${reason}` })),
  };
}

function vulnerability({ fingerprint, title, message, severity, remediation }: Problem): object {
  return {
    id: fingerprint,
    name: title.slice(0, MAX_NAME_LENGTH),
    description: message,
    severity: SCANNER_SEVERITIES[severity],
    solution: remediation.slice(0, MAX_SOLUTION_LENGTH),
  };
}

function dependency(name: string, version: string): object {
  return { package: { name }, version };
}

function identifierType(id: string): string {
  return /^(?:CVE|GHSA)-/.exec(id)?.[0].slice(0, -1).toLowerCase() ?? 'osv';
}

/** UTC without a zone and without fractions, as the schema has it. */
function toGitlabTime(time: Date): string {
  return time.toISOString().slice(0, 19);
}
