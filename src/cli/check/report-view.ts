import { styleText } from 'node:util';
import { toOneLine } from '../../analysis/display-text.ts';
import { formatPercent, formatCount } from '../../engine/summary.ts';
import { type Column, renderTable } from '../table.ts';
import { wrapText } from '../terminal-text.ts';
import type { CheckReport } from './check-path.ts';
import {
  type ProblemSeverity,
  PROBLEM_SEVERITIES,
  type UnreadItem,
  fileAndLine,
} from '../../operations/code/lib/report/problem.ts';
import type { Upgrade } from '../../operations/code/lib/recommend-upgrades.ts';

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
  { title: 'title' },
];
const CODE_COLUMNS: readonly Column[] = [
  { title: 'severity', style: styleSeverity },
  { title: 'place' },
  { title: 'found' },
  { title: 'what', wrap: true },
];

/** The report for people, `width` terminal columns wide: findings, upgrades, what was not read, totals. */
export function reportLines(report: CheckReport, width: number): string[] {
  const { dependencies, code, notes, unread, excluded } = report;
  const dependencyRows = (dependencies?.findings ?? []).map((finding) => [
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
    finding.title ?? '',
  ]);
  const codeRows = (code?.findings ?? []).map((finding) => [
    finding.severity,
    locationText(finding),
    finding.match,
    finding.description,
  ]);
  const blocks = [
    dependencyRows.length === 0 ? [] : renderTable(DEPENDENCY_COLUMNS, dependencyRows, width),
    codeRows.length === 0 ? [] : renderTable(CODE_COLUMNS, codeRows, width),
    (dependencies?.upgrades ?? []).slice(0, MAX_ROWS_SHOWN).flatMap((upgrade) => wrapText(upgradeLine(upgrade), width)),
    unreadLines(unread, width),
    Object.keys(excluded).length === 0 ? [] : wrapText(`left out: ${excludedText(excluded)}`, width),
    notes.flatMap((note) => wrapText(`! ${note}`, width).map((line) => styleText('dim', line))),
    wrapText(totalsText(report), width).map((line) => styleText('bold', line)),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

const MAX_ROWS_SHOWN = 20;

function upgradeLine({ package: name, version, to, fixes, remaining }: Upgrade): string {
  const rest = remaining === 0 ? '' : `; for ${remaining} no fix is known`;
  return `upgrade ${name} ${version} to ${to}: fixes ${fixes} of ${formatCount(fixes + remaining, 'finding')}${rest}`;
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

function totalsText({ dependencies, code, total, by_severity, complete }: CheckReport): string {
  const scanned = [
    dependencies === null
      ? null
      : `${formatCount(dependencies.packages, 'package')} in ${formatCount(dependencies.documents.length, 'lockfile')}`,
    code === null ? null : `${formatCount(code.files, 'file')} of code and text`,
  ].filter((part) => part !== null);
  const incompleteNote = complete ? '' : ' Not everything could be read or checked.';
  if (total === 0) return `Nothing was found in ${scanned.join(' and ')}.${incompleteNote}`;
  const severities = PROBLEM_SEVERITIES.filter((name) => by_severity[name] > 0).map(
    (name) => `${by_severity[name]} ${name}`,
  );
  return `${formatCount(total, 'finding')} in ${scanned.join(' and ')}: ${severities.join(', ')}.${incompleteNote}`;
}
