import { styleText } from 'node:util';
import { percent, counted } from '../../engine/summary.ts';
import { type Column, table } from '../table.ts';
import { oneLine, wrap } from '../text.ts';
import type { CheckReport } from './check-path.ts';
import { type ProblemSeverity, SEVERITIES, type Unread } from './problem.ts';
import type { Upgrade } from './upgrades.ts';

const COLOURS: Readonly<Record<ProblemSeverity, 'red' | 'yellow' | 'dim'>> = {
  critical: 'red',
  high: 'red',
  medium: 'yellow',
  low: 'dim',
  unknown: 'yellow',
};
const severity = (cell: string): string => styleText(COLOURS[cell.trim() as ProblemSeverity] ?? 'dim', cell);

const DEPENDENCY_COLUMNS: readonly Column[] = [
  { title: 'severity', style: severity },
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
  { title: 'severity', style: severity },
  { title: 'place' },
  { title: 'found' },
  { title: 'what', wrap: true },
];

/** A report for people: tables, what was not looked at, and last the sum. */
export function reportLines(report: CheckReport, width: number): string[] {
  const { dependencies, code, notes, unread, excluded } = report;
  const packages = (dependencies?.findings ?? []).map((finding) => [
    (finding.severity ?? 'unknown').toLowerCase(),
    finding.package,
    finding.version,
    finding.fixed_in ?? 'none known',
    finding.cve_id ?? finding.evidence[0] ?? '',
    finding.cvss_v3?.toFixed(1) ?? '',
    finding.epss_score === null ? '' : percent(finding.epss_score),
    finding.in_kev === true ? 'yes' : '',
    finding.scope ?? '',
    placeOf(finding),
    finding.title ?? '',
  ]);
  const places = (code?.findings ?? []).map((finding) => [
    finding.severity,
    placeOf(finding),
    finding.match,
    finding.description,
  ]);
  const blocks = [
    packages.length === 0 ? [] : table(DEPENDENCY_COLUMNS, packages, width),
    places.length === 0 ? [] : table(CODE_COLUMNS, places, width),
    (dependencies?.upgrades ?? []).slice(0, SHOWN).flatMap((upgrade) => wrap(upgradeLine(upgrade), width)),
    unreadLines(unread, width),
    Object.keys(excluded).length === 0 ? [] : wrap(`left out: ${excludedWords(excluded)}`, width),
    notes.flatMap((note) => wrap(`! ${note}`, width).map((line) => styleText('dim', line))),
    wrap(sumOf(report), width).map((line) => styleText('bold', line)),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

const SHOWN = 20;

function upgradeLine({ package: name, version, to, fixes, remaining }: Upgrade): string {
  const rest = remaining === 0 ? '' : `; for ${remaining} no fix is known`;
  return `upgrade ${name} ${version} to ${to}: fixes ${fixes} of ${counted(fixes + remaining, 'finding')}${rest}`;
}

function unreadLines(unread: readonly Unread[], width: number): string[] {
  const lines = unread.slice(0, SHOWN).map(({ file, reason }) => `! not read: ${oneLine(file)}: ${reason}`);
  if (unread.length > SHOWN) lines.push(`! not read: ${unread.length - SHOWN} more, see --json`);
  return lines.flatMap((line) => wrap(line, width)).map((line) => styleText('yellow', line));
}

function excludedWords(excluded: Readonly<Record<string, number>>): string {
  return Object.entries(excluded)
    .map(([reason, count]) => `${oneLine(reason)} (${count})`)
    .join(', ');
}

function placeOf({ file, line }: { file: string; line: number | null }): string {
  return oneLine(line === null ? file : `${file}:${line}`);
}

function sumOf({ dependencies, code, total, by_severity, complete }: CheckReport): string {
  const looked = [
    dependencies === null
      ? null
      : `${counted(dependencies.packages, 'package')} in ${counted(dependencies.documents.length, 'lockfile')}`,
    code === null ? null : `${counted(code.files, 'file')} of code and text`,
  ].filter((part) => part !== null);
  const missed = complete ? '' : ' Not everything could be read or checked.';
  if (total === 0) return `Nothing was found in ${looked.join(' and ')}.${missed}`;
  const severities = SEVERITIES.filter((name) => by_severity[name] > 0).map((name) => `${by_severity[name]} ${name}`);
  return `${counted(total, 'finding')} in ${looked.join(' and ')}: ${severities.join(', ')}.${missed}`;
}
