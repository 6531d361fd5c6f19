import type { AtlasMitigation, AtlasTactic, AtlasTechniqueRef } from './atlas-entries.ts';
import type { MitigationRecord, TacticRecord, TechniqueRecord } from './schema.ts';

/** Looks up by id what techniques and case studies of the matrix refer to. An unknown id is used as the name. */
export class AtlasMatrix {
  readonly techniques: readonly TechniqueRecord[];
  readonly #tactics: ReadonlyMap<string, string>;
  readonly #techniques: ReadonlyMap<string, TechniqueRecord>;
  readonly #subtechniques: ReadonlyMap<string, TechniqueRecord[]>;
  readonly #mitigations: ReadonlyMap<string, AtlasMitigation[]>;

  constructor(
    tactics: readonly TacticRecord[],
    techniques: readonly TechniqueRecord[],
    mitigations: readonly MitigationRecord[],
  ) {
    this.techniques = techniques;
    this.#tactics = new Map(tactics.map(({ id, name }) => [id, name]));
    this.#techniques = new Map(techniques.map((technique) => [technique.id, technique]));
    this.#subtechniques = Map.groupBy(techniques, (technique) => technique['subtechnique-of'] ?? '');
    const uses = mitigations.flatMap(({ id, name, techniques }) =>
      (techniques ?? []).map((used) => ({
        technique: used.id,
        as: { mitigation_id: id, name, use: used.use || null },
      })),
    );
    const grouped = Map.groupBy(uses, ({ technique }) => technique);
    this.#mitigations = new Map([...grouped].map(([id, list]) => [id, list.map(({ as }) => as)]));
  }

  tacticRef(id: string): AtlasTactic {
    return { tactic_id: id, name: this.#tactics.get(id) ?? id };
  }

  technique(id: string): AtlasTechniqueRef {
    return { technique_id: id, name: this.#techniques.get(id)?.name ?? id };
  }

  parentOf(id: string): TechniqueRecord | undefined {
    return this.#techniques.get(this.#techniques.get(id)?.['subtechnique-of'] ?? '');
  }

  subtechniquesOf(id: string): AtlasTechniqueRef[] {
    return (this.#subtechniques.get(id) ?? []).map(({ id, name }) => ({ technique_id: id, name }));
  }

  mitigationsOf(id: string): AtlasMitigation[] {
    return this.#mitigations.get(id) ?? [];
  }

  /** The ATT&CK technique that an ATLAS technique refers to. */
  attackTechniqueOf(id: string): string | null {
    return this.#techniques.get(id)?.['ATT&CK-reference']?.id ?? null;
  }
}
