import { formatCount } from '../../../../engine/summary.ts';
import { counts, type Problem, type ProblemSeverity } from './problem.ts';

const COMMANDS: Readonly<Record<ProblemSeverity, 'error' | 'warning' | 'notice'>> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'notice',
  UNKNOWN: 'warning',
};
/** GitHub shows this many annotations of each kind for a step, and drops the rest. */
const MAX_ANNOTATIONS = 10;

/** Findings that count as workflow commands of GitHub Actions (annotations), the worst of each kind; a last line says how many are left out. */
export function githubAnnotations(problems: readonly Problem[]): string {
  const byCommand = [...Map.groupBy(problems.filter(counts), ({ severity }) => COMMANDS[severity])];
  const shown = byCommand.flatMap(([command, of]) =>
    of.slice(0, MAX_ANNOTATIONS).map((problem) => annotation(command, problem)),
  );
  const left = byCommand.reduce((sum, [, of]) => sum + Math.max(0, of.length - MAX_ANNOTATIONS), 0);
  return [
    ...shown,
    ...(left === 0
      ? []
      : [`${formatCount(left, 'finding')} more, without an annotation: GitHub shows ${MAX_ANNOTATIONS} of each kind.`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function annotation(command: string, { rule, severity, file, line, column, message, remediation }: Problem): string {
  const properties = {
    file,
    ...(line !== null && { line: String(line) }),
    ...(line !== null && column !== null && { col: String(column) }),
    title: `${severity} ${rule}`,
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${command} ${list.join(',')}::${escapeMessage(`${message} ${remediation}`)}`;
}

/** Escapes of workflow commands, without which a text could be a command of its own. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
