import { languageNamed } from '../../analysis/injection/languages.ts';
import { checkInjection } from '../../threads/injection-task.ts';
import { runTask } from '../../threads/run-task.ts';
import { type CheckName, compareProblems, type Problem, type UnreadItem } from './problem.ts';
import { readTextFile } from './text-file.ts';
import type { FoundFile } from './list-files.ts';

/** What the checks of code have in common. */
interface CodeFinding {
  type: string;
  severity: 'critical' | 'high' | 'medium' | 'low';
  line: number;
  match: string;
  description: string;
  remediation: string;
}

export interface CodeReport {
  /** Files that were read. */
  files: number;
  /** Files that are no text. */
  binary: number;
  /** The worst first, then by place. */
  findings: (CodeFinding & { check: CheckName; file: string })[];
  /** Findings beyond those that are listed for one file, by severity. */
  unlisted: Record<CodeFinding['severity'], number>;
}

export interface CodeOptions {
  checks: readonly CheckName[];
  /** Whether flows from parameters of functions count. */
  parameters: boolean;
}

interface CodeCheckResult {
  findings: readonly CodeFinding[];
  total: number;
  by_severity: Record<CodeFinding['severity'], number>;
  gaps: readonly string[];
}

/** Looks into every text file for what the given checks find; `unread` hears of what was not read. */
export async function checkCode(
  files: readonly FoundFile[],
  options: CodeOptions,
  unread: (what: UnreadItem) => void,
): Promise<CodeReport> {
  const report: CodeReport = {
    files: 0,
    binary: 0,
    findings: [],
    unlisted: { critical: 0, high: 0, medium: 0, low: 0 },
  };
  for (const file of files) {
    const read = readTextFile(file);
    if (read.text === null) {
      if (read.reason === null) report.binary++;
      else unread({ file: file.path, reason: read.reason });
      continue;
    }
    report.files++;
    for (const check of options.checks) await checkFile(file.path, read.text, check, options, report, unread);
  }
  report.findings.sort(compareProblems);
  return report;
}

async function checkFile(
  file: string,
  code: string,
  check: CheckName,
  options: CodeOptions,
  report: CodeReport,
  unread: (what: UnreadItem) => void,
): Promise<void> {
  let found: CodeCheckResult | null;
  try {
    found = await runCodeCheck(check, code, file, options);
  } catch {
    unread({ file, reason: `the check for ${check} took too much time or memory` });
    return;
  }
  if (found === null) return;
  const { findings, total, by_severity, gaps } = found;
  for (const finding of findings) report.findings.push({ check, file, ...finding });
  for (const gap of gaps) unread({ file, reason: gap });
  if (total === findings.length) return;
  for (const severity of Object.keys(report.unlisted) as CodeFinding['severity'][]) {
    const listed = findings.filter((one) => one.severity === severity).length;
    report.unlisted[severity] += by_severity[severity] - listed;
  }
  unread({ file, reason: `${total} findings of ${check}: the worst ${findings.length} are listed` });
}

/** Languages go by the endings of file names. Injections are looked for where there is a grammar: null elsewhere. */
async function runCodeCheck(
  check: CheckName,
  code: string,
  file: string,
  { parameters }: CodeOptions,
): Promise<CodeCheckResult | null> {
  const language = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (check === 'secrets') {
    return { gaps: [], ...(await runTask('secrets', { code, language }, { inputBytes: code.length })) };
  }
  return languageNamed(language) === null ? null : checkInjection({ code, language, parameters });
}

/** A finding as a report has it. */
export function codeProblem({
  check,
  file,
  type,
  severity,
  line,
  match,
  description,
  remediation,
}: CodeReport['findings'][number]): Problem {
  return {
    check,
    rule: type,
    title: description,
    severity,
    file,
    line,
    message: description,
    remediation,
    score: null,
    fingerprint: `${type}:${file}:${match}`,
  };
}
