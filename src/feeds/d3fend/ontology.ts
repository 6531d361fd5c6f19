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
  /** Name of the parent technique; null if the parent is the root "Defensive Technique". */
  parent: string | null;
  /** Label of the tactic that it, or its nearest ancestor with one, enables. */
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
/** D3FEND has five levels. */
const MAX_LEVELS = 50;

/** Parses the JSON-LD ontology: all subclasses of `d3f:DefensiveTechnique`. Throws `FeedFormatError`. */
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
    const path = name === null ? null : ancestorPath(id, nodes, levels);
    if (name === null || path === null) continue;
    techniques.set(name, techniqueOf(name, node, path, nodes));
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
  path: readonly string[],
  nodes: ReadonlyMap<string, Node>,
): DefensiveTechnique {
  const tactic = path.flatMap((id) => enabledTactics(nodes.get(id)!, nodes))[0];
  return {
    name,
    d3fend_id: jsonLdTexts(node['d3f:d3fend-id']).find((id) => /^D3-[A-Z0-9]+$/.test(id)) ?? null,
    label: jsonLdTexts(node['rdfs:label'])[0] ?? name,
    definition: jsonLdTexts(node['d3f:definition'])[0] ?? null,
    synonyms: jsonLdTexts(node['d3f:synonym']),
    parent: path[1] === undefined ? null : parseOntologyName(path[1]),
    tactic:
      tactic === undefined ? null : (jsonLdTexts(nodes.get(tactic)?.['rdfs:label'])[0] ?? parseOntologyName(tactic)),
  };
}

/** All subclasses of `root`, direct and indirect, with their smallest distance from it. */
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
  // Breadth-first: a map is iterated in insertion order, also while it grows.
  for (const [id, level] of levels) {
    for (const child of children.get(id) ?? []) if (!levels.has(child)) levels.set(child, level + 1);
  }
  return levels;
}

/**
 * A technique and its ancestors without the root; null for other classes. Of several parents the first is followed, or, if that
 * leads into a cycle, the one nearest to the root.
 */
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
  const path = [id];
  while (path.length <= MAX_LEVELS) {
    const parents = jsonLdIds(nodes.get(path.at(-1)!)?.['rdfs:subClassOf']).filter((parent) => levels.has(parent));
    if (parents.includes(ROOT_TECHNIQUE)) return path;
    const above = choose(parents);
    if (path.includes(above)) return null;
    path.push(above);
  }
  return null;
}

/** Tactics that a technique enables, from its own property or from an OWL restriction that it is a subclass of. */
function enabledTactics(node: Node, nodes: ReadonlyMap<string, Node>): string[] {
  const restrictions = jsonLdIds(node['rdfs:subClassOf'])
    .map((id) => nodes.get(id))
    .filter((above) => jsonLdIds(above?.['owl:onProperty']).includes('d3f:enables'));
  return [node['d3f:enables'], ...restrictions.map((above) => above?.['owl:someValuesFrom'])].flatMap(jsonLdIds);
}

/** The texts of a JSON-LD value, which is one value or a list, each plain or `{"@value": ...}`. */
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
