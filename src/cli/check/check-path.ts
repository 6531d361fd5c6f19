import { resolve } from 'node:path';
import { withRunnerDeps } from '../with-runner-deps.ts';
import { loadConfig } from '../load-config.ts';
import { formatCount } from '../../engine/summary.ts';
import { type CodeReport, checkCode } from './check-code.ts';
import { checkDependencies, type DependencyReport, makesCheckIncomplete } from './check-dependencies.ts';
import { documentFormat } from './read-dependency-document.ts';
import { createExclusionCheck } from './exclusion-check.ts';
import {
  type CheckName,
  PROBLEM_SEVERITIES,
  fileAndLine,
  sortWithUniqueFingerprints,
  isAtLeastAsSevere,
  type Problem,
  type ProblemSeverity,
  type UnreadItem,
} from '../../operations/code/lib/report/problem.ts';
import { listFiles } from './list-files.ts';
import { toCodeProblem, toDependencyProblem } from '../../operations/code/lib/report/to-problem.ts';
import { countBySeverity } from '../../analysis/severity.ts';

export interface CheckOptions {
  checks: readonly CheckName[];
  failOn: ProblemSeverity;
  /** Patterns of paths that are left out, in the form of `.gitignore`. */
  exclude: readonly string[];
  /** Leaves out packages that are only for development. */
  omitDev: boolean;
  /** Whether flows from parameters of functions are findings, although their callers are not known. */
  parameters: boolean;
}

/** What `sextant check` found, as its JSON document has it. */
export interface CheckReport {
  path: string;
  checks: readonly CheckName[];
  fail_on: ProblemSeverity;
  /** True when something at or above `fail_on` was found. */
  failed: boolean;
  /** True if everything was read and checked. */
  complete: boolean;
  total: number;
  by_severity: Record<ProblemSeverity, number>;
  /** Null if not among `checks`. */
  dependencies: DependencyReport | null;
  code: CodeReport | null;
  /** What could not be read. */
  unread: UnreadItem[];
  /** Number of files and folders that were left out on purpose, by reason. */
  excluded: Record<string, number>;
  /** Other limits of the result. */
  notes: string[];
  /** All findings in one form, worst first. */
  problems: Problem[];
}

const MAX_PACKAGES_NAMED = 10;

/** Checks a folder or a file with the catalog of this installation. Throws `CliError` (usage) if the path does not exist. */
export async function checkPath(path: string, options: CheckOptions): Promise<CheckReport> {
  const { checks, failOn, exclude } = options;
  const tree = listFiles(resolve(path), (folder) => createExclusionCheck(folder, exclude));
  const dependencyCheck = checks.includes('dependencies')
    ? await withRunnerDeps(loadConfig(), (runnerDeps) => checkDependencies(tree, options, runnerDeps))
    : null;
  const codeChecks = checks.filter((check) => check !== 'dependencies');
  const codeFiles = tree.files.filter((file) => documentFormat(file.path) === null);
  const codeCheck = codeChecks.length === 0 ? null : await checkCode(codeFiles, { ...options, checks: codeChecks });
  const dependencies = dependencyCheck?.report ?? null;
  const code = codeCheck?.report ?? null;
  const unread = [...tree.unread, ...(dependencyCheck?.unread ?? []), ...(codeCheck?.unread ?? [])];
  const problems = sortWithUniqueFingerprints([
    ...(dependencies?.findings.map(toDependencyProblem) ?? []),
    ...(code?.findings.map(toCodeProblem) ?? []),
  ]);
  const bySeverity = countBySeverity(PROBLEM_SEVERITIES, problems);
  for (const [severity, count] of Object.entries(code?.unlisted ?? {}))
    bySeverity[severity as ProblemSeverity] += count;
  return {
    path,
    checks,
    fail_on: failOn,
    failed: problems.some(({ severity }) => isAtLeastAsSevere(severity, failOn)),
    complete: unread.length === 0 && dependencies?.unchecked.some(makesCheckIncomplete) !== true,
    total: Object.values(bySeverity).reduce((sum, count) => sum + count, 0),
    by_severity: bySeverity,
    dependencies,
    code,
    unread,
    excluded: tree.excluded,
    notes: dependencies === null ? [] : notesOf(dependencies),
    problems,
  };
}

function notesOf({ documents, unchecked, undecided, omitted, verdict }: DependencyReport): string[] {
  const examples = unchecked.slice(0, MAX_PACKAGES_NAMED).map(({ package: name, version, file, line, reason }) => {
    return `${[name, version].filter((part) => part !== '').join(' ')} in ${fileAndLine(file, line)} (${reason})`;
  });
  const more = unchecked.length - examples.length;
  return [
    ...(documents.length === 0 ? ['no lockfile or SBOM was found'] : []),
    ...(omitted === 0 ? [] : [`${formatCount(omitted, 'package')} for development left out (--omit dev)`]),
    ...(undecided.length === 0
      ? []
      : [`${formatCount(undecided.length, 'CVE')} could not be decided (${undecided[0]!.reason}): see --json`]),
    ...(unchecked.length === 0
      ? []
      : [
          `${formatCount(unchecked.length, 'package')} could not be checked: ${examples.join('; ')}${more > 0 ? `; and ${more} more, see --json` : ''}`,
        ]),
    // Gaps that refer to a list of this report are shown with that list.
    ...verdict.gaps.filter((gap) => !/ see un(?:read|checked)$/.test(gap)),
  ];
}
