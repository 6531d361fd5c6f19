import { type AboutProducts, ROW } from '../analysis/affected/about-products.ts';
import type { AffectedFacts, RecordOutline } from '../analysis/affected/match-record.ts';
import type { CpeConfiguration, CveProduct, RecordSource } from '../analysis/cve/cve-facts.ts';
import { decodeConfiguration, HeadReader, type StoredRecord } from './record-codec.ts';
import type { SharedTexts } from './shared-texts.ts';

/** What a record says of some products. */
export type FactsAboutProducts = AffectedFacts & RecordOutline;

/** Products and configurations of a record, and no more of it. */
export function decodeAffectedFacts(
  source: RecordSource,
  { head, body }: Pick<StoredRecord, 'head' | 'body'>,
  texts: SharedTexts,
): AffectedFacts {
  const reader = new HeadReader(head, texts);
  reader.skipToTree();
  const rest = body == null ? null : reader.restIn(body);
  const configurations = reader.configurations()?.map(decodeConfiguration) ?? rest?.configurations() ?? [];
  const products = reader.products();
  if (rest !== null) for (const product of rest.products()) products.push(product);
  return { source, products, configurations };
}

/**
 * The same with those rows alone that matter to a judgement about some products. Configurations keep their places; one that names none of the
 * products is empty.
 */
export function decodeFactsAbout(
  source: RecordSource,
  record: Pick<StoredRecord, 'head' | 'body'>,
  texts: SharedTexts,
  about: AboutProducts,
): FactsAboutProducts {
  const { products, configurations } = decodeAffectedFacts(source, record, texts);
  const relations = new Uint8Array(products.length);
  const registries = new Set<string>();
  let namesProducts = false;
  for (const [at, { vulnerable, cpe, product, ecosystem, end_excluding, end_including }] of products.entries()) {
    if (!vulnerable) continue;
    namesProducts = true;
    if (ecosystem !== null) registries.add(ecosystem);
    const relation = about.relationOf(cpe, product);
    const hasEnd = end_excluding !== null || end_including !== null;
    relations[at] = relation === ROW.similar && !hasEnd ? ROW.other : relation;
  }
  const related = configurations.map((configuration) => isRelated(configuration, relations));
  const keep = relations.slice();
  for (const [at, { nodes }] of configurations.entries()) {
    if (related[at]) for (const node of nodes) for (const row of node.products) keep[row] = ROW.named;
  }
  const kept: CveProduct[] = [];
  const places = new Int32Array(relations.length).fill(-1);
  for (const [at, product] of products.entries()) {
    if (keep[at] === ROW.other) continue;
    places[at] = kept.length;
    kept.push(product);
  }
  return {
    source,
    products: kept,
    configurations: configurations.map((configuration, at) => (related[at] ? moved(configuration, places) : UNRELATED)),
    namesProducts,
    registries: [...registries],
  };
}

const UNRELATED: CpeConfiguration = { operator: 'OR', negate: false, nodes: [] };

function isRelated({ nodes }: CpeConfiguration, relations: Uint8Array): boolean {
  return nodes.some(({ products }) => products.some((row) => relations[row] === ROW.named));
}

/** The configuration with the places of its rows among those that were kept; -1 for a row that the record does not have. */
function moved({ nodes, ...rest }: CpeConfiguration, places: Int32Array): CpeConfiguration {
  return {
    ...rest,
    nodes: nodes.map((node) => ({ ...node, products: node.products.map((row) => places[row] ?? -1) })),
  };
}
