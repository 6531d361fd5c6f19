import type { BenignInfrastructure } from './benign-infrastructure.ts';
import { detectHashType } from './parse-indicator.ts';
import { type Warning, WARNING_CATEGORIES, type WarningCategory } from './warning-list.ts';

export const THREAT_LEVELS = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;
export type ThreatLevel = (typeof THREAT_LEVELS)[number];

/** A report by one source about an indicator (STIX: sighting). */
export interface Sighting {
  source: string;
  /** A phrase that is shown after the name of the source. */
  description: string;
  /** 0 to 100: points of a recent sighting. */
  weight: number;
  /** ISO 8601; null: date unknown. */
  lastSeen: string | null;
  /** It is true now (a server online, a list of today), so that its age does not reduce its points. */
  isCurrent: boolean;
  /** It is about this indicator itself, not about others at the same host. */
  isExactMatch: boolean;
}

export interface ThreatAssessment {
  level: ThreatLevel;
  /** 0 to 100: how sure it is that this is a threat; null where the level is unknown. */
  score: number | null;
  reasons: string[];
  /** What the score was made from; null where the level is unknown. */
  parts: ConfidenceParts | null;
}

export interface ConfidenceParts {
  /** The strongest sighting of each source, most points first: `points` = `weight` × `age_factor` × `warning_factor`. */
  sources: ConfidencePart[];
  /** Points for sources that agree with the first one; null: none of those that answered does, and others did not answer. */
  agreement: number | null;
}

export interface ConfidencePart {
  source: string;
  weight: number;
  /** Days since it was last seen; null: not known, or true now. */
  age_days: number | null;
  age_factor: number;
  warning_factor: number;
  points: number;
}

const DAY_MS = 86_400_000;
/** Factor of the points by age, up to so many days: servers change owners, so that an old sighting says little about today. */
const AGE_FACTORS: readonly (readonly [number, number])[] = [
  [30, 1],
  [90, 0.8],
  [365, 0.6],
  [730, 0.4],
];
const OLDEST_AGE_FACTOR = 0.2;
const UNDATED_FACTOR = 0.5;
/** Of what is well known, by what its list says; the lowest counts. */
const WARNING_FACTORS: Readonly<Record<WarningCategory, number>> = { false_positive: 0.4, known: 0.8 };
const LEVEL_THRESHOLDS: readonly (readonly [number, ThreatLevel])[] = [
  [80, 'critical'],
  [60, 'high'],
  [30, 'medium'],
  [1, 'low'],
];
const AGREEMENT_POINTS = 5;
const AGREEMENT_MIN_POINTS = 20;

/**
 * The score is that of the strongest sighting, reduced by its age, plus five points for each further source with at least 20 points, at
 * most 100: critical from 80, high from 60, medium from 30, else low. Without sightings the level is `none` if all sources answered
 * (`complete`), else `unknown`. On well-known infrastructure (`benign`) and in warning lists of false positives sightings count 0.4, in
 * lists of what many share 0.8; exact matches count in full, unless the warning is about the very same hash.
 */
export function assessThreat(sightings: readonly Sighting[], circumstances: Circumstances): ThreatAssessment {
  const { now, complete, benign, warnings } = circumstances;
  const doubts = [
    ...(benign === null
      ? []
      : [`${benign.name} is ${BENIGN_KIND_PHRASES[benign.kind]}: an entry about it is likely to be a false alarm`]),
    ...describeWarnings(warnings),
  ];
  if (sightings.length === 0) {
    if (!complete) return { level: 'unknown', score: null, reasons: doubts, parts: null };
    return { level: 'none', score: 0, reasons: doubts, parts: { sources: [], agreement: 0 } };
  }
  const weighted = sightings
    .map((sighting) => weighSighting(sighting, now, warningFactor(sighting, circumstances)))
    .sort(({ part: one }, { part: other }) => other.points - one.points);
  const best = new Map<string, ConfidencePart>();
  for (const { part } of weighted) if (!best.has(part.source)) best.set(part.source, part);
  const [strongest, ...others] = [...best.values()];
  const agreement = AGREEMENT_POINTS * others.filter(({ points }) => points >= AGREEMENT_MIN_POINTS).length;
  const score = Math.min(100, Math.round(strongest!.points + agreement));
  return {
    level: levelOf(score),
    score,
    reasons: [...weighted.map(({ reason }) => reason), ...doubts],
    parts: { sources: [strongest!, ...others], agreement: agreement === 0 && !complete ? null : agreement },
  };
}

interface Circumstances {
  now: Date;
  /** Whether all sources answered. */
  complete: boolean;
  benign: BenignInfrastructure | null;
  /** The warning lists that it is in. */
  warnings: readonly Warning[];
}

function warningFactor({ isExactMatch }: Sighting, { benign, warnings }: Circumstances): number {
  const isSameHash = warnings.some(({ value }) => detectHashType(value) !== null);
  if (isExactMatch && !isSameHash) return 1;
  const factors = warnings.map(({ category }) => WARNING_FACTORS[category]);
  return Math.min(1, ...(benign === null ? [] : [WARNING_FACTORS.false_positive]), ...factors);
}

/** A sentence for each category that occurs. */
function describeWarnings(warnings: readonly Warning[]): string[] {
  return WARNING_CATEGORIES.flatMap((category) => {
    const [first, ...others] = warnings.filter((warning) => warning.category === category);
    if (first === undefined) return [];
    const names = `"${first.name}"${others.length > 0 ? ` and ${others.length} more` : ''}`;
    return [`In warning ${others.length > 0 ? 'lists' : 'list'} ${names}: ${WARNING_PHRASES[category]}`];
  });
}

const WARNING_PHRASES: Readonly<Record<WarningCategory, string>> = {
  false_positive: 'an entry about it is likely to be a false alarm',
  known: 'many share it, or it changes hands',
};

/** The higher of two assessments of one indicator that rest on different sources. `points`: of the other one; 0: it found nothing. */
export function higherThreat({ level, score }: Pick<ThreatAssessment, 'level' | 'score'>, points: number) {
  return points > (score ?? 0) ? { level: levelOf(points), score: points } : { level, score };
}

/** The worse of two levels. What one look-up does not know, the other does not clear. */
export function worseLevel(one: ThreatLevel, other: ThreatLevel): ThreatLevel {
  const [worst] = [one, other].toSorted((a, b) => THREAT_LEVELS.indexOf(a) - THREAT_LEVELS.indexOf(b));
  return worst === 'none' && [one, other].includes('unknown') ? 'unknown' : worst!;
}

function levelOf(score: number): ThreatLevel {
  return LEVEL_THRESHOLDS.find(([from]) => score >= from)?.[1] ?? 'low';
}

function weighSighting({ source, description, weight, lastSeen, isCurrent }: Sighting, now: Date, factor: number) {
  const days = isCurrent || lastSeen === null ? null : Math.max(0, (now.getTime() - Date.parse(lastSeen)) / DAY_MS);
  const ageFactor = isCurrent ? 1 : days === null ? UNDATED_FACTOR : ageFactorOf(days);
  const points = weight * ageFactor * factor;
  const age = isCurrent ? '' : lastSeen === null ? ', date unknown' : `, last seen ${lastSeen.slice(0, 10)}`;
  const part: ConfidencePart = {
    source,
    weight,
    age_days: days === null ? null : Math.floor(days),
    age_factor: ageFactor,
    warning_factor: factor,
    points: Math.round(points * 10) / 10,
  };
  return { part, reason: `${source}: ${description}${age} (${Math.round(points)} of 100)` };
}

function ageFactorOf(days: number): number {
  return AGE_FACTORS.find(([upTo]) => days <= upTo)?.[1] ?? OLDEST_AGE_FACTOR;
}

const BENIGN_KIND_PHRASES: Record<BenignInfrastructure['kind'], string> = {
  public_resolver: 'a public resolver',
  cdn: 'a large content delivery network',
  os_updates: 'an update service that most machines use',
  shared_hosting: 'a host where anybody puts files',
};
