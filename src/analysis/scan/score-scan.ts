import { type ModuleFinding, MODULE_IDS, MODULE_MAX_POINTS, type ModuleId, type ScanResults } from './modules.ts';
import { compareSeverity, countBySeverity, type Severity, SEVERITIES } from '../severity.ts';

export interface ModuleScore {
  /** Null: it could not be looked at, and is left out of the total. */
  score: number | null;
  max: number;
  details: string[];
}

export type ScanGrade = 'A' | 'B' | 'C' | 'D' | 'F';

export interface ScanScore {
  modules: Record<ModuleId, ModuleScore>;
  total: number;
  max: number;
  /** Null: too little could be looked at. */
  grade: ScanGrade | null;
  /** What to mend first stands first. */
  findings: ModuleFinding[];
  counts: Record<Severity, number>;
}

/** The share of its module's points that a finding costs. */
const COST_BY_SEVERITY: Readonly<Record<Severity, number>> = { critical: 1, high: 0.6, medium: 0.3, low: 0.1 };
/** Least share of all points, as for headers. */
const GRADE_THRESHOLDS: readonly (readonly [number, ScanGrade])[] = [
  [0.9, 'A'],
  [0.75, 'B'],
  [0.6, 'C'],
  [0.4, 'D'],
];
/** Of all points; where less could be looked at, nothing is said of the whole. */
const MIN_POINTS_FOR_GRADE = 50;
const MAX_DETAILS = 12;

/**
 * Adds up a scan. A critical finding makes it an F whatever the points, as browsers or resolvers then refuse the site; with a high
 * one it is at best a B.
 */
export function scoreScan(results: ScanResults): ScanScore {
  const modules = {} as Record<ModuleId, ModuleScore>;
  const findings: ModuleFinding[] = [];
  for (const id of MODULE_IDS) {
    const result = results[id];
    const max = MODULE_MAX_POINTS[id];
    const lost = result?.findings.reduce((sum, { severity }) => sum + COST_BY_SEVERITY[severity], 0) ?? 0;
    const score = result === null ? null : roundToTenth(max * Math.max(0, 1 - lost));
    modules[id] = { score, max, details: result?.details.slice(0, MAX_DETAILS) ?? [] };
    for (const finding of result?.findings ?? []) findings.push({ ...finding, module: id });
  }
  const seen = MODULE_IDS.filter((id) => modules[id].score !== null);
  const total = roundToTenth(seen.reduce((sum, id) => sum + modules[id].score!, 0));
  const max = seen.reduce((sum, id) => sum + MODULE_MAX_POINTS[id], 0);
  const counts = countBySeverity(SEVERITIES, findings);
  return {
    modules,
    total,
    max,
    grade: max < MIN_POINTS_FOR_GRADE ? null : gradeOf(total / max, counts),
    findings: findings.sort(compareUrgency),
    counts,
  };
}

/** The worst first; of those alike, in the order of the modules. */
function compareUrgency(one: ModuleFinding, other: ModuleFinding): number {
  return (
    compareSeverity(one.severity, other.severity) || MODULE_IDS.indexOf(one.module) - MODULE_IDS.indexOf(other.module)
  );
}

function gradeOf(share: number, { critical, high }: Record<Severity, number>): ScanGrade {
  const grade = GRADE_THRESHOLDS.find(([least]) => share >= least)?.[1] ?? 'F';
  if (critical > 0) return 'F';
  return high > 0 && grade === 'A' ? 'B' : grade;
}

/** Shares of points do not add up in binary fractions. */
function roundToTenth(points: number): number {
  return Math.round(points * 10) / 10;
}
