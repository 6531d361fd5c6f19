import { displayLine, summarizeList } from '../../analysis/display-text.ts';
import type { DependencyScope } from '../../analysis/packages/dependency-scope.ts';
import { countBySeverity } from '../../analysis/severity.ts';
import { cacheFolder } from '../../config.ts';
import { formatCount } from '../../engine/summary.ts';
import {
  type CheckName,
  counts,
  PROBLEM_SEVERITIES,
  fileAndLine,
  sortWithUniqueFingerprints,
  isAtLeastAsSevere,
  type Problem,
  type ProblemSeverity,
  type UnreadItem,
} from '../../operations/code/lib/report/problem.ts';
import { isReportFile, readBaseline } from './baseline.ts';
import type { CodeReport } from './check-code.ts';
import { checkHistory, type HistoryReport, secretIdentity } from './check-history.ts';
import { type DependencyReport, type ListedPackage, makesCheckIncomplete } from './check-dependencies.ts';
import { checkRevision } from './check-revision.ts';
import { type CheckOptions, checkTree } from './check-tree.ts';
import { createExclusionCheck } from './exclusion-check.ts';
import { type FileTree, listFiles } from './list-files.ts';
import { IMAGE } from './read-dependency-document.ts';
import { openResultCache } from './result-cache.ts';
import { applySuppressions } from './suppressions.ts';
import { readTextFile } from './text-file.ts';
import { toCodeProblem } from '../../operations/code/lib/report/to-problem.ts';
import type { UpgradeStep } from '../../operations/code/lib/upgrade-steps.ts';
import { type PlannedUpgrade, planSteps, planUpgrades } from './upgrade-plan.ts';

/** What the project says of a finding, and what an earlier report does. */
type Judgement = Pick<Problem, 'fingerprint' | 'suppression' | 'known_before'>;

interface JudgedDependencies extends Omit<DependencyReport, 'findings'> {
  findings: (DependencyReport['findings'][number] & Judgement)[];
}

interface JudgedCode extends Omit<CodeReport, 'findings'> {
  findings: (CodeReport['findings'][number] & Judgement)[];
}

/** What `sextant check` found, as its JSON document has it. */
export interface CheckReport {
  path: string;
  checks: readonly CheckName[];
  fail_on: ProblemSeverity;
  /** True when a finding that counts is at or above `fail_on`. */
  failed: boolean;
  /** True if everything was read and checked. */
  complete: boolean;
  /** Findings that count; `by_severity` likewise. */
  total: number;
  by_severity: Record<ProblemSeverity, number>;
  /** Findings that do not count, because the project says so. */
  suppressed: number;
  /** Findings that do not count, because the report of `--new-since` has them; null without it. */
  known_before: number | null;
  /** The fewest changes that fix most of the findings that count. */
  upgrades: PlannedUpgrade[];
  /** The same as things to do: one for all that a package of the project brings. */
  plan: UpgradeStep[];
  /** Null if not among `checks`. */
  dependencies: JudgedDependencies | null;
  code: JudgedCode | null;
  /** What could not be read. */
  unread: UnreadItem[];
  /** Number of files and folders that were left out on purpose, by reason. */
  excluded: Record<string, number>;
  /** Other limits of the result. */
  notes: string[];
}

/** The report with what only some formats need. */
export interface CheckResult extends CheckReport {
  /** All findings in one form, worst first. */
  problems: Problem[];
  /** All packages, with findings or without. */
  inventory: ListedPackage[];
}

const MAX_PACKAGES_NAMED = 10;
const MAX_LABEL_LENGTH = 200;

/** Checks folders and files with the catalog of this installation. Throws `CliError` (usage) for what is wrong with paths, suppressions and baseline. */
export async function checkPaths(paths: readonly string[], options: CheckOptions): Promise<CheckResult> {
  const { checks, failOn, exclude, newSince, now } = options;
  const report = newSince !== null && isReportFile(newSince) ? readBaseline(newSince) : null;
  const tree = listFiles(paths, process.cwd(), (folder) => createExclusionCheck(folder, exclude));
  const cache = options.useCache && tree.isWhole ? openResultCache(cacheFolder(), tree.root) : undefined;
  const revision = newSince === null || report !== null ? null : await checkRevision(newSince, tree, options, cache);
  const baseline = report ?? revision?.fingerprints ?? null;
  const checked = await checkTree(tree, options, cache);
  cache?.save();
  const { dependencyCheck, codeCheck, inDocuments } = checked;
  const history = options.history ? await checkTreeHistory(tree, options, codeCheck?.report.findings ?? []) : null;
  codeCheck?.report.findings.push(...(history?.findings ?? []));
  const inHistory = (history?.findings ?? []).map((finding) => ({ ...toCodeProblem(finding), finding }));
  const found = sortWithUniqueFingerprints([...checked.found, ...inHistory]);
  const known = found.map((problem) => ({ ...problem, known_before: baseline?.has(problem.fingerprint) ?? null }));
  const today = now.toISOString().slice(0, 10);
  const judged = applySuppressions(known, checked.suppressions, { today, checks, isWholeTree: tree.isWhole });
  const byFinding = new Map(judged.problems.map((problem) => [problem.finding, problem]));
  const withJudgement = <Finding extends object>(finding: Finding): Finding & Judgement => {
    const { fingerprint, suppression, known_before } = byFinding.get(finding as never)!;
    return { ...finding, fingerprint, suppression, known_before };
  };
  const dependencies = dependencyCheck === null ? null : judgeFindings(dependencyCheck.report, withJudgement);
  const code = codeCheck === null ? null : judgeFindings(codeCheck.report, withJudgement);
  const unread = [
    ...tree.unread,
    ...(dependencyCheck?.unread ?? []),
    ...(inDocuments?.faults ?? []),
    ...(codeCheck?.unread ?? []),
    ...(history?.unread ?? []),
  ];
  const upgrades =
    dependencies === null ? [] : planUpgrades(dependencies.findings.filter(counts), dependencies.documents);
  const problems = judged.problems.map(({ finding: _finding, ...problem }) => problem);
  const counting = problems.filter(counts);
  const bySeverity = countBySeverity(PROBLEM_SEVERITIES, counting);
  for (const [severity, count] of Object.entries(code?.unlisted ?? {}))
    bySeverity[severity as ProblemSeverity] += count;
  return {
    path: paths.join(' '),
    checks,
    fail_on: failOn,
    failed: counting.some(({ severity }) => isAtLeastAsSevere(severity, failOn)),
    complete: unread.length === 0 && dependencies?.unchecked.some(makesCheckIncomplete) !== true,
    total: Object.values(bySeverity).reduce((sum, count) => sum + count, 0),
    by_severity: bySeverity,
    suppressed: problems.filter(({ suppression }) => suppression !== null).length,
    known_before:
      baseline === null ? null : problems.filter((one) => one.suppression === null && one.known_before).length,
    upgrades,
    plan: planSteps(upgrades, (dependencies?.findings ?? []).filter(counts), dependencyCheck?.inventory ?? []),
    dependencies,
    code,
    unread,
    excluded: tree.excluded,
    notes: [
      ...(dependencies === null ? [] : notesOf(dependencies, options.omit)),
      ...(revision?.notes ?? []),
      ...(history?.notes ?? []),
      ...judged.notes,
    ],
    problems,
    inventory: dependencyCheck?.inventory ?? [],
  };
}

/** Secrets of the history that are not among those of the tree. */
async function checkTreeHistory(
  tree: FileTree,
  { exclude, useCache }: CheckOptions,
  found: CodeReport['findings'],
): Promise<HistoryReport> {
  const cache = useCache ? openResultCache(cacheFolder(), `${tree.root}\0history`) : undefined;
  const files = new Map(tree.files.map((file) => [file.path, file]));
  const present = new Set<string>();
  for (const finding of found.filter(({ check }) => check === 'secrets')) {
    const content = readTextFile(files.get(finding.file)!);
    if (content.kind === 'text') present.add(secretIdentity(content.text, { ...finding, rule: finding.type }));
  }
  const exclusion = createExclusionCheck(tree.root, exclude);
  const report = await checkHistory(tree.root, { exclusion, cache, present });
  cache?.save();
  return report;
}

function judgeFindings<Finding extends object, Report extends { findings: Finding[] }>(
  report: Report & { findings: Finding[] },
  withJudgement: (finding: Finding) => Finding & Judgement,
): Omit<Report, 'findings'> & { findings: (Finding & Judgement)[] } {
  return { ...report, findings: report.findings.map(withJudgement) };
}

function notesOf(
  { documents, unchecked, possible, undecided, omitted, verdict }: Omit<DependencyReport, 'findings'>,
  omit: ReadonlySet<DependencyScope>,
): string[] {
  const examples = unchecked.slice(0, MAX_PACKAGES_NAMED).map(({ package: name, version, file, line, reason }) => {
    const label = displayLine([name, version].filter((part) => part !== '').join(' '), MAX_LABEL_LENGTH);
    return `${label} in ${fileAndLine(file, line)} (${reason})`;
  });
  const more = unchecked.length - examples.length;
  return [
    ...(documents.length === 0 ? ['no lockfile or SBOM was found'] : []),
    ...(documents.some(({ format }) => format === IMAGE)
      ? ['of an image the packages of its distribution are checked, not those of languages in it']
      : []),
    ...(omitted === 0 ? [] : [`${formatCount(omitted, 'package')} left out (--omit ${[...omit].join()})`]),
    ...(possible.length === 0
      ? []
      : [
          `${formatCount(possible.length, 'CVE')} may affect a package, by CPE names alone: ${summarizeList(
            possible.map(({ cve_id, package: name, version }) => `${cve_id} in ${name} ${version}`),
            3,
          )}: see --json`,
        ]),
    ...(undecided.length === 0
      ? []
      : [`${formatCount(undecided.length, 'CVE')} could not be decided (${undecided[0]!.reason}): see --json`]),
    ...(unchecked.length === 0
      ? []
      : [
          `${formatCount(unchecked.length, 'package')} could not be checked: ${examples.join('; ')}${more > 0 ? `; and ${more} more, see --json` : ''}`,
        ]),
    // Gaps that refer to a list of this report are shown with that list.
    ...verdict.gaps.filter((gap) => !/ see (?:un(?:read|checked|decided)|possible)$/.test(gap)),
  ];
}
