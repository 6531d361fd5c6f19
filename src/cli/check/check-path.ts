import { resolve } from 'node:path';
import { withServices } from '../ask.ts';
import { loadConfig } from '../load-config.ts';
import { type CodeReport, checkCode, problemOf as codeProblem } from './code.ts';
import {
  checkDependencies,
  type DependencyReport,
  problemOf as dependencyProblem,
  documentFormat,
} from './dependencies.ts';
import { type Check, countBySeverity, isAtLeast, type Problem, type ProblemSeverity, SEVERITIES } from './problem.ts';
import { filesBelow } from './walk.ts';

export interface CheckOptions {
  checks: readonly Check[];
  failOn: ProblemSeverity;
}

/** What `sextant check` found, as its JSON document has it. */
export interface CheckReport {
  path: string;
  checks: readonly Check[];
  fail_on: ProblemSeverity;
  /** True when something at or above `fail_on` was found. */
  failed: boolean;
  total: number;
  by_severity: Record<ProblemSeverity, number>;
  /** Null where they were not asked for. */
  dependencies: DependencyReport | null;
  code: CodeReport | null;
  /** What was not looked at. */
  notes: string[];
  /** All findings, as a report has them: the worst first. */
  problems: Problem[];
}

/** Checks a folder or a file, by the catalog of this installation. Throws `CliError` where there is no such path. */
export async function checkPath(path: string, { checks, failOn }: CheckOptions): Promise<CheckReport> {
  const { files, truncated } = filesBelow(resolve(path));
  const dependencies = checks.includes('dependencies')
    ? await withServices(loadConfig(), (services) => checkDependencies(files, services))
    : null;
  const inCode = checks.filter((check) => check !== 'dependencies');
  const sources = files.filter((file) => documentFormat(file.path) === null);
  const code = inCode.length === 0 ? null : await checkCode(sources, inCode);
  const problems = [
    ...(dependencies?.findings.map(dependencyProblem) ?? []),
    ...(code?.findings.map(codeProblem) ?? []),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  return {
    path,
    checks,
    fail_on: failOn,
    failed: problems.some(({ severity }) => isAtLeast(severity, failOn)),
    total: problems.length,
    by_severity: countBySeverity(problems),
    dependencies,
    code,
    notes: [
      ...(truncated ? [`there are more than ${files.length} files: the others were not looked at`] : []),
      ...(dependencies !== null && dependencies.documents.length === 0 ? ['no lockfile or SBOM was found'] : []),
      ...(dependencies?.verdict.gaps ?? []),
    ],
    problems,
  };
}
