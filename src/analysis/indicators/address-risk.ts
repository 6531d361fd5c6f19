import { type Severity, compareSeverity } from '../severity.ts';
import { type RiskFactor, riskScore } from '../risk-factor.ts';
import type { ThreatAssessment, ThreatLevel } from './threat-level.ts';

export interface AddressRiskSignals {
  /** Worst severity of the vulnerabilities that its services have by their versions; null: none is rated. */
  worstSeverity: Severity | null;
  /** Vulnerabilities without a severity. */
  unratedCount: number;
  exploitedCount: number;
  ports: readonly number[];
  tags: readonly string[];
  /** What lists and reports say, weighed by age: the judgement of `assessThreat()`, as in threat reports. */
  threat: Pick<ThreatAssessment, 'level' | 'score' | 'reasons'>;
}

/** Services that should not be open to the internet. */
const SENSITIVE_PORTS: Readonly<Record<number, string>> = {
  23: 'Telnet',
  135: 'MS-RPC',
  139: 'NetBIOS',
  445: 'SMB',
  1433: 'MS SQL',
  1521: 'Oracle DB',
  2375: 'Docker',
  3306: 'MySQL',
  3389: 'RDP',
  5432: 'PostgreSQL',
  5900: 'VNC',
  6379: 'Redis',
  9200: 'Elasticsearch',
  11211: 'Memcached',
  27017: 'MongoDB',
};
const POINTS_PER_SENSITIVE_PORT = 10;
const MAX_SENSITIVE_POINTS = 20;
const POINTS_BY_SEVERITY: Readonly<Record<Severity, number>> = { CRITICAL: 35, HIGH: 25, MEDIUM: 15, LOW: 5 };
const MALICIOUS_TAGS: ReadonlySet<string> = new Set(['malware', 'c2', 'compromised']);
const MAX_THREAT_REASONS = 3;
const END_OF_LIFE_TAGS: ReadonlySet<string> = new Set(['eol-product', 'eol-os']);

/** The risk factors of an address; the score is their sum, at most 100. */
export function assessAddressRisk(facts: AddressRiskSignals): { score: number; factors: RiskFactor[] } {
  const { worstSeverity, unratedCount, exploitedCount, ports, tags, threat } = facts;
  const factors: RiskFactor[] = [];
  const add = (id: string, points: number, reason: string): void => {
    if (points > 0) factors.push({ id, points, reason });
  };
  add('threat_sources', threat.score ?? 0, `${threat.reasons.slice(0, MAX_THREAT_REASONS).join('; ')}.`);
  if (exploitedCount > 0)
    add('known_exploited', 40, `${exploitedCount} of its vulnerabilities are known to be exploited.`);
  if (worstSeverity !== null)
    add('vulnerable', POINTS_BY_SEVERITY[worstSeverity], `Its worst known vulnerability is ${worstSeverity}.`);
  else if (unratedCount > 0)
    add('vulnerable', POINTS_BY_SEVERITY.MEDIUM, 'It has vulnerabilities of unknown severity.');
  const sensitive = ports.filter((port) => SENSITIVE_PORTS[port] !== undefined);
  add(
    'exposed_service',
    Math.min(MAX_SENSITIVE_POINTS, sensitive.length * POINTS_PER_SENSITIVE_PORT),
    `Open to the internet: ${sensitive.map((port) => `${SENSITIVE_PORTS[port]} (${port})`).join(', ')}.`,
  );
  const malicious = tags.filter((tag) => MALICIOUS_TAGS.has(tag));
  if (malicious.length > 0) add('tagged', 50, `Shodan tags it ${malicious.join(', ')}.`);
  if (tags.some((tag) => END_OF_LIFE_TAGS.has(tag)))
    add('end_of_life', 10, 'It runs software that is no longer maintained.');
  return { score: riskScore(factors), factors };
}

export type AddressRiskLabel = Severity | 'UNKNOWN';

const LABEL_OF_LEVEL: Partial<Record<ThreatLevel, Severity>> = {
  critical: 'CRITICAL',
  high: 'HIGH',
  medium: 'MEDIUM',
};

/** The label of a score from 0 to 100, and at least that of the threat level; null: unknown. */
export function addressRiskLabel(score: number | null, level: ThreatLevel): AddressRiskLabel {
  if (score === null) return 'UNKNOWN';
  const byScore = score >= 90 ? 'CRITICAL' : score >= 70 ? 'HIGH' : score >= 40 ? 'MEDIUM' : 'LOW';
  const byLevel = LABEL_OF_LEVEL[level] ?? 'LOW';
  return compareSeverity(byScore, byLevel) < 0 ? byScore : byLevel;
}
