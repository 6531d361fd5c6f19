import { readFileSync } from 'node:fs';
import { languageNamed } from '../../analysis/injection/languages.ts';
import { checkInjection } from '../../threads/injection-task.ts';
import { offLoop } from '../../threads/off-loop.ts';
import type { Check, Problem } from './problem.ts';
import type { FoundFile } from './walk.ts';

/** As over REST: what is longer is no code that somebody wrote. */
const MAX_BYTES = 512 * 1024;
/** A file with a zero byte in its beginning is no text. */
const LOOKED_AT_BYTES = 8192;

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
  findings: (CodeFinding & { check: Check; file: string })[];
}

/** Looks into every text file for what the given checks find. */
export async function checkCode(files: readonly FoundFile[], checks: readonly Check[]): Promise<CodeReport> {
  const report: CodeReport = { files: 0, findings: [] };
  for (const file of files) {
    const code = file.bytes <= MAX_BYTES ? textOf(file) : null;
    if (code === null) continue;
    report.files++;
    const language = /\.(\w+)$/.exec(file.path)?.[1]?.toLowerCase() ?? '';
    for (const check of checks) {
      for (const finding of await run(check, code, language)) {
        report.findings.push({ check, file: file.path, ...finding });
      }
    }
  }
  return report;
}

/** Languages go by the endings of file names. Injections are looked for where there is a grammar. */
async function run(check: Check, code: string, language: string): Promise<readonly CodeFinding[]> {
  switch (check) {
    case 'secrets':
      return (await offLoop('secrets', { code, language }, { size: code.length })).findings;
    case 'injection':
      return languageNamed(language) === null ? [] : (await checkInjection({ code, language })).findings;
    default:
      return [];
  }
}

/** Null for what is no text. */
function textOf({ absolute }: FoundFile): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(absolute);
  } catch {
    return null;
  }
  return bytes.subarray(0, LOOKED_AT_BYTES).includes(0) ? null : bytes.toString();
}

/** A finding as a report has it. */
export function problemOf({
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
    fingerprint: `${type}:${file}:${match}`,
  };
}
