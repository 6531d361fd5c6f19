import { z } from 'zod';
import { cleanText } from '../../analysis/display-text.ts';
import { FeedFormatError } from '../feed.ts';
import { parseUtcTime } from '../fields.ts';
import { parseOntologyName } from './ontology-name.ts';

/** A defensive technique of the ontology. */
export interface DefensiveTechnique {
  name: string;
  d3fend_id: string | null;
  label: string;
  definition: string | null;
  synonyms: string[];
  /** Name of the technique above it; null right below "Defensive Technique". */
  parent: string | null;
  /** Label of the tactic that it, or the nearest technique above it, enables. */
  tactic: string | null;
}

export interface Ontology {
  version: string | null;
  /** ISO 8601. */
  released: string | null;
  techniques: ReadonlyMap<string, DefensiveTechnique>;
}

type Node = Record<string, unknown>;

const Document = z.object({ '@graph': z.array(z.looseObject({ '@id': z.string() })) });
const ROOT_TECHNIQUE = 'd3f:DefensiveTechnique';
/** D3FEND has five. */
const MAX_LEVELS = 50;

/** Reads the JSON-LD ontology: everything that is a kind of `d3f:DefensiveTechnique`. */
export function parseOntology(document: unknown): Ontology {
  const parsed = Document.safeParse(document);
  if (!parsed.success) throw new FeedFormatError('the ontology is not a JSON-LD graph');
  const graph: Node[] = parsed.data['@graph'];
  const nodes = new Map(graph.map((node) => [String(node['@id']), node]));
  const head = graph.find((node) => jsonLdTexts(node['@type']).includes('owl:Ontology'));
  const techniques = new Map<string, DefensiveTechnique>();
  const levels = subclassLevels(ROOT_TECHNIQUE, nodes);
  for (const [id, node] of nodes) {
    const name = parseOntologyName(id);
    const line = name === null ? null : ancestorPath(id, nodes, levels);
    if (name === null || line === null) continue;
    techniques.set(name, techniqueOf(name, node, line, nodes));
  }
  return {
    version: jsonLdTexts(head?.['owl:versionInfo'])[0] ?? null,
    released: parseUtcTime(jsonLdTexts(head?.['d3f:release-date'])[0]),
    techniques,
  };
}

function techniqueOf(
  name: string,
  node: Node,
  line: readonly string[],
  nodes: ReadonlyMap<string, Node>,
): DefensiveTechnique {
  const tactic = line.flatMap((id) => enabledTactics(nodes.get(id)!, nodes))[0];
  return {
    name,
    d3fend_id: jsonLdTexts(node['d3f:d3fend-id']).find((id) => /^D3-[A-Z0-9]+$/.test(id)) ?? null,
    label: jsonLdTexts(node['rdfs:label'])[0] ?? name,
    definition: jsonLdTexts(node['d3f:definition'])[0] ?? null,
    synonyms: jsonLdTexts(node['d3f:synonym']),
    parent: line[1] === undefined ? null : parseOntologyName(line[1]),
    tactic:
      tactic === undefined ? null : (jsonLdTexts(nodes.get(tactic)?.['rdfs:label'])[0] ?? parseOntologyName(tactic)),
  };
}

/** All that is a kind of `root`, with how many levels it is below. */
function subclassLevels(root: string, nodes: ReadonlyMap<string, Node>): ReadonlyMap<string, number> {
  const children = new Map<string, string[]>();
  for (const [id, node] of nodes) {
    for (const parent of jsonLdIds(node['rdfs:subClassOf'])) {
      const known = children.get(parent);
      if (known === undefined) children.set(parent, [id]);
      else known.push(id);
    }
  }
  const levels = new Map([[root, 0]]);
  // A map is walked in the order of what was put in, also while it grows: the nearest come first.
  for (const [id, level] of levels) {
    for (const child of children.get(id) ?? []) if (!levels.has(child)) levels.set(child, level + 1);
  }
  return levels;
}

/** A technique and those above it, up to below the root: by the first parent, and where that leads into a ring by the nearest. */
function ancestorPath(
  id: string,
  nodes: ReadonlyMap<string, Node>,
  levels: ReadonlyMap<string, number>,
): string[] | null {
  if (id === ROOT_TECHNIQUE || !levels.has(id)) return null;
  const levelOf = (parent: string): number => levels.get(parent)!;
  return (
    ancestorPathBy((parents) => parents[0]!, id, nodes, levels) ??
    ancestorPathBy((parents) => parents.reduce((a, b) => (levelOf(b) < levelOf(a) ? b : a)), id, nodes, levels)
  );
}

function ancestorPathBy(
  choose: (parents: string[]) => string,
  id: string,
  nodes: ReadonlyMap<string, Node>,
  levels: ReadonlyMap<string, number>,
): string[] | null {
  const line = [id];
  while (line.length <= MAX_LEVELS) {
    const parents = jsonLdIds(nodes.get(line.at(-1)!)?.['rdfs:subClassOf']).filter((parent) => levels.has(parent));
    if (parents.includes(ROOT_TECHNIQUE)) return line;
    const above = choose(parents);
    if (line.includes(above)) return null;
    line.push(above);
  }
  return null;
}

/** Tactics that a technique enables: said as a property of its own, or as an OWL restriction that it is a subclass of. */
function enabledTactics(node: Node, nodes: ReadonlyMap<string, Node>): string[] {
  const restrictions = jsonLdIds(node['rdfs:subClassOf'])
    .map((id) => nodes.get(id))
    .filter((above) => jsonLdIds(above?.['owl:onProperty']).includes('d3f:enables'));
  return [node['d3f:enables'], ...restrictions.map((above) => above?.['owl:someValuesFrom'])].flatMap(jsonLdIds);
}

/** A JSON-LD value is one or a list, plain or `{"@value": ...}`. */
function jsonLdTexts(value: unknown): string[] {
  return [value].flat().flatMap((one) => {
    const text = typeof one === 'object' && one !== null ? (one as Node)['@value'] : one;
    return typeof text === 'string' ? [cleanText(text).trim()] : [];
  });
}

function jsonLdIds(value: unknown): string[] {
  return [value].flat().flatMap((one) => {
    const id = typeof one === 'object' && one !== null ? (one as Node)['@id'] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}
