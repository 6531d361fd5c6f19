import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { CliError } from '../../exit-codes.ts';
import { githubAnnotations } from '../../operations/code/lib/report/github.ts';
import { type MarkdownInput, markdownSummary } from '../../operations/code/lib/report/markdown.ts';
import { gitlabCodeQuality, gitlabDependencyScanning, gitlabSast } from '../../operations/code/lib/report/gitlab.ts';
import { junitXml } from '../../operations/code/lib/report/junit.ts';
import { sarifLog } from '../../operations/code/lib/report/sarif.ts';
import { cycloneDxVex, openVexDocument } from '../../operations/code/lib/report/vex.ts';
import { describeSystemError } from '../../system-error.ts';
import { toPrintableJson } from '../output.ts';
import type { CheckResult } from './check-paths.ts';
import type { CheckFormat } from './format-names.ts';
import { reportLines, totalsText } from './report-view.ts';

interface FormatContext {
  status: number;
  start: Date;
  end: Date;
  /** Terminal columns, for the table. */
  width: number;
}

type DocumentFormat = Exclude<CheckFormat, 'table' | 'junit' | 'github' | 'markdown'>;

/** Formats that are JSON. */
const DOCUMENTS: Readonly<Record<DocumentFormat, (result: CheckResult, context: FormatContext) => unknown>> = {
  json: ({ problems: _problems, inventory: _inventory, ...document }) => document,
  sarif: (result, { status }) => sarifLog(result, status),
  cyclonedx: ({ dependencies, inventory }, { end }) =>
    cycloneDxVex(dependencies!, { id: documentId(), now: end }, inventory),
  openvex: ({ dependencies }, { end }) => openVexDocument(dependencies!, { id: documentId(), now: end }),
  'gitlab-code-quality': ({ problems }) => gitlabCodeQuality(problems),
  'gitlab-dependency-scanning': (result, times) => gitlabDependencyScanning(gitlabInput(result, times)),
  'gitlab-sast': (result, times) => gitlabSast(gitlabInput(result, times)),
};

/** The report in a format, with a line break at its end. */
export function formatReport(format: CheckFormat, result: CheckResult, context: FormatContext): string {
  if (format === 'table') return `${reportLines(result, context.width).join('\n')}\n`;
  if (format === 'junit') return junitXml({ problems: result.problems, unread: result.unread, failOn: result.fail_on });
  if (format === 'github') return `${githubAnnotations(result.problems)}${totalsText(result)}\n`;
  if (format === 'markdown') return markdownSummary(markdownInput(result));
  return `${toPrintableJson(DOCUMENTS[format](result, context))}\n`;
}

/** Throws `CliError` if the file cannot be written. */
export function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new CliError('failed', `--output ${path}: ${describeSystemError(error)}`);
  }
}

function markdownInput(result: CheckResult): MarkdownInput {
  const { dependencies, notes } = result;
  const hasPackages = dependencies !== null && dependencies.packages > 0;
  return {
    ...result,
    possible: dependencies?.possible ?? [],
    totals: [totalsText(result)],
    data: hasPackages ? [dependencies.data.text] : [],
    notes,
  };
}

function documentId(): string {
  return `urn:uuid:${randomUUID()}`;
}

function gitlabInput({ problems, unread, dependencies, inventory }: CheckResult, { start, end }: FormatContext) {
  const documents = (dependencies?.documents ?? []).map(({ file, format }) => ({
    file,
    format,
    packages: inventory.filter(({ files }) => files.includes(file)),
  }));
  return { problems, unread, documents, start, end };
}
