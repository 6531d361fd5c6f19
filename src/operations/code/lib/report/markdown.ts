import { toOneLine } from '../../../../analysis/display-text.ts';
import { formatCount } from '../../../../engine/summary.ts';
import type { PossibleFlaw } from '../possible-flaw.ts';
import type { Upgrade } from '../recommend-upgrades.ts';
import type { UpgradeStep } from '../upgrade-steps.ts';
import { BRINGS_NOTE, describeFixes, describeStep } from '../upgrade-texts.ts';
import { counts, fileAndLine, type Problem } from './problem.ts';

const MAX_ROWS = 50;
/** So that what comes before the table is read: some 40 lines in all. */
const MAX_STEPS = 12;
const MAX_POSSIBLE = 10;
const MAX_NOTES = 6;

export interface MarkdownInput {
  problems: readonly Problem[];
  upgrades: readonly Upgrade[];
  /** The upgrades as things to do. */
  plan: readonly UpgradeStep[];
  possible: readonly PossibleFlaw[];
  /** Sentences on what was found. */
  totals: readonly string[];
  /** Of which day and of what the data is: words such as `in the advisories of 2026-11-14 for npm`. */
  data: readonly string[];
  /** What was not checked, and other limits. */
  notes: readonly string[];
}

/** The report as Markdown, to send to a person: totals with the day of the data, what to do, what is possible, then findings that count, worst first. */
export function markdownSummary(input: MarkdownInput): string {
  const { problems, upgrades, plan, possible, totals, data } = input;
  const notes = input.notes.filter((note) => possible.length === 0 || !note.includes(', by CPE names alone: '));
  const counting = problems.filter(counts);
  const rows = counting.slice(0, MAX_ROWS).map(({ severity, rule, file, line, message, remediation }) => {
    const cells = [severity, rule, fileAndLine(file, line), message, remediation];
    return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  });
  const left = counting.length - rows.length;
  return [
    '## Sextant check',
    '',
    ...totals.map((sentence) => `${escapeMarkdown(sentence)}  `),
    ...data
      .filter((text) => !totals.some((sentence) => sentence.includes(text)))
      .map((text) => `Checked ${escapeMarkdown(text)}.  `),
    ...section(
      plan.some(({ how }) => how === 'remove') ? 'Removals and upgrades' : 'Upgrades',
      stepLines(plan, upgrades),
      MAX_STEPS,
    ),
    ...section('Possible, by CPE names alone', possible.map(possibleLine), MAX_POSSIBLE),
    ...section(
      'Limits',
      notes.map((note) => `- ${escapeMarkdown(note)}`),
      MAX_NOTES,
    ),
    ...(rows.length === 0
      ? []
      : ['', '### Findings', '', '| severity | id | place | what | mend |', '|---|---|---|---|---|', ...rows]),
    ...(left > 0 ? ['', `${formatCount(left, 'finding')} more: see the log or the SARIF file.`] : []),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[], limit: number): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - limit;
  return ['', `### ${title}`, '', ...lines.slice(0, limit), ...(left > 0 ? [`- and ${left} more`] : [])];
}

/** One package by itself is shown as it always was; several that come together are one line. */
function stepLines(plan: readonly UpgradeStep[], upgrades: readonly Upgrade[]): string[] {
  return plan.map((step) => {
    const [only, ...others] = step.packages;
    const upgrade = upgrades.find((one) => one.package === only?.package && one.version === only.version);
    if (others.length === 0 && step.how !== 'released_together' && upgrade !== undefined) {
      const brings = step.how === 'brings_it' ? `; brought by ${escapeMarkdown(step.package)}` : '';
      return `- ${escapeMarkdown(upgrade.package)} ${escapeMarkdown(upgrade.version)} to **${escapeMarkdown(upgrade.to)}**: ${describeFixes(upgrade)}${brings}`;
    }
    const note = step.how === 'brings_it' ? `. ${BRINGS_NOTE}` : '';
    return `- ${escapeMarkdown(describeStep(step) + note)}`;
  });
}

function possibleLine({ package: name, version, cve_id, status, reason }: PossibleFlaw): string {
  return `- ${escapeMarkdown(`${cve_id} in ${name} ${version}: ${status === 'affected' ? '' : 'cannot be told: '}${reason}`)}`;
}

/** One line in which nothing is Markdown or HTML. */
function escapeMarkdown(value: string): string {
  return (
    toOneLine(value)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replace(/[\\`*_{}[\]()#!|~@>]|^[-+]/g, (character) => `\\${character}`)
      // GitHub makes links of bare addresses.
      .replace(/:(?=\/\/)|(?<=\bwww)\./gi, (character) => `\\${character}`)
  );
}
