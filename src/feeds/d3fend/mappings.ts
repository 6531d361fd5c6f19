import { z } from 'zod';
import type { ParseReporter } from '../feed.ts';
import { firstIssue, CleanedText } from '../fields.ts';
import type { AttackMapping, MappingRelation } from './d3fend-entries.ts';
import { parseOntologyName } from './ontology-name.ts';

/** SPARQL results (W3C "SPARQL 1.1 Query Results JSON Format"), as D3FEND serves its inferred mappings. */
const SparqlResults = z.object({ results: z.object({ bindings: z.array(z.unknown()) }) });

/** `results` itself: the file of all mappings (until 1.5). In `off_to_def`: the answer for one ATT&CK technique (since 1.6). */
export const MappingsDocument = z.union([
  SparqlResults,
  z.object({ off_to_def: SparqlResults }).transform((one) => one.off_to_def),
]);

const Text = z.object({ value: CleanedText }).transform(({ value }) => value);
const Name = Text.transform((uri, context) => {
  const name = parseOntologyName(uri);
  if (name !== null) return name;
  context.addIssue({ code: 'custom', message: 'not a D3FEND URI' });
  return z.NEVER;
});
const ATTACK_ID = /^T\d{4}(?:\.\d{3})?$/;

const Binding = z
  .object({
    def_tech: Name,
    def_tech_label: Text.optional(),
    def_tactic_label: Text.optional(),
    def_artifact_rel_label: Text.optional(),
    def_artifact_label: Text.optional(),
    off_artifact_label: Text.optional(),
    off_artifact_rel_label: Text.optional(),
    off_tech: Name,
    off_tech_label: Text.optional(),
    /** Missing in the files of 2023. */
    off_tech_id: Text.optional(),
  })
  .transform(({ off_tech, off_tech_id, ...rest }, context) => {
    const attack_id = off_tech_id ?? off_tech;
    if (ATTACK_ID.test(attack_id)) return { ...rest, attack_id };
    context.addIssue({ code: 'custom', message: 'not an ATT&CK technique id' });
    return z.NEVER;
  });
type MappingRow = z.output<typeof Binding>;

/** The mappings of one defense. */
export interface MappedDefense {
  label: string | null;
  tactic: string | null;
  /** Number of relations by artifact. */
  artifacts: Map<string, number>;
  attacks: Map<string, AttackMapping>;
}

/** Adds the rows of one answer to `defenses`. A row without a defense means that none is known; broken rows are skipped. */
export function addMappings(
  rows: readonly unknown[],
  defenses: Map<string, MappedDefense>,
  reporter: ParseReporter,
): void {
  for (const [index, raw] of rows.entries()) {
    if (typeof raw === 'object' && raw !== null && !('def_tech' in raw)) continue;
    const row = Binding.safeParse(raw);
    if (row.success) addRow(row.data, defenses);
    else reporter.skip(`mapping ${index + 1}`, firstIssue(row.error));
  }
}

function addRow(row: MappingRow, defenses: Map<string, MappedDefense>): void {
  const { def_tech, def_artifact_label, attack_id } = row;
  let defense = defenses.get(def_tech);
  if (defense === undefined) {
    const { def_tech_label = null, def_tactic_label = null } = row;
    defense = { label: def_tech_label, tactic: def_tactic_label, artifacts: new Map(), attacks: new Map() };
    defenses.set(def_tech, defense);
  }
  let attack = defense.attacks.get(attack_id);
  if (attack === undefined) {
    attack = { attack_technique_id: attack_id, name: row.off_tech_label ?? null, relations: [] };
    defense.attacks.set(attack_id, attack);
  }
  const relation: MappingRelation = {
    relation: row.def_artifact_rel_label ?? null,
    artifact: def_artifact_label ?? null,
    attack_relation: row.off_artifact_rel_label ?? null,
    attack_artifact: row.off_artifact_label ?? null,
  };
  // A relation has one row for each tactic of the attack.
  if (attack.relations.some((known) => isSameRelation(known, relation))) return;
  attack.relations.push(relation);
  if (relation.artifact !== null) {
    defense.artifacts.set(relation.artifact, (defense.artifacts.get(relation.artifact) ?? 0) + 1);
  }
}

function isSameRelation(a: MappingRelation, b: MappingRelation): boolean {
  return (Object.keys(a) as (keyof MappingRelation)[]).every((name) => a[name] === b[name]);
}
