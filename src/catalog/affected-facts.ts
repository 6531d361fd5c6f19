import { type AboutProducts, ROW } from '../analysis/affected/about-products.ts';
import type { AffectedFacts, RecordOutline } from '../analysis/affected/match-record.ts';
import type { CpeConfiguration, CveProduct, RecordSource } from '../analysis/cve/cve-facts.ts';
import { decodeBody, decodeConfiguration, decodeProduct, HeadReader, type StoredRecord } from './record-codec.ts';
import type { BodyProduct, ConfigurationRow } from './record-layout.ts';
import type { SharedTexts } from './shared-texts.ts';

/** What a record says of some products. */
export type FactsAboutProducts = AffectedFacts & RecordOutline;

/** Products and configurations of a record, and no more of it. */
export function decodeAffectedFacts(source: RecordSource, record: StoredRecord, texts: SharedTexts): AffectedFacts {
  const { products, more, configurations } = readParts(record, texts);
  for (const row of more) products.push(decodeProduct(row));
  return { source, products, configurations: configurations.map(decodeConfiguration) };
}

/**
 * The same with those rows alone that matter to a judgement about some products. Configurations keep their places; one that names none of the
 * products is empty.
 */
export function decodeFactsAbout(
  source: RecordSource,
  record: StoredRecord,
  texts: SharedTexts,
  about: AboutProducts,
): FactsAboutProducts {
  const { products, more, configurations } = readParts(record, texts);
  const relations = new Uint8Array(products.length + more.length);
  const registries = new Set<string>();
  let namesProducts = false;
  const look = (
    at: number,
    cpe: string | null,
    product: string | null,
    ecosystem: string | null,
    end: string | null,
  ) => {
    namesProducts = true;
    if (ecosystem !== null) registries.add(ecosystem);
    const relation = about.relationOf(cpe, product);
    relations[at] = relation === ROW.similar && end === null ? ROW.other : relation;
  };
  for (const [at, { vulnerable, cpe, product, ecosystem, end_excluding, end_including }] of products.entries()) {
    if (vulnerable) look(at, cpe, product, ecosystem, end_excluding ?? end_including);
  }
  for (const [
    at,
    [vulnerable, cpe = null, , , to = null, before = null, , product = null, , ecosystem = null],
  ] of more.entries()) {
    if (vulnerable === 1) look(products.length + at, cpe, product, ecosystem, before ?? to);
  }
  const related = configurations.map((row) => isRelated(row, relations));
  const keep = relations.slice();
  for (const [at, [, , nodes]] of configurations.entries()) {
    if (related[at]) for (const [, , rows] of nodes) for (const row of rows) keep[row] = ROW.named;
  }
  const kept: CveProduct[] = [];
  const places = new Int32Array(relations.length).fill(-1);
  for (let at = 0; at < relations.length; at++) {
    if (keep[at] === ROW.other) continue;
    places[at] = kept.length;
    kept.push(at < products.length ? products[at]! : decodeProduct(more[at - products.length]!));
  }
  return {
    source,
    products: kept,
    configurations: configurations.map((row, at) =>
      related[at] ? moved(decodeConfiguration(row), places) : UNRELATED,
    ),
    namesProducts,
    registries: [...registries],
  };
}

const UNRELATED: CpeConfiguration = { operator: 'OR', negate: false, nodes: [] };

function isRelated([, , nodes]: ConfigurationRow, relations: Uint8Array): boolean {
  return nodes.some(([, , rows]) => rows.some((row) => relations[row] === ROW.named));
}

/** The configuration with the places of its rows among those that were kept; -1 for a row that the record does not have. */
function moved({ nodes, ...rest }: CpeConfiguration, places: Int32Array): CpeConfiguration {
  return {
    ...rest,
    nodes: nodes.map((node) => ({ ...node, products: node.products.map((row) => places[row] ?? -1) })),
  };
}

interface Parts {
  /** Of the head. */
  products: CveProduct[];
  /** Of the body, not decoded yet. */
  more: readonly BodyProduct[];
  configurations: readonly ConfigurationRow[];
}

function readParts({ head, body }: StoredRecord, texts: SharedTexts): Parts {
  const reader = new HeadReader(head, texts);
  reader.skipToTree();
  const rest = body == null ? null : decodeBody(body);
  const tree = reader.configurations();
  return {
    products: reader.products(),
    more: rest?.[1] ?? [],
    configurations: rest?.[2].length ? rest[2] : tree,
  };
}
