import { debuglog } from 'node:util';
import type { CodeFinding } from '../../analysis/finding.ts';
import { isExampleText, textKindOf } from '../../analysis/secrets/text-kind.ts';
import { languageNamed } from '../../analysis/injection/languages.ts';
import { ApiError } from '../../errors.ts';
import { presentCodeFinding } from '../../operations/code/lib/code-check-fields.ts';
import { checkInjectionInThisThread } from '../../threads/check-injection-in-this-thread.ts';
import { runTask } from '../../threads/run-task.ts';
import { type CheckName, compareProblems, type UnreadItem } from '../../operations/code/lib/report/problem.ts';
import { type CodeCheckResult, type ResultCache, resultKey, textHash } from './result-cache.ts';
import type { HistoryFinding } from './check-history.ts';
import { findInlineSuppressions, type SuppressionRule } from './suppressions.ts';
import { readTextFile } from './text-file.ts';
import type { FoundFile } from './list-files.ts';

export interface CodeReport {
  /** Files that were read. */
  files: number;
  /** Files that are not text. */
  binary: number;
  /** Worst first, then by file and line. */
  findings: (ReturnType<typeof presentCodeFinding> & { check: CheckName; file: string } & Partial<
      Pick<HistoryFinding, 'commit' | 'author_date'>
    >)[];
  /** Number of findings over the limit of one file, by severity. */
  unlisted: Record<CodeFinding['severity'], number>;
}

export interface CodeOptions {
  checks: readonly CheckName[];
  /** Whether flows from parameters of functions are findings. */
  parameters: boolean;
  cache?: ResultCache;
}

/** Runs the given checks on every text file. `suppressions`: those in comments. `unread`: files and parts of files that could not be checked. */
export async function checkCode(
  files: readonly FoundFile[],
  options: CodeOptions,
): Promise<{ report: CodeReport; suppressions: SuppressionRule[]; unread: UnreadItem[] }> {
  const suppressions: SuppressionRule[] = [];
  const unread: UnreadItem[] = [];
  const report: CodeReport = {
    files: 0,
    binary: 0,
    findings: [],
    unlisted: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 },
  };
  for (const file of files) {
    const content = readTextFile(file);
    if (content.kind === 'binary') report.binary++;
    if (content.kind === 'unread') unread.push({ file: file.path, reason: content.reason });
    if (content.kind !== 'text') continue;
    report.files++;
    const inline = findInlineSuppressions(file.path, content.text);
    suppressions.push(...inline.suppressions);
    unread.push(...inline.faults);
    const hashOfText = options.cache === undefined ? '' : textHash(content.text);
    for (const check of options.checks) {
      const reasons = await runCodeCheck(check, { path: file.path, text: content.text, hashOfText }, options).then(
        (result) => (result === null ? [] : addResult(report, check, file.path, result)),
        (error: unknown) => [checkFailure(check, error)],
      );
      unread.push(...reasons.map((reason) => ({ file: file.path, reason })));
    }
  }
  report.findings.sort(compareProblems);
  return { report, suppressions, unread };
}

/** Adds what a check found in a file; returns what it could not check or list. */
function addResult(
  report: CodeReport,
  check: CheckName,
  file: string,
  { findings, total, by_severity, gaps }: CodeCheckResult,
): string[] {
  report.findings.push(...findings.map((finding) => ({ check, file, ...presentCodeFinding(finding) })));
  if (total === findings.length) return [...gaps];
  for (const severity of Object.keys(report.unlisted) as CodeFinding['severity'][]) {
    const listedCount = findings.filter((finding) => finding.severity === severity).length;
    report.unlisted[severity] += by_severity[severity] - listedCount;
  }
  return [...gaps, `${total} findings of ${check}: the worst ${findings.length} are listed`];
}

/** Why a check of a file failed. Only limits of time and memory are normal; anything else is a defect of this program. */
function checkFailure(check: CheckName, error: unknown): string {
  const isLimit =
    error instanceof ApiError
      ? error.code === 'not_ready'
      : error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isLimit) return `the check for ${check} took too much time or memory`;
  debuglog('sextant')('%o', error);
  const name = error instanceof Error ? error.name : typeof error;
  return `the check for ${check} failed with an internal error (${name}); NODE_DEBUG=sextant shows it`;
}

/** Secrets depend on the path as far as it tells the kind of text. */
function secretTextKey(path: string, language: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return `${language} ${name} ${textKindOf({ code: '', language, path })} ${isExampleText(path, 'code')}`;
}

/** The language is that of the file name's extension. Null if the check does not support the language. */
async function runCodeCheck(
  check: CheckName,
  { path, text: code, hashOfText }: { path: string; text: string; hashOfText: string },
  { parameters, cache }: CodeOptions,
): Promise<CodeCheckResult | null> {
  const language = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (check !== 'secrets' && languageNamed(language) === null) return null;
  const key = resultKey(
    [check, check === 'secrets' ? secretTextKey(path, language) : language, parameters],
    hashOfText,
  );
  const known = cache?.find(key) ?? null;
  if (known !== null) return known;
  const result =
    check === 'secrets'
      ? { gaps: [], ...(await runTask('secrets', { code, language, path }, { inputSize: code.length })) }
      : await checkInjectionInThisThread({ code, language, parameters });
  cache?.record(key, result);
  return result;
}
