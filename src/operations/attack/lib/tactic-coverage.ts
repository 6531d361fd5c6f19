import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';

/** Tactics of the ATT&CK Enterprise matrix, in its order (release 18). */
const MATRIX_ORDER: readonly string[] = [
  'Reconnaissance',
  'Resource Development',
  'Initial Access',
  'Execution',
  'Persistence',
  'Privilege Escalation',
  'Defense Evasion',
  'Credential Access',
  'Discovery',
  'Lateral Movement',
  'Collection',
  'Command and Control',
  'Exfiltration',
  'Impact',
];

/** Which of Sigma and D3FEND have something against a technique. */
export const CoverageKind = z.enum(['both', 'sigma', 'd3fend', 'neither']);
export type CoverageKind = z.output<typeof CoverageKind>;

export const CoverageField = CoverageKind.nullable().meta({
  description:
    'Which of Sigma (rules) and D3FEND (defenses) have something against it. Null: not known, because one of them is not synced, or the id is not in ATT&CK Enterprise.',
});

const Count = z.number().int().nullable();
/** How many techniques are covered by what; null where one of the sources is not synced. */
export const CoverageCounts = z
  .object({ both: Count, sigma: Count, d3fend: Count, neither: Count })
  .meta({ id: 'CoverageCounts', description: 'Techniques by what covers them; null: not known.' });
export type CoverageCounts = z.output<typeof CoverageCounts>;

export const TacticCoverage = z
  .object({ tactic: ForeignText, total: z.number().int(), ...CoverageCounts.shape })
  .meta({ id: 'TacticCoverage' });

interface CoveredTechnique {
  tactics: readonly string[];
  coverage: CoverageKind | null;
}

/** Null counts: the source was never synced. */
export function coverageKind(sigmaRules: number | null, defenses: number | null): CoverageKind | null {
  if (sigmaRules === null || defenses === null) return null;
  if (sigmaRules > 0) return defenses > 0 ? 'both' : 'sigma';
  return defenses > 0 ? 'd3fend' : 'neither';
}

/** Techniques by what covers them. */
export function countCoverage(techniques: readonly CoveredTechnique[]): CoverageCounts {
  const isKnown = techniques.every(({ coverage }) => coverage !== null);
  const count = (kind: CoverageKind): number | null =>
    isKnown ? techniques.filter(({ coverage }) => coverage === kind).length : null;
  return { both: count('both'), sigma: count('sigma'), d3fend: count('d3fend'), neither: count('neither') };
}

/** The same for each tactic that the techniques have, in the order of the matrix; tactics that are new to it come last, by name. */
export function countCoverageByTactic(techniques: readonly CoveredTechnique[]): z.output<typeof TacticCoverage>[] {
  const tactics = [...new Set(techniques.flatMap((technique) => technique.tactics))];
  const place = (tactic: string): number => {
    const at = MATRIX_ORDER.indexOf(tactic);
    return at === -1 ? MATRIX_ORDER.length : at;
  };
  return tactics
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((tactic) => {
      const rows = techniques.filter((technique) => technique.tactics.includes(tactic));
      return { tactic, total: rows.length, ...countCoverage(rows) };
    });
}
