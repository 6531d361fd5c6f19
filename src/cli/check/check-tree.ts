import type { DependencyScope } from '../../analysis/packages/dependency-scope.ts';
import { loadConfig } from '../load-config.ts';
import type { CheckName, ProblemSeverity } from '../../operations/code/lib/report/problem.ts';
import { toCodeProblem, toDependencyProblem } from '../../operations/code/lib/report/to-problem.ts';
import { withRunnerDeps } from '../with-runner-deps.ts';
import { checkCode } from './check-code.ts';
import { checkDependencies } from './check-dependencies.ts';
import type { FileTree, FoundFile } from './list-files.ts';
import { documentFormat, IMAGE } from './read-dependency-document.ts';
import type { ResultCache } from './result-cache.ts';
import { findInlineSuppressions, readSuppressionFile } from './suppressions.ts';
import { readTextFile } from './text-file.ts';

const MAX_COMMENTED_BYTES = 16 * 1024 * 1024;

export interface CheckOptions {
  checks: readonly CheckName[];
  failOn: ProblemSeverity;
  /** Patterns of paths that are left out, in the form of `.gitignore`. */
  exclude: readonly string[];
  /** Leaves out packages that are for these alone. */
  omit: ReadonlySet<DependencyScope>;
  /** Whether flows from parameters of functions are findings, although their callers are not known. */
  parameters: boolean;
  /** The file of an earlier report, or a git revision: findings that it has do not count. */
  newSince: string | null;
  /** Whether the secrets of all commits are looked for, too. */
  history: boolean;
  /** Whether results of earlier runs are used and kept. */
  useCache: boolean;
  now: Date;
}

/** What the checks find in a tree, and the suppressions in it. Throws `CliError` (usage) for a malformed file of suppressions. */
export async function checkTree(tree: FileTree, options: CheckOptions, cache: ResultCache | undefined) {
  const { checks, parameters } = options;
  const fileSuppressions = readSuppressionFile(tree.root);
  const dependencyCheck = checks.includes('dependencies')
    ? await withRunnerDeps(loadConfig(), (runnerDeps) => checkDependencies(tree, options, runnerDeps))
    : null;
  const codeChecks = checks.filter((check) => check !== 'dependencies');
  const codeFiles = tree.files.filter((file) => documentFormat(file) === null);
  const codeCheck =
    codeChecks.length === 0
      ? null
      : await checkCode(codeFiles, { checks: codeChecks, parameters, ...(cache !== undefined && { cache }) });
  const inDocuments = dependencyCheck === null ? null : findDocumentSuppressions(tree.files);
  return {
    dependencyCheck,
    codeCheck,
    inDocuments,
    found: [
      ...(dependencyCheck?.report.findings.map((finding) => ({ ...toDependencyProblem(finding), finding })) ?? []),
      ...(codeCheck?.report.findings.map((finding) => ({ ...toCodeProblem(finding), finding })) ?? []),
    ],
    suppressions: [...fileSuppressions, ...(codeCheck?.suppressions ?? []), ...(inDocuments?.suppressions ?? [])],
  };
}

/** Suppressions in comments of lockfiles and SBOMs; JSON has no comments. */
function findDocumentSuppressions(files: readonly FoundFile[]): ReturnType<typeof findInlineSuppressions> {
  const texts = files.flatMap((file) => {
    const format = documentFormat(file);
    if (format === null || format === IMAGE || file.path.endsWith('.json')) return [];
    const content = readTextFile(file, MAX_COMMENTED_BYTES);
    return content.kind === 'text' ? [findInlineSuppressions(file.path, content.text)] : [];
  });
  return { suppressions: texts.flatMap((one) => one.suppressions), faults: texts.flatMap((one) => one.faults) };
}
