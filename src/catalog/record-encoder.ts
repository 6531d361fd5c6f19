import type { CveFacts, CveProduct, CveReference } from '../analysis/cve/cve-facts.ts';
import { parseCpe } from '../analysis/cve/cpe.ts';
import { assessReferences } from '../analysis/cve/patch-reference.ts';
import {
  type BasicRow,
  type ConfigurationRow,
  FIRST_PRODUCT_TEXT_BIT,
  FIX_URL,
  type FixRow,
  MAX_HEAD_PRODUCTS,
  MAX_HEAD_REFERENCES,
  MAX_SHARED_TREE_CHARACTERS,
  type MetricRow,
  packCount,
  PRODUCT_BITS,
  PRODUCT_TEXTS,
  type ProductRow,
  type ReferenceRow,
  SHAPE_FLAGS,
  type ShapeRow,
  type SsvcRow,
  type WeaknessRow,
} from './record-layout.ts';
import type { TextNumbers } from './shared-texts.ts';
import { MAX_VARINT_BYTES, writeVarint, zigzag } from './varints.ts';

/** A CPE 2.3 name to its product, its version, and the rest; a backslash escapes a colon. */
const CPE_PARTS = /^(cpe:2\.3:[^:]:(?:\\.|[^:\\])*:(?:\\.|[^:\\])*):((?:\\.|[^:\\])*)(:.*)$/s;

/** Scheme, host and first folder: longer parts are in so few records that a table of them would be as long as what it saves. */
const COMMON_URL_PART = /^[a-z]+:\/\/[^/]*\/(?:[^/]*\/)?/;

/** A head or a body before its shared texts have their numbers in the catalog. */
export interface EncodedPart {
  /** How many of the numbers, the first ones, are not those of texts. */
  plain: number;
  /** Numbers of texts, as `texts` of the encoder gave them. */
  numbers: number[];
  /** JSON array. */
  own: string;
}

/** `body` is null if the head holds everything. */
export interface EncodedRecord {
  head: EncodedPart;
  body: EncodedPart | null;
  patchAvailable: boolean | null;
}

/** Encodes a record as `record-layout.ts` describes, its references in the order of `assessReferences`. */
export function encodeRecord(facts: CveFacts, texts: TextNumbers): EncodedRecord {
  const { references, ...finding } = assessReferences(facts);
  const numbers: number[] = [];
  const modified = timeToUnits(facts.modified);
  const own: unknown[] = [
    timeToUnits(facts.published),
    typeof modified === 'number' ? 0 : modified,
    facts.title,
    facts.description,
  ];
  const share = (text: string): unknown => numbers.push(texts.numberOf(text));
  const shareRow = (row: unknown): unknown => share(JSON.stringify(row));

  const basic: BasicRow = [facts.status, facts.rejected ? 1 : 0, facts.assigner, facts.tags];
  shareRow(basic);
  const tree = facts.configurations.length === 0 ? null : JSON.stringify(facts.configurations.map(encodeConfiguration));
  const sharesTree = tree !== null && tree.length <= MAX_SHARED_TREE_CHARACTERS;
  const hasFix = finding.patch_available !== null || finding.fix.kind !== 'none_known';
  const shape: ShapeRow = [
    facts.metrics.length,
    facts.weaknesses.length,
    references.length,
    facts.products.length,
    facts.configurations.length,
    (facts.products.some(namesVersion) ? SHAPE_FLAGS.namesVersions : 0) |
      (facts.ssvc === null ? 0 : SHAPE_FLAGS.ssvc) |
      (hasFix ? SHAPE_FLAGS.fix : 0) |
      (sharesTree ? SHAPE_FLAGS.sharedTree : 0),
  ];
  shareRow(shape);
  for (const { version, vector, base_score, base_severity, scorer, primary } of facts.metrics) {
    const row: MetricRow = [version, vector, base_score, base_severity, scorer, primary ? 1 : 0];
    shareRow(row);
  }
  for (const { cwe_id, source } of facts.weaknesses) shareRow([cwe_id, source] satisfies WeaknessRow);
  if (facts.ssvc !== null) {
    const { exploitation, automatable, technical_impact, source, at } = facts.ssvc;
    shareRow([exploitation, automatable, technical_impact, source] satisfies SsvcRow);
    own.push(at);
  }
  const headReferences = references.slice(0, MAX_HEAD_REFERENCES);
  if (hasFix) {
    const { patch_available, fix } = finding;
    const urlAt = fix.url === null ? FIX_URL.none : headReferences.findIndex(({ url }) => url === fix.url);
    shareRow([patch_available, fix.kind, urlAt, fix.versions.length] satisfies FixRow);
    if (urlAt === FIX_URL.own) own.push(fix.url);
    own.push(...fix.versions);
  }
  if (sharesTree) share(tree);
  for (const product of facts.products.slice(0, MAX_HEAD_PRODUCTS)) shareProduct(product, share);
  for (const reference of headReferences) own.push(shareReference(reference, share));
  return {
    head: { plain: 0, numbers, own: JSON.stringify(own) },
    body: encodeBody(
      sharesTree ? [] : facts.configurations,
      facts.products.slice(MAX_HEAD_PRODUCTS),
      references.slice(MAX_HEAD_REFERENCES),
      texts,
    ),
    patchAvailable: finding.patch_available,
  };
}

function encodeBody(
  configurations: CveFacts['configurations'],
  products: readonly CveProduct[],
  references: readonly CveReference[],
  texts: TextNumbers,
): EncodedPart | null {
  if (configurations.length + products.length + references.length === 0) return null;
  const numbers = treeNumbers(configurations);
  const plain = numbers.length;
  const share = (text: string): unknown => numbers.push(texts.numberOf(text));
  for (const product of products) shareProduct(product, share);
  const own = references.map((reference) => shareReference(reference, share));
  return { plain, numbers, own: JSON.stringify(own) };
}

/** The stored form of a head or a body; `numberOf` turns the numbers of the encoder into those of the catalog. */
export function packPart({ plain, numbers, own }: EncodedPart, numberOf: (number: number) => number): Uint8Array {
  const packed = packNumbers(numbers, (number, at) => (at < plain ? number : numberOf(number)));
  const lengthBytes = Buffer.alloc(MAX_VARINT_BYTES);
  const length = lengthBytes.subarray(0, writeVarint(lengthBytes, 0, packed.length));
  return Buffer.concat([length, packed, Buffer.from(own)]);
}

/** Numbers as varints, each first turned into what `numberOf` gives for it and its position. */
export function packNumbers(
  numbers: readonly number[],
  numberOf: (number: number, at: number) => number = (number) => number,
): Uint8Array {
  const bytes = Buffer.allocUnsafe(numbers.length * MAX_VARINT_BYTES);
  let end = 0;
  for (let at = 0; at < numbers.length; at++) end = writeVarint(bytes, end, numberOf(numbers[at]!, at));
  return bytes.subarray(0, end);
}

/** A time of the usual form (`2021-12-10T10:15:09.143Z`) as milliseconds since 1970, another text as it is. */
function timeToUnits(text: string | null): number | string | null {
  if (text === null || text.length !== 24) return text;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || new Date(ms).toISOString() !== text ? text : ms;
}

function shareProduct(product: CveProduct, share: (text: string) => unknown): void {
  const cpe = product.cpe === null ? null : CPE_PARTS.exec(product.cpe);
  let fields = product.vulnerable ? PRODUCT_BITS.vulnerable : 0;
  if (product.cpe !== null) fields |= cpe === null ? PRODUCT_BITS.oddCpe : PRODUCT_BITS.cpe;
  PRODUCT_TEXTS.forEach((name, at) => {
    if (product[name] !== null) fields |= FIRST_PRODUCT_TEXT_BIT << at;
  });
  share(JSON.stringify([fields, cpe?.[3] ?? ''] satisfies ProductRow));
  if (cpe !== null) {
    share(cpe[1]!);
    share(cpe[2]!);
  } else if (product.cpe !== null) share(product.cpe);
  for (const name of PRODUCT_TEXTS) if (product[name] !== null) share(product[name]);
}

/** Gives the part of the URL that the record has for itself. */
function shareReference({ url, tags, source }: CveReference, share: (text: string) => unknown): string {
  share(JSON.stringify([source, ...tags] satisfies ReferenceRow));
  const [shared] = COMMON_URL_PART.exec(url) ?? [''];
  share(shared);
  return url.slice(shared.length);
}

/** Configurations as the numbers of a body. */
function treeNumbers(configurations: CveFacts['configurations']): number[] {
  const numbers: number[] = [];
  let last = -1;
  for (const { operator, negate, nodes } of configurations) {
    numbers.push(packCount(nodes.length, operator === 'AND', negate));
    for (const node of nodes) {
      numbers.push(packCount(node.products.length, node.operator === 'AND', node.negate));
      for (const product of node.products) {
        numbers.push(zigzag(product - last));
        last = product;
      }
    }
  }
  return numbers;
}

function encodeConfiguration({ operator, negate, nodes }: CveFacts['configurations'][number]): ConfigurationRow {
  return [
    operator === 'AND' ? 1 : 0,
    negate ? 1 : 0,
    nodes.map((node) => [node.operator === 'AND' ? 1 : 0, node.negate ? 1 : 0, node.products]),
  ];
}

/** Whether the product is vulnerable in a version or a range that is named. */
export function namesVersion({ vulnerable, cpe, version, ...range }: CveProduct): boolean {
  if (!vulnerable) return false;
  if (
    version !== null ||
    (range.start_including ?? range.start_excluding ?? range.end_including ?? range.end_excluding) !== null
  )
    return true;
  const ofCpe = cpe === null ? null : (parseCpe(cpe)?.version ?? null);
  return ofCpe !== null && ofCpe !== '-';
}
