import { VERSION } from '../../../../version.ts';
import {
  type Problem,
  type ProblemSeverity,
  PROBLEM_SEVERITIES,
  type Suppression,
  type UnreadItem,
} from './problem.ts';
import { codeRuleText, headerRuleText, type RuleText, vulnerabilityRuleText } from './rule-texts.ts';

/** SARIF has three levels. */
const SARIF_LEVELS: Readonly<Record<ProblemSeverity, 'error' | 'warning' | 'note'>> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'note',
  UNKNOWN: 'warning',
};
/** `security-severity` (GitHub code scanning, on the CVSS scale) of problems without a score. */
const DEFAULT_SCORES: Readonly<Record<ProblemSeverity, number>> = {
  CRITICAL: 9.5,
  HIGH: 8,
  MEDIUM: 5.5,
  LOW: 2,
  UNKNOWN: 5,
};

export interface SarifInput {
  problems: readonly Problem[];
  /** Limits of the result. */
  notes: readonly string[];
  unread: readonly UnreadItem[];
}

/** The report as a SARIF 2.1.0 log (OASIS), with one rule for each rule id, and the exit code of the command that made it; paths are relative to the folder that was checked. */
export function sarifLog({ problems, notes, unread }: SarifInput, exitCode?: number): object {
  const rules = [...Map.groupBy(problems, ({ rule }) => rule)];
  const ruleIndexes = new Map(rules.map(([rule], index) => [rule, index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        columnKind: 'utf16CodeUnits',
        tool: { driver: { name: 'sextant', version: VERSION, rules: rules.map(([id, of]) => sarifRule(id, of)) } },
        invocations: [
          {
            executionSuccessful: true,
            ...(exitCode !== undefined && { exitCode }),
            toolExecutionNotifications: [
              ...unread.map(unreadNotification),
              ...notes.map((text) => ({ level: 'note', message: { text } })),
            ],
          },
        ],
        results: problems.map((problem) => sarifResult(problem, ruleIndexes.get(problem.rule)!)),
      },
    ],
  };
}

function unreadNotification({ file, reason }: UnreadItem): object {
  return {
    level: 'warning',
    message: { text: `${file}: ${reason}` },
    locations: [{ physicalLocation: { artifactLocation: artifactLocationOf(file) } }],
  };
}

/** Level and score are those of the worst problem that the rule found. */
function sarifRule(id: string, problems: readonly Problem[]): object {
  const [{ check, title }] = problems as [Problem, ...Problem[]];
  const severity = PROBLEM_SEVERITIES.find((one) => problems.some((problem) => problem.severity === one))!;
  const scores = problems.map(({ score }) => score).filter((score) => score !== null);
  const score = scores.length > 0 ? Math.max(...scores) : DEFAULT_SCORES[severity];
  const text = ruleText(check, id, title);
  return {
    id,
    shortDescription: { text: text.title },
    help: { text: text.help, markdown: `${text.help}\n\n[About ${id}](${text.helpUri})` },
    helpUri: text.helpUri,
    defaultConfiguration: { level: SARIF_LEVELS[severity] },
    properties: { tags: ['security', check], 'security-severity': score.toFixed(1) },
  };
}

function ruleText(check: Problem['check'], id: string, title: string): RuleText {
  if (check === 'dependencies') return vulnerabilityRuleText(id, title);
  return check === 'headers' ? headerRuleText(id) : codeRuleText(id);
}

function sarifResult(problem: Problem, ruleIndex: number): object {
  const { rule, severity, file, line, column, message, remediation, fingerprint, suppression, known_before } = problem;
  // Viewers need a line.
  const region = { startLine: line ?? 1, ...(line !== null && column !== null && { startColumn: column }) };
  return {
    ruleId: rule,
    ruleIndex,
    level: SARIF_LEVELS[severity],
    message: { text: `${message} ${remediation}` },
    locations: [{ physicalLocation: { artifactLocation: artifactLocationOf(file), region } }],
    partialFingerprints: { 'sextant/v1': fingerprint },
    ...(known_before !== null && { baselineState: known_before ? 'unchanged' : 'new' }),
    ...(suppression !== null && { suppressions: [sarifSuppression(suppression)] }),
  };
}

function sarifSuppression({ kind, reason, until, source }: Suppression): object {
  return { kind, status: 'accepted', justification: reason, properties: { source, ...(until !== null && { until }) } };
}

function artifactLocationOf(file: string): object {
  // Windows has names with half a surrogate pair, which no URI can hold.
  return { uri: file.toWellFormed().split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}
