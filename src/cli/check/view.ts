import { styleText } from 'node:util';
import { type Column, table } from '../table.ts';
import { counted, oneLine, wrap } from '../text.ts';
import type { CheckReport } from './check-path.ts';
import { type ProblemSeverity, SEVERITIES } from './problem.ts';

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
  { title: 'exploited' },
  { title: 'file' },
];
const CODE_COLUMNS: readonly Column[] = [
  { title: 'severity', style: severity },
  { title: 'place' },
  { title: 'found' },
  { title: 'what', wrap: true },
];

/** A report for people: tables, what was not looked at, and last the sum. */
export function reportLines(report: CheckReport, width: number): string[] {
  const { dependencies, code, notes } = report;
  const packages = (dependencies?.findings ?? []).map((finding) => [
    (finding.severity ?? 'unknown').toLowerCase(),
    finding.package,
    finding.version,
    finding.fixed_in ?? 'none known',
    finding.cve_id ?? finding.evidence[0] ?? '',
    finding.in_kev === true ? 'yes' : '',
    placeOf(finding),
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
    notes.flatMap((note) => wrap(`! ${note}`, width).map((line) => styleText('dim', line))),
    wrap(sumOf(report), width).map((line) => styleText('bold', line)),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function placeOf({ file, line }: { file: string; line: number | null }): string {
  return oneLine(line === null ? file : `${file}:${line}`);
}

function sumOf({ dependencies, code, total, by_severity }: CheckReport): string {
  const looked = [
    dependencies === null
      ? null
      : `${counted(dependencies.packages, 'package')} in ${counted(dependencies.documents.length, 'lockfile')}`,
    code === null ? null : `${counted(code.files, 'file')} of code and text`,
  ].filter((part) => part !== null);
  if (total === 0) return `Nothing was found in ${looked.join(' and ')}.`;
  const severities = SEVERITIES.filter((name) => by_severity[name] > 0).map((name) => `${by_severity[name]} ${name}`);
  return `${counted(total, 'finding')} in ${looked.join(' and ')}: ${severities.join(', ')}.`;
}
