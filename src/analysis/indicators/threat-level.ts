import type { BenignInfrastructure } from './benign-infrastructure.ts';

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
  /** 0 to 100; null where the level is unknown. */
  score: number | null;
  reasons: string[];
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
const BENIGN_FACTOR = 0.4;
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
 * (`complete`), else `unknown`. On well-known infrastructure (`benign`) sightings count 0.4, except exact matches.
 */
export function assessThreat(
  sightings: readonly Sighting[],
  { now, complete, benign }: { now: Date; complete: boolean; benign: BenignInfrastructure | null },
): ThreatAssessment {
  const benignReasons =
    benign === null
      ? []
      : [`${benign.name} is ${BENIGN_KIND_PHRASES[benign.kind]}: an entry about it is likely to be a false alarm`];
  if (sightings.length === 0)
    return { level: complete ? 'none' : 'unknown', score: complete ? 0 : null, reasons: benignReasons };
  const weighted = sightings
    .map((sighting) => weighSighting(sighting, now, benign !== null && !sighting.isExactMatch))
    .sort((one, other) => other.points - one.points);
  const best = new Map<string, number>();
  for (const { source, points } of weighted) best.set(source, Math.max(best.get(source) ?? 0, points));
  const [strongest = 0, ...others] = [...best.values()].sort((one, other) => other - one);
  const score = Math.min(
    100,
    Math.round(strongest + AGREEMENT_POINTS * others.filter((points) => points >= AGREEMENT_MIN_POINTS).length),
  );
  return { level: levelOf(score), score, reasons: [...weighted.map(({ reason }) => reason), ...benignReasons] };
}

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

function weighSighting({ source, description, weight, lastSeen, isCurrent }: Sighting, now: Date, lowered: boolean) {
  const [factor, age] = isCurrent ? [1, ''] : ageFactor(lastSeen, now);
  const points = weight * factor * (lowered ? BENIGN_FACTOR : 1);
  return { source, points, reason: `${source}: ${description}${age} (${Math.round(points)} of 100)` };
}

function ageFactor(lastSeen: string | null, now: Date): [number, string] {
  if (lastSeen === null) return [UNDATED_FACTOR, ', date unknown'];
  const days = Math.max(0, (now.getTime() - Date.parse(lastSeen)) / DAY_MS);
  const factor = AGE_FACTORS.find(([upTo]) => days <= upTo)?.[1] ?? OLDEST_AGE_FACTOR;
  return [factor, `, last seen ${lastSeen.slice(0, 10)}`];
}

const BENIGN_KIND_PHRASES: Record<BenignInfrastructure['kind'], string> = {
  public_resolver: 'a public resolver',
  cdn: 'a large content delivery network',
  os_updates: 'an update service that most machines use',
  shared_hosting: 'a host where anybody puts files',
};
