import { gunzipSync } from 'node:zlib';
import { feedFile, feedJson, zipFiles } from './files.ts';

/** D3FEND's mappings as plain rows, and its ontology by name, read with nothing of the parsers under test. */
export interface Row {
  [variable: string]: string;
}

const plain = (bindings: any[]): Row[] =>
  bindings.map((binding) => Object.fromEntries(Object.entries<any>(binding).map(([name, { value }]) => [name, value])));

export const fragment = (uri: string): string => uri.slice(uri.indexOf('#') + 1);

export function mappingRows(): Row[] {
  return plain(feedJson('d3fend', 'd3fend-full-mappings.json').results.bindings);
}

/** The rows of the archive of single answers that name a defense. */
export function answerRows(): Row[] {
  return answerFiles()
    .flatMap(({ content }) => plain(JSON.parse(content.toString('utf8')).off_to_def.results.bindings))
    .filter((row) => row['def_tech'] !== undefined);
}

export function answerFiles(): { name: string; content: Buffer }[] {
  const archive = zipFiles(feedFile('d3fend', 'api-0.17.0.zip'));
  return [...archive].filter(({ name }) => name.includes('/offensive-technique/attack/'));
}

export function derivedMappings(): string {
  return gunzipSync(feedFile('d3fend', 'derived-1.2.0', 'd3fend-full-mappings.json.gz')).toString('utf8');
}

export function derivedRows(): Row[] {
  return plain(JSON.parse(derivedMappings()).results.bindings);
}

/** Nodes of the ontology by their name. */
export function ontologyNodes(...path: string[]): Map<string, any> {
  const graph: any[] = feedJson('d3fend', ...path)['@graph'];
  return new Map(graph.map((node) => [String(node['@id']).replace('d3f:', ''), node]));
}

/** By ATT&CK technique: the defenses in its rows, sorted. */
export function defensesByAttack(rows: readonly Row[]): Map<string, string[]> {
  const grouped = Map.groupBy(rows, (row) => row['off_tech_id']!);
  return new Map(
    [...grouped].map(([id, own]) => [id, [...new Set(own.map((row) => fragment(row['def_tech']!)))].sort()]),
  );
}
