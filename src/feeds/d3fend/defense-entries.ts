import { normalizeLabel, splitLabelWords } from '../../analysis/label-words.ts';
import type { DocumentEntry, DocumentLink } from '../entries.ts';
import type { Defense, DefenseRef } from './d3fend-entries.ts';
import type { MappedDefense } from './mappings.ts';
import { defenseNameKey, ontologyUri } from './ontology-name.ts';
import type { Ontology, DefensiveTechnique } from './ontology.ts';

/** All defensive techniques of the ontology with their mappings, and those that only the mappings have. */
export function defenseEntries(ontology: Ontology, mapped: ReadonlyMap<string, MappedDefense>): DocumentEntry[] {
  const { techniques } = ontology;
  const names = new Set([...techniques.keys(), ...mapped.keys()]);
  const refTo = (name: string): DefenseRef => ({
    defense_id: name,
    label: techniques.get(name)?.label ?? mapped.get(name)?.label ?? name,
  });
  const children = Map.groupBy(techniques.values(), ({ parent }) => parent);
  const inheritsFrom = (name: string): DefenseRef | null => {
    if (mapped.has(name)) return null;
    const ancestor = ancestorsOf(name, techniques).find((above) => mapped.has(above));
    return ancestor === undefined ? null : refTo(ancestor);
  };
  return [...names].map((name) => {
    const technique = techniques.get(name);
    const mapping = mapped.get(name);
    return entryOf({
      ...refTo(name),
      d3fend_id: technique?.d3fend_id ?? null,
      uri: ontologyUri(name),
      synonyms: technique?.synonyms ?? [],
      parent: technique?.parent == null ? null : refTo(technique.parent),
      children: (children.get(name) ?? []).map((child) => refTo(child.name)),
      description: technique?.definition ?? null,
      tactic: mapping?.tactic ?? technique?.tactic ?? null,
      artifacts: sortByCount(mapping?.artifacts ?? new Map()),
      mappings: [...(mapping?.attacks.values() ?? [])].sort((a, b) =>
        a.attack_technique_id < b.attack_technique_id ? -1 : 1,
      ),
      inherits_from: inheritsFrom(name),
    });
  });
}

/** Names by count, highest first; equal counts by name. */
function sortByCount(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1)).map(([name]) => name);
}

function ancestorsOf(name: string, techniques: ReadonlyMap<string, DefensiveTechnique>): string[] {
  const parent = techniques.get(name)?.parent ?? null;
  return parent === null ? [] : [parent, ...ancestorsOf(parent, techniques)];
}

function entryOf(defense: Defense): DocumentEntry {
  const { defense_id, d3fend_id, label, synonyms, parent, description, tactic, artifacts } = defense;
  return {
    collection: 'd3fend_defense',
    id: defense_id,
    title: [label, ...synonyms].join('\n'),
    text: [d3fend_id, description, tactic, parent?.label, ...artifacts].join('\n'),
    links: linksOf(defense),
    body: defense,
  };
}

function linksOf({ defense_id, d3fend_id, label, tactic, artifacts, mappings }: Defense): DocumentLink[] {
  const names = [defense_id, label, ...(d3fend_id === null ? [] : [d3fend_id])];
  return [
    ...names.map((name) => ({ kind: 'name', value: defenseNameKey(name) })),
    ...(tactic === null ? [] : [{ kind: 'tactic', value: normalizeLabel(tactic) }]),
    ...artifacts.flatMap((artifact) => splitLabelWords(artifact).map((value) => ({ kind: 'artifact_word', value }))),
    ...mappings.map(({ attack_technique_id }) => ({ kind: 'attack_technique', value: attack_technique_id })),
    { kind: 'mapped', value: mappings.length > 0 ? 'yes' : 'no' },
  ];
}
