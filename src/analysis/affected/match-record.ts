import type { CpeConfiguration, CpeConfigurationNode, CveFacts, CveProduct } from '../cve/cve-facts.ts';
import {
  describeVersions,
  matchPlatformRow,
  matchProductRow,
  namesSubject,
  ProductRow,
  testProductRow,
} from './match-product-row.ts';
import { findOtherNumbering, type OtherNumbering } from '../versions/other-numbering.ts';
import type { Subject } from './subject.ts';
import { hasRange } from './test-version.ts';
import { allOf, anyOf, type Finding, negate, type Outcome } from './truth.ts';

/** The part of a CVE record that decides whether a product is affected. */
export type AffectedFacts = Pick<CveFacts, 'source' | 'configurations' | 'products'>;

/** What a judgement needs to know of all rows of a record, also where only those about some products were read. */
export interface RecordOutline {
  /** Whether any row names an affected product. */
  namesProducts: boolean;
  /** The registries of its affected packages, as the source writes them. */
  registries: readonly string[];
}

/** The products of one source's record, their CPE names parsed once for all subjects. */
export interface PreparedRecord extends Omit<AffectedFacts, 'products'>, RecordOutline {
  rows: ProductRow[];
  /** Indexes of the vulnerable rows of a product. */
  byToken: ReadonlyMap<string, number[]>;
  /** By the index of a row, the indexes of the configurations that it stands in; undefined for none. */
  configurationsOf: readonly (readonly number[] | undefined)[];
}

export type RecordKind = 'configuration' | 'product';

/** What one source's record says about a subject. */
export interface RecordFinding {
  source: CveFacts['source'];
  kind: RecordKind;
  finding: Finding;
}

/** Facts that are a part of a record have the outline of the whole one. */
export function prepareRecord(facts: AffectedFacts | (AffectedFacts & RecordOutline)): PreparedRecord {
  return prepareRows(
    facts,
    facts.products.map((product) => new ProductRow(product)),
  );
}

/** The same with rows that may stand in other records, too. */
export function prepareRows(
  facts: AffectedFacts | (AffectedFacts & RecordOutline),
  ownRows: readonly ProductRow[],
): PreparedRecord {
  const { source, configurations, products } = facts;
  const { namesProducts, registries } = 'registries' in facts ? facts : outlineOf(products);
  const rows: ProductRow[] = [];
  const byToken = new Map<string, number[]>();
  const add = (row: ProductRow): void => {
    const index = rows.push(row) - 1;
    if (!row.row.vulnerable) return;
    const indexes = byToken.get(row.token);
    if (indexes === undefined) byToken.set(row.token, [index]);
    else indexes.push(index);
  };
  for (const row of ownRows) add(row);
  // After the others, so that configurations still point at their rows.
  for (const { plain } of ownRows) if (plain !== null) add(plain);
  const configurationsOf = configurationsByRow(configurations);
  return { source, configurations, rows, byToken, configurationsOf, namesProducts, registries };
}

function outlineOf(products: readonly CveProduct[]): RecordOutline {
  const affected = products.filter(({ vulnerable }) => vulnerable);
  return {
    namesProducts: affected.length > 0,
    registries: [...new Set(affected.flatMap(({ ecosystem }) => ecosystem ?? []))],
  };
}

function configurationsByRow(configurations: AffectedFacts['configurations']): number[][] {
  const byRow: number[][] = [];
  for (const [index, { nodes }] of configurations.entries()) {
    for (const { products } of nodes) {
      for (const product of products) {
        const known = (byRow[product] ??= []);
        if (known.at(-1) !== index) known.push(index);
      }
    }
  }
  return byRow;
}

/**
 * What a record says about a subject; null where it does not name its product as vulnerable. Its configurations are evaluated as
 * three-valued logic (NVD applicability statements; a name that is not vulnerable is what the product runs on); rows that are in
 * no configuration speak for themselves.
 */
export function matchRecord(record: PreparedRecord, subject: Subject): RecordFinding | null {
  const { source, configurations, rows, byToken, configurationsOf } = record;
  const candidates = subject.names?.tokens.flatMap((token) => byToken.get(token) ?? []) ?? [];
  if (candidates.length === 0) return null;
  const naming = new Set(candidates.filter((index) => namesSubject(rows[index]!, subject)));
  if (naming.size === 0) return null;
  const match: Match = { rows, naming, subject, describeAll: describeOnce(rows, naming) };
  const named = new Set([...naming].flatMap((index) => configurationsOf[index] ?? []));
  const inConfigurations = [...named]
    .sort((a, b) => a - b)
    .flatMap((index) => matchConfiguration(configurations[index]!, index, match) ?? []);
  const alone = testRows(
    [...naming].filter((index) => configurationsOf[index] === undefined),
    match,
  );
  const first = anyOf<Finding | TestedRow>([...inConfigurations, ...alone]);
  if (first === null) return null;
  const [kind, decisive] =
    'index' in first ? (['product', describe(first, match)] as const) : (['configuration', first] as const);
  // A part of the product is another product of the record.
  const numbering = byToken.size < 2 ? null : findOtherNumbering(rows, (index) => naming.has(index), subject.version);
  if (numbering !== null && decisive.unknown !== 'condition') {
    return { source, kind, finding: toOtherNumbering(decisive, numbering, subject) };
  }
  const finding = decisive.truth === false && hasLostRanges(match) ? toLostRange(decisive, match) : decisive;
  if (finding.unknown !== 'no_version' || finding.fixed === null) return { source, kind, finding };
  // Branches are fixed in different versions: without a version none of them is the fix.
  const ends = new Set([...naming].map((index) => rows[index]!.row.end_excluding));
  return { source, kind, finding: ends.size > 1 ? { ...finding, fixed: null } : finding };
}

/** Whether a record names the subject's product as vulnerable with a range of versions. */
export function namesWithRange({ rows, byToken }: PreparedRecord, subject: Subject): boolean {
  const candidates = subject.names?.tokens.flatMap((token) => byToken.get(token) ?? []) ?? [];
  return candidates.some((index) => hasRange(rows[index]!.row) && namesSubject(rows[index]!, subject));
}

/** A record that is matched against a subject. */
interface Match {
  rows: readonly ProductRow[];
  /** Indexes of the rows that name the subject. */
  naming: ReadonlySet<number>;
  subject: Subject;
  /** The affected versions of the subject's product, as far as they fit a sentence. */
  describeAll: () => string;
}

/** The outcome for a row of a record, by its index. */
interface TestedRow extends Outcome {
  index: number;
}

/** Tests rows that name the subject, up to the first that holds: whichever rows follow, that one decides. */
function testRows(indexes: readonly number[], { rows, subject }: Match): TestedRow[] {
  const tested: TestedRow[] = [];
  for (const index of indexes) {
    const { truth, unknown } = testOnce(rows[index]!, subject);
    tested.push({ index, truth, unknown });
    if (truth === true) break;
  }
  return tested;
}

function testOnce(row: ProductRow, subject: Subject): Outcome {
  const { tested } = subject;
  if (tested === undefined) return testProductRow(row, subject);
  let outcome = tested.get(row);
  if (outcome === undefined) tested.set(row, (outcome = testProductRow(row, subject)));
  return outcome;
}

function describe({ index }: TestedRow, { rows, subject, describeAll }: Match): Finding {
  return matchProductRow(rows[index]!, subject, describeAll);
}

/** `10.2.0` and `10.2` of the release line `10.2`. */
const FIRST_OF_LINE = /^(\d+\.\d+)(?:\.0)*$/;
const VERSION_OF_LINE = /^v?(\d+\.\d+)\.\d/;

/**
 * Whether the record names only the first versions of several release lines, one of them that of the subject: so it looks where a range
 * (`10.2 before 10.2.9-h1`) was converted to the version that it begins with.
 */
function hasLostRanges({ rows, naming, subject }: Match): boolean {
  const line = VERSION_OF_LINE.exec(subject.version ?? '')?.[1];
  if (line === undefined) return false;
  const lines = new Set<string>();
  for (const index of naming) {
    const first = FIRST_OF_LINE.exec(describeVersions(rows[index]!))?.[1];
    if (first === undefined) return false;
    lines.add(first);
  }
  return lines.size > 1 && lines.has(line);
}

function toLostRange(finding: Finding, { subject, describeAll }: Match): Finding {
  const reason = `only the first versions of release lines are named (${describeAll()}): whether ${subject.version} is affected is not told`;
  return { ...finding, truth: null, unknown: 'no_range', reason };
}

/** The record knows two numberings, and the version is of the other one: what it says of its own numbers does not hold, nor its fix. */
function toOtherNumbering(finding: Finding, { product, end, ownEnd }: OtherNumbering, { version }: Subject): Finding {
  const reason = `${version} has the numbers of ${product}, where ${ownEnd} is ${end}: with them the versions of this name cannot be compared`;
  return { ...finding, truth: null, unknown: 'numbering', reason, fixed: null };
}

const MAX_SHOWN_VERSIONS = 5;

function describeOnce(rows: readonly ProductRow[], naming: ReadonlySet<number>): () => string {
  let described: string | null = null;
  return () => (described ??= describeRows(rows, naming));
}

function describeRows(rows: readonly ProductRow[], naming: ReadonlySet<number>): string {
  const shown = new Set<string>();
  for (const index of naming) {
    const versions = describeVersions(rows[index]!);
    if (versions !== '') shown.add(versions);
    if (shown.size > MAX_SHOWN_VERSIONS) break;
  }
  const texts = [...shown];
  return texts.length <= MAX_SHOWN_VERSIONS ? texts.join(', ') : `${texts.slice(0, -1).join(', ')} and others`;
}

function matchConfiguration(
  { operator, negate: isNegated, nodes }: CpeConfiguration,
  index: number,
  match: Match,
): Finding | null {
  const parts = nodes.map((node, number) => ({
    ...matchNode(node, match),
    number,
    isNaming: node.products.some((product) => match.naming.has(product)),
  }));
  // The node that names the subject first: it speaks for a configuration that holds.
  parts.sort((a, b) => Number(b.isNaming) - Number(a.isNaming));
  const relevant = operator === 'OR' ? parts.filter(({ isNaming }) => isNaming) : parts;
  const decisive = operator === 'OR' ? anyOf(relevant) : allOf(relevant);
  if (decisive === null) return null;
  const { number } = decisive;
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
function matchNode({ operator, negate: isNegated, products }: CpeConfigurationNode, match: Match): Finding {
  const { rows, naming, subject } = match;
  const own = products.filter((index) => naming.has(index));
  if (operator === 'OR' && own.length > 0) {
    const tested = anyOf(testRows(own, match))!;
    return isNegated ? negate(describe(tested, match)) : describe(tested, match);
  }
  const findings = own.map((index) => matchProductRow(rows[index]!, subject, match.describeAll));
  for (const index of products) {
    const row = rows[index];
    if (row !== undefined && !naming.has(index)) findings.push(matchPlatformRow(row, subject));
  }
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
