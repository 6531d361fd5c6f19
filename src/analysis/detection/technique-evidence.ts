/** Which ATT&CK techniques the exploitation of a CVE would use, and which sources say so. */

/** How a technique relates to a CVE, in the words of the Center for Threat-Informed Defense. */
export type MappingRole = 'exploitation_technique' | 'primary_impact' | 'secondary_impact' | 'uncategorized';

/**
 * Who connects a CVE with a technique. `kev_mapping`, `attack_to_cve`: analysts mapped this CVE. `sigma`: a detection rule that
 * names this CVE is tagged with it. `kev_peers`: known-exploited CVEs of the same weakness were mapped to it. `capec`: an attack
 * pattern on the weakness corresponds to it.
 */
export type TechniqueSource = 'kev_mapping' | 'attack_to_cve' | 'sigma' | 'kev_peers' | 'capec';

export interface TechniqueEvidence {
  technique_id: string;
  source: TechniqueSource;
  role: MappingRole | null;
  /** The path from the CVE to the technique, in one line: `CWE-79 > CAPEC-63`. */
  via: string;
  /** Among evidence of one source: more is better. */
  weight: number;
}

export interface RankedTechnique {
  technique_id: string;
  /** `direct`: about this CVE; `inferred`: about its weakness. */
  basis: 'direct' | 'inferred';
  /** Strongest first. */
  evidence: TechniqueEvidence[];
}

const DIRECT_SOURCES: ReadonlySet<TechniqueSource> = new Set(['kev_mapping', 'attack_to_cve', 'sigma']);
const SOURCE_ORDER: readonly TechniqueSource[] = ['kev_mapping', 'attack_to_cve', 'sigma', 'kev_peers', 'capec'];
const ROLE_ORDER: readonly (MappingRole | null)[] = [
  'exploitation_technique',
  'primary_impact',
  'secondary_impact',
  'uncategorized',
  null,
];
/** Fewer mapped CVEs, or a smaller part of them, are no evidence for the others of their weakness. */
const MIN_PEERS = 3;
const MIN_PEER_SHARE = 0.25;
/** A weakness whose attack patterns correspond to more techniques than this is too general: CWE-200 leads to 26. */
const MAX_TECHNIQUES_OF_WEAKNESS = 12;

/**
 * Techniques with their evidence, by role, source and weight. Where some of it is about this CVE, what is only about its weakness
 * is left out.
 */
export function rankTechniques(evidence: readonly TechniqueEvidence[]): RankedTechnique[] {
  const ranked = [...Map.groupBy(evidence, ({ technique_id }) => technique_id)].map(([technique_id, rows]) => {
    const sorted = rows.toSorted(compareEvidence);
    return {
      technique_id,
      basis: isDirect(sorted[0]!) ? ('direct' as const) : ('inferred' as const),
      evidence: sorted,
    };
  });
  const direct = ranked.filter(({ basis }) => basis === 'direct');
  return (direct.length > 0 ? direct : ranked).sort(
    (a, b) => compareEvidence(a.evidence[0]!, b.evidence[0]!) || (a.technique_id < b.technique_id ? -1 : 1),
  );
}

/**
 * What the known-exploited CVEs of one weakness were mapped to as the way of exploitation, where at least a quarter of them, and
 * three, share it.
 */
export function evidenceFromPeers(
  weakness: string,
  peers: readonly { cve_id: string; technique_ids: readonly string[] }[],
): TechniqueEvidence[] {
  const counts = new Map<string, number>();
  for (const { technique_ids } of peers)
    for (const id of new Set(technique_ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= MIN_PEERS && count / peers.length >= MIN_PEER_SHARE)
    .map(([technique_id, count]) => ({
      technique_id,
      source: 'kev_peers' as const,
      role: 'exploitation_technique' as const,
      via: `${weakness}: ${count} of ${peers.length} mapped known-exploited CVEs with it`,
      weight: count / peers.length,
    }));
}

/** What the attack patterns on one weakness correspond to, unless that is too much; a pattern on few weaknesses says more about each. */
export function evidenceFromPatterns(
  weakness: string,
  patterns: readonly { capec_id: string; cwe_ids: readonly string[]; technique_ids: readonly string[] }[],
): TechniqueEvidence[] {
  if (new Set(patterns.flatMap(({ technique_ids }) => technique_ids)).size > MAX_TECHNIQUES_OF_WEAKNESS) return [];
  return patterns.flatMap(({ capec_id, cwe_ids, technique_ids }) =>
    technique_ids.map((technique_id) => ({
      technique_id,
      source: 'capec' as const,
      role: null,
      via: `${weakness} > ${capec_id}`,
      weight: 1 / Math.max(1, cwe_ids.length),
    })),
  );
}

function isDirect({ source }: TechniqueEvidence): boolean {
  return DIRECT_SOURCES.has(source);
}

function compareEvidence(a: TechniqueEvidence, b: TechniqueEvidence): number {
  return (
    Number(isDirect(b)) - Number(isDirect(a)) ||
    ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role) ||
    SOURCE_ORDER.indexOf(a.source) - SOURCE_ORDER.indexOf(b.source) ||
    b.weight - a.weight
  );
}
