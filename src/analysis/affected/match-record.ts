import { parseCpe } from '../cve/cpe.ts';
import type { CpeConfiguration, CpeConfigurationNode, CveFacts, CveProduct } from '../cve/cve-facts.ts';
import { matchPlatformRow, matchProductRow, namesSubject, ProductRow } from './match-product-row.ts';
import type { Subject } from './subject.ts';
import { allOf, anyOf, type Finding, negate } from './truth.ts';

/** The products of one source's record, their CPE names parsed once for all subjects. */
export interface PreparedRecord extends Pick<CveFacts, 'source' | 'configurations'> {
  rows: ProductRow[];
  /** Indexes of the vulnerable rows of a product. */
  byToken: ReadonlyMap<string, number[]>;
}

export type RecordKind = 'configuration' | 'product';

/** What one source's record says about a subject. */
export interface RecordFinding {
  source: CveFacts['source'];
  kind: RecordKind;
  finding: Finding;
}

export function prepareRecord({
  source,
  configurations,
  products,
}: Pick<CveFacts, 'source' | 'configurations' | 'products'>): PreparedRecord {
  // After the others, so that configurations still point at their rows.
  const plain = products.filter(({ cpe, product }) => cpe !== null && product !== null);
  const rows = [...products, ...plain.map(withoutCpe)].map((row) => new ProductRow(row));
  const vulnerable = [...rows.keys()].filter((index) => rows[index]!.row.vulnerable);
  return { source, configurations, rows, byToken: Map.groupBy(vulnerable, (index) => rows[index]!.token) };
}

/** A row by its plain names; a version that only the CPE name has is kept. */
function withoutCpe(row: CveProduct): CveProduct {
  return { ...row, cpe: null, version: row.version ?? parseCpe(row.cpe!)?.version ?? null };
}

/**
 * What a record says about a subject; null where it does not name its product as vulnerable. Its configurations are evaluated as
 * three-valued logic (NVD applicability statements; a name that is not vulnerable is what the product runs on); rows that are in
 * no configuration speak for themselves.
 */
export function matchRecord(record: PreparedRecord, subject: Subject): RecordFinding | null {
  const { source, configurations, rows, byToken } = record;
  const candidates = subject.names?.tokens.flatMap((token) => byToken.get(token) ?? []) ?? [];
  const naming = new Set(candidates.filter((index) => namesSubject(rows[index]!, subject)));
  if (naming.size === 0) return null;
  const inConfigurations = new Set<number>();
  const found: { kind: RecordKind; finding: Finding }[] = [];
  for (const [index, configuration] of configurations.entries()) {
    const named = configuration.nodes.flatMap(({ products }) => products.filter((product) => naming.has(product)));
    if (named.length === 0) continue;
    for (const product of named) inConfigurations.add(product);
    const finding = matchConfiguration(configuration, index, rows, naming, subject);
    if (finding !== null) found.push({ kind: 'configuration', finding });
  }
  for (const index of naming) {
    if (inConfigurations.has(index)) continue;
    found.push({ kind: 'product', finding: matchProductRow(rows[index]!, subject) });
  }
  const finding = anyOf(found.map((part) => part.finding));
  if (finding === null) return null;
  return { source, kind: found.find((part) => part.finding === finding)!.kind, finding };
}

function matchConfiguration(
  { operator, negate: isNegated, nodes }: CpeConfiguration,
  index: number,
  rows: readonly ProductRow[],
  naming: ReadonlySet<number>,
  subject: Subject,
): Finding | null {
  const parts = nodes.map((node, number) => ({
    ...matchNode(node, rows, naming, subject),
    number,
    isNaming: node.products.some((product) => naming.has(product)),
  }));
  // The node that names the subject first: it speaks for a configuration that holds.
  parts.sort((a, b) => Number(b.isNaming) - Number(a.isNaming));
  const relevant = operator === 'OR' ? parts.filter(({ isNaming }) => isNaming) : parts;
  const decisive = operator === 'OR' ? anyOf(relevant) : allOf(relevant);
  if (decisive === null) return null;
  const { number } = decisive as (typeof parts)[number];
  const { truth, unknown, reason, text } = isNegated ? negate(decisive) : decisive;
  const conditions = operator === 'AND' && truth === true ? parts.slice(1).map((part) => ` AND ${part.text}`) : [];
  return {
    truth,
    unknown,
    reason,
    text: `configuration ${index + 1}, node ${number + 1}: ${text}${conditions.join('')}`,
    fixed: truth === false || isNegated ? null : (relevant[0]?.fixed ?? null),
    cpe: relevant[0]?.cpe ?? null,
  };
}

/** A node that names the subject is about its versions; one that does not is about what it runs on. */
function matchNode(
  { operator, negate: isNegated, products }: CpeConfigurationNode,
  rows: readonly ProductRow[],
  naming: ReadonlySet<number>,
  subject: Subject,
): Finding {
  const match = (index: number): Finding =>
    naming.has(index) ? matchProductRow(rows[index]!, subject) : matchPlatformRow(rows[index]!, subject);
  const present = products.filter((index) => rows[index] !== undefined);
  const named = present.filter((index) => naming.has(index));
  const others = present.filter((index) => !naming.has(index));
  const parts = operator === 'AND' ? [...named, ...others] : named.length > 0 ? named : others;
  const findings = parts.map(match);
  const decisive = (operator === 'AND' ? allOf(findings) : anyOf(findings)) ?? EMPTY_NODE;
  return isNegated ? negate(decisive) : decisive;
}

const EMPTY_NODE: Finding = {
  truth: null,
  unknown: 'unreadable',
  reason: 'the configuration has a part without products',
  text: 'a part without products',
  fixed: null,
  cpe: null,
};
