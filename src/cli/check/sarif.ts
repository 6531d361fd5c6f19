import { VERSION } from '../../version.ts';
import type { Problem, ProblemSeverity } from './problem.ts';

/** How result viewers group what we call severity. */
const LEVELS: Readonly<Record<ProblemSeverity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  unknown: 'warning',
};
/** `security-severity` as GitHub's code scanning reads it: a number on the CVSS scale. */
const SCORES: Readonly<Record<ProblemSeverity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  unknown: '5.0',
};

/** The problems as a SARIF 2.1.0 log (OASIS), with one rule for each id; places are relative to the folder that was checked. */
export function sarifLog(problems: readonly Problem[], notes: readonly string[]): object {
  const rules = [...new Map(problems.map((problem) => [problem.rule, problem])).values()];
  const places = new Map(rules.map(({ rule }, index) => [rule, index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'sextant',
            version: VERSION,
            rules: rules.map(ruleOf),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: notes.map((text) => ({ level: 'note', message: { text } })),
          },
        ],
        results: problems.map((problem) => resultOf(problem, places.get(problem.rule)!)),
      },
    ],
  };
}

function ruleOf({ check, rule, title, severity, remediation }: Problem): object {
  return {
    id: rule,
    shortDescription: { text: title },
    help: { text: remediation },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['security', check], 'security-severity': SCORES[severity] },
  };
}

function resultOf(
  { rule, severity, file, line, message, remediation, fingerprint }: Problem,
  ruleIndex: number,
): object {
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: `${message} ${remediation}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
          // Viewers want a line: where none is known, the first.
          region: { startLine: line ?? 1 },
        },
      },
    ],
    partialFingerprints: { 'sextant/v1': fingerprint },
  };
}
