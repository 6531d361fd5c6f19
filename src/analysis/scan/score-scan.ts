import { type ModuleFinding, MODULE_IDS, MODULE_MAX_POINTS, type ModuleId, type ScanResults } from './modules.ts';
import { compareFindings } from '../finding.ts';
import { countBySeverity, type Severity, SEVERITIES } from '../severity.ts';
import { gradeOfScore, type LetterGrade, worstGrade } from '../letter-grade.ts';

export interface ModuleScore {
  /** Null: the module could not be assessed and does not count in the total. */
  score: number | null;
  max: number;
  details: string[];
}

export interface ScanScore {
  modules: Record<ModuleId, ModuleScore>;
  total: number;
  max: number;
  /** Null: too few modules could be assessed. */
  grade: LetterGrade | null;
  /** Most urgent first. */
  findings: ModuleFinding[];
  counts: Record<Severity, number>;
}

/** The share of its module's points that a finding costs. */
const COST_BY_SEVERITY: Readonly<Record<Severity, number>> = { CRITICAL: 1, HIGH: 0.6, MEDIUM: 0.3, LOW: 0.1 };
/** Points of the assessed modules that a grade needs. */
const MIN_POINTS_FOR_GRADE = 50;
const MAX_DETAILS = 12;

/** Adds up a scan: points by module, their total, the grade and all findings. */
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
  const assessed = MODULE_IDS.filter((id) => modules[id].score !== null);
  const total = roundToTenth(assessed.reduce((sum, id) => sum + modules[id].score!, 0));
  const max = assessed.reduce((sum, id) => sum + MODULE_MAX_POINTS[id], 0);
  const counts = countBySeverity(SEVERITIES, findings);
  return {
    modules,
    total,
    max,
    grade: max < MIN_POINTS_FOR_GRADE ? null : gradeOf((100 * total) / max, counts),
    findings: findings.sort(compareUrgency),
    counts,
  };
}

/** Worst first; equals in the order of the modules. */
function compareUrgency(one: ModuleFinding, other: ModuleFinding): number {
  return compareFindings(one, other) || MODULE_IDS.indexOf(one.module) - MODULE_IDS.indexOf(other.module);
}

/** By the share of all points in percent. One critical finding caps the grade at F, one high finding at B. */
function gradeOf(score: number, { CRITICAL, HIGH }: Record<Severity, number>): LetterGrade {
  if (CRITICAL > 0) return 'F';
  return worstGrade([gradeOfScore(score), HIGH > 0 ? 'B' : 'A']);
}

/** Sums of tenths are not exact in binary fractions. */
function roundToTenth(points: number): number {
  return Math.round(points * 10) / 10;
}
