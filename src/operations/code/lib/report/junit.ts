import { escapeXml, escapeXmlAttribute } from '../../../../analysis/escape-xml.ts';
import {
  counts,
  fileAndLine,
  isAtLeastAsSevere,
  type Problem,
  type ProblemSeverity,
  type UnreadItem,
} from './problem.ts';

export interface JunitInput {
  problems: readonly Problem[];
  unread: readonly UnreadItem[];
  /** Findings from here on are failures. */
  failOn: ProblemSeverity;
}

/**
 * The report as JUnit XML (the form that Jenkins, GitLab and Azure DevOps read): one suite for each check, one case for each finding. What does not
 * count or is below `failOn` is skipped; what was not read is an error.
 */
export function junitXml({ problems, unread, failOn }: JunitInput): string {
  const suites = [...Map.groupBy(problems, ({ check }) => check)].map(([check, of]) =>
    suite(
      check,
      of.map((problem) => problemCase(problem, failOn)),
    ),
  );
  if (unread.length > 0) suites.push(suite('not read', unread.map(unreadCase)));
  // Readers take a report without any case for a broken one.
  if (suites.length === 0) suites.push(suite('findings', [testcase('nothing was found', '', '')]));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sextant check">\n${suites.join('')}</testsuites>\n`;
}

function suite(name: string, cases: readonly string[]): string {
  const countOf = (tag: string): number => cases.filter((one) => one.includes(`<${tag} `)).length;
  const totals = `tests="${cases.length}" failures="${countOf('failure')}" errors="${countOf('error')}" skipped="${countOf('skipped')}"`;
  return `  <testsuite name="sextant ${escapeXmlAttribute(name)}" ${totals}>\n${cases.join('')}  </testsuite>\n`;
}

function problemCase(problem: Problem, failOn: ProblemSeverity): string {
  const { rule, severity, file, line, message, remediation } = problem;
  const place = fileAndLine(file, line);
  const name = `${rule} in ${place}`;
  const reason = skipReason(problem, failOn);
  if (reason !== null) return testcase(name, file, `<skipped message="${escapeXmlAttribute(reason)}"/>`);
  const body = escapeXml(`${place}\n${message}\n${remediation}`);
  return testcase(
    name,
    file,
    `<failure type="${escapeXmlAttribute(severity)}" message="${escapeXmlAttribute(message)}">${body}</failure>`,
  );
}

/** Why a finding does not make the command fail; null if it does. */
function skipReason(problem: Problem, failOn: ProblemSeverity): string | null {
  if (problem.suppression !== null) return `suppressed: ${problem.suppression.reason}`;
  if (!counts(problem)) return 'known before';
  return isAtLeastAsSevere(problem.severity, failOn)
    ? null
    : `${problem.severity}, less severe than ${failOn}: ${problem.message}`;
}

function unreadCase({ file, reason }: UnreadItem): string {
  return testcase(file, file, `<error type="not read" message="${escapeXmlAttribute(reason)}"/>`);
}

function testcase(name: string, className: string, body: string): string {
  return `    <testcase name="${escapeXmlAttribute(name)}" classname="${escapeXmlAttribute(className)}">${body}</testcase>\n`;
}
