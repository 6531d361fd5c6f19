import { displayLine } from '../../analysis/display-text.ts';
import { CliError } from '../../exit-codes.ts';
import { sortWithUniqueFingerprints } from '../../operations/code/lib/report/problem.ts';
import {
  type LocatedCodeFinding,
  type LocatedDependencyFinding,
  toCodeProblem,
  toDependencyProblem,
} from '../../operations/code/lib/report/to-problem.ts';
import { type CheckOptions, checkTree } from './check-tree.ts';
import { createExclusionCheck } from './exclusion-check.ts';
import { withRevisionFiles } from './git-revision.ts';
import { type FileTree, listFiles } from './list-files.ts';
import type { ResultCache } from './result-cache.ts';
import { applySuppressions } from './suppressions.ts';

/**
 * Fingerprints of what the same checks find in the files of a git revision, with the paths that these files have now. Findings that its suppressions
 * name are not among them, as in a report.
 */
export async function checkRevision(
  revision: string,
  tree: FileTree,
  options: CheckOptions,
  cache: ResultCache | undefined,
): Promise<{ fingerprints: ReadonlySet<string>; notes: string[] }> {
  return withRevisionFiles(tree.root, revision, async ({ folder, commit, renames, notes }) => {
    const pathNow = (path: string): string => renames.get(path) ?? path;
    const given = new Set(tree.given);
    const all = listFiles([folder], folder, (root) => createExclusionCheck(root, options.exclude));
    const files = all.files
      .filter(({ path }) => tree.isWhole || tree.given.some((one) => `${pathNow(path)}/`.startsWith(`${one}/`)))
      .map((file) => ({ ...file, isGiven: given.has(pathNow(file.path)) }));
    const { found, suppressions } = await checkTree({ ...all, files }, options, cache).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      throw new CliError(error.exit, `in ${displayLine(revision, 200)}: ${error.message}`);
    });
    const { problems } = applySuppressions(found, suppressions, {
      today: options.now.toISOString().slice(0, 10),
      checks: options.checks,
      isWholeTree: false,
    });
    const moved = problems.map((problem) => ({
      ...problem,
      fingerprint: fingerprintIn(pathNow(problem.file), problem.finding),
    }));
    const known = sortWithUniqueFingerprints(moved).filter(({ suppression }) => suppression === null);
    return {
      fingerprints: new Set(known.map(({ fingerprint }) => fingerprint)),
      notes: [`findings that commit ${commit.slice(0, 12)} (${displayLine(revision, 200)}) has do not count`, ...notes],
    };
  });
}

/** The fingerprint of a finding if its file had this path. */
function fingerprintIn(file: string, finding: LocatedCodeFinding | LocatedDependencyFinding): string {
  const problem = 'check' in finding ? toCodeProblem({ ...finding, file }) : toDependencyProblem({ ...finding, file });
  return problem.fingerprint;
}
