import { styleText } from 'node:util';
import { toOneLine } from '../../analysis/display-text.ts';
import { capitalize, formatPercent, formatCount } from '../../engine/summary.ts';
import { type Column, renderTable } from '../table.ts';
import { wrapText } from '../terminal-text.ts';
import type { CheckReport } from './check-paths.ts';
import {
  counts,
  type ProblemSeverity,
  PROBLEM_SEVERITIES,
  type UnreadItem,
  fileAndLine,
} from '../../operations/code/lib/report/problem.ts';
import type { UpgradeStep } from '../../operations/code/lib/upgrade-steps.ts';
import { BRINGS_NOTE, describeFixes, describeStep } from '../../operations/code/lib/upgrade-texts.ts';
import { describeUnnamed } from '../../operations/code/lib/unnamed-packages.ts';
import type { PlannedUpgrade } from './upgrade-plan.ts';

const SEVERITY_COLOURS: Readonly<Record<ProblemSeverity, 'red' | 'yellow' | 'dim'>> = {
  CRITICAL: 'red',
  HIGH: 'red',
  MEDIUM: 'yellow',
  LOW: 'dim',
  UNKNOWN: 'yellow',
};
const styleSeverity = (cell: string): string =>
  styleText(SEVERITY_COLOURS[cell.trim() as ProblemSeverity] ?? 'dim', cell);

const DEPENDENCY_COLUMNS: readonly Column[] = [
  { title: 'severity', style: styleSeverity },
  { title: 'package' },
  { title: 'version' },
  { title: 'fixed in' },
  { title: 'id' },
  { title: 'CVSS', align: 'right' },
  { title: 'EPSS', align: 'right' },
  { title: 'exploited' },
  { title: 'scope' },
  { title: 'file' },
  { title: 'brought by' },
  { title: 'title' },
];
const CODE_COLUMNS: readonly Column[] = [
  { title: 'severity', style: styleSeverity },
  { title: 'place' },
  { title: 'found' },
  { title: 'what', wrap: true },
];

/** The report for people, `width` terminal columns wide: what to upgrade, findings that count, what was not read, totals. */
export function reportLines(report: CheckReport, width: number): string[] {
  const { dependencies, code, notes, unread, excluded } = report;
  const dependencyRows = (dependencies?.findings ?? [])
    .filter(counts)
    .map((finding) => [
      finding.severity ?? 'UNKNOWN',
      finding.package,
      finding.version,
      finding.fixed_in ?? 'none known',
      finding.cve_id ?? finding.evidence[0] ?? '',
      finding.cvss_v3?.toFixed(1) ?? '',
      finding.epss_score === null ? '' : formatPercent(finding.epss_score),
      finding.in_kev === true ? 'yes' : '',
      finding.scope ?? '',
      locationText(finding),
      broughtByText(finding.brought_by),
      finding.title ?? '',
    ]);
  const codeRows = (code?.findings ?? [])
    .filter(counts)
    .map((finding) => [finding.severity, locationText(finding), finding.match, finding.description]);
  const blocks = [
    upgradeLines(report, width),
    dependencyRows.length === 0 ? [] : renderTable(DEPENDENCY_COLUMNS, dependencyRows, width),
    codeRows.length === 0 ? [] : renderTable(CODE_COLUMNS, codeRows, width),
    unreadLines(unread, width),
    Object.keys(excluded).length === 0 ? [] : wrapText(`left out: ${excludedText(excluded)}`, width),
    notes.flatMap((note) => wrapText(`! ${note}`, width).map((line) => styleText('dim', line))),
    wrapText(totalsText(report), width).map((line) => styleText('bold', line)),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

/** The shortest path; empty where it is not known. */
function broughtByText(paths: readonly string[] | null): string {
  if (paths === null) return '';
  const [first] = paths;
  return first === undefined ? 'the project' : toOneLine(first);
}

const MAX_ROWS_SHOWN = 20;
const MAX_PLACES_SHOWN = 3;

/** `1 removal and 2 upgrades fix 5 of 6 findings in packages`, then each with the commands to type. */
function upgradeLines({ plan, upgrades, dependencies }: CheckReport, width: number): string[] {
  if (plan.length === 0) return [];
  const total = dependencies!.findings.filter(counts).length;
  const ended = plan.reduce((sum, { fixes }) => sum + fixes, 0);
  const removals = plan.filter(({ how }) => how === 'remove').length;
  const steps = [
    ...(removals === 0 ? [] : [formatCount(removals, 'removal')]),
    ...(plan.length === removals ? [] : [formatCount(plan.length - removals, 'upgrade')]),
  ].join(' and ');
  const verb = plan.length === 1 ? 'fixes' : 'fix';
  const head = `${steps} ${verb} ${ended} of ${formatCount(total, 'finding')} in packages:`;
  const more = plan.length - MAX_ROWS_SHOWN;
  return [
    ...wrapText(head, width).map((line) => styleText('bold', line)),
    ...plan.slice(0, MAX_ROWS_SHOWN).flatMap((step) => stepLines(step, upgrades, width)),
    ...(more > 0 ? [`${more} more, see --json`] : []),
  ];
}

/** One package by itself with its commands; several that come together in one line, and the documents that list them. */
function stepLines(step: UpgradeStep, upgrades: readonly PlannedUpgrade[], width: number): string[] {
  const own = upgrades.filter((upgrade) =>
    step.packages.some((one) => one.package === upgrade.package && one.version === upgrade.version),
  );
  if (step.how === 'remove') return wrapText(toOneLine(describeStep(step)), width);
  const [only, ...others] = own;
  if (only !== undefined && others.length === 0 && step.how !== 'released_together') {
    return [
      ...wrapText(`upgrade ${toOneLine(upgradeText(only))}`, width),
      ...only.places.slice(0, MAX_PLACES_SHOWN).map((place) => `    ${toOneLine(placeText(place))}`),
    ];
  }
  const files = [...new Set(own.flatMap(({ places }) => places.map(({ file }) => file)))];
  const note = step.how === 'brings_it' ? `: ${BRINGS_NOTE[0]!.toLowerCase()}${BRINGS_NOTE.slice(1)}` : '';
  const text = describeStep(step);
  return [
    ...wrapText(toOneLine(`${text[0]!.toLowerCase()}${text.slice(1)}`), width),
    ...wrapText(toOneLine(`in ${files.slice(0, MAX_PLACES_SHOWN).join(', ')}${note}`), width - 4).map(
      (line) => `    ${line}`,
    ),
  ];
}

function upgradeText(upgrade: PlannedUpgrade): string {
  return `${upgrade.package} ${upgrade.version} to ${upgrade.to}: ${describeFixes(upgrade)}`;
}

/** The command, or else what brings the package and where. It is not wrapped, so that it can be copied. */
function placeText({ file, brought_by, command }: PlannedUpgrade['places'][number]): string {
  const cut = file.lastIndexOf('/');
  if (command !== null) return cut === -1 ? command : `${command}   (in ${file.slice(0, cut)})`;
  if (brought_by === null || brought_by.length === 0) return `in ${file}`;
  const names = brought_by.slice(0, MAX_PLACES_SHOWN).join(', ');
  return `in ${file}, brought by ${names}: upgrade what brings it, or override its version`;
}

function unreadLines(unread: readonly UnreadItem[], width: number): string[] {
  const lines = unread.slice(0, MAX_ROWS_SHOWN).map(({ file, reason }) => `! not read: ${toOneLine(file)}: ${reason}`);
  if (unread.length > MAX_ROWS_SHOWN) lines.push(`! not read: ${unread.length - MAX_ROWS_SHOWN} more, see --json`);
  return lines.flatMap((line) => wrapText(line, width)).map((line) => styleText('yellow', line));
}

function excludedText(excluded: Readonly<Record<string, number>>): string {
  return Object.entries(excluded)
    .map(([reason, count]) => `${toOneLine(reason)} (${count})`)
    .join(', ');
}

function locationText({ file, line }: { file: string; line: number | null }): string {
  return toOneLine(fileAndLine(file, line));
}

/** How many findings count and how many do not, in what was checked. */
export function totalsText({
  dependencies,
  code,
  total,
  by_severity,
  suppressed,
  known_before,
  complete,
}: CheckReport): string {
  const scanned = [
    dependencies === null
      ? null
      : `${formatCount(dependencies.packages, 'package')} in ${formatCount(dependencies.documents.length, 'lockfile')}`,
    code === null ? null : `${formatCount(code.files, 'file')} of code and text`,
  ].filter((part) => part !== null);
  const without = [
    ...(suppressed === 0 ? [] : [`${suppressed} suppressed`]),
    ...((known_before ?? 0) === 0 ? [] : [`${known_before} known before`]),
  ];
  const withoutNote = without.length === 0 ? '' : ` Not counted: ${without.join(', ')}.`;
  const incompleteNote = complete ? '' : ' Not everything could be read or checked.';
  const unnamed = dependencies?.unnamed.length ?? 0;
  const unnamedNote =
    unnamed === 0
      ? ''
      : ` ${capitalize(describeUnnamed(unnamed, dependencies!.packages - dependencies!.unchecked.length))}.`;
  const notes = `${unnamedNote}${withoutNote}${incompleteNote}`;
  if (total === 0) {
    const open = (dependencies?.possible.length ?? 0) + (dependencies?.undecided.length ?? 0);
    const what = open > 0 ? 'Nothing certain' : without.length === 0 ? 'Nothing' : 'Nothing new';
    const extent =
      dependencies === null || dependencies.packages === 0 ? '' : `; packages were looked up ${dependencies.data.text}`;
    const openNote = open === 0 ? '' : ` ${formatCount(open, 'CVE')} may affect packages, or cannot be decided.`;
    return `${what} was found in ${scanned.join(' and ')}${extent}.${openNote}${notes}`;
  }
  const severities = PROBLEM_SEVERITIES.filter((name) => by_severity[name] > 0).map(
    (name) => `${by_severity[name]} ${name}`,
  );
  return `${formatCount(total, 'finding')} in ${scanned.join(' and ')}: ${severities.join(', ')}.${notes}`;
}
