import { constants, zstdCompressSync } from 'node:zlib';
import type { CveFacts, CveProduct } from '../analysis/cve/cve-facts.ts';
import { parseCpe } from '../analysis/cve/cpe.ts';
import { assessReferences } from '../analysis/cve/patch-reference.ts';
import {
  type BasicRow,
  type Body,
  type BodyProduct,
  type ConfigurationRow,
  FIRST_PRODUCT_TEXT_BIT,
  FIX_URL,
  type FixRow,
  MAX_HEAD_PRODUCTS,
  MAX_HEAD_REFERENCES,
  MAX_SHARED_TREE_CHARACTERS,
  type MetricRow,
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
import { MAX_VARINT_BYTES, writeVarint } from './varints.ts';

const COMPRESS_FROM_BYTES = 512;
/** A CPE 2.3 name to its product, its version, and the rest; a backslash escapes a colon. */
const CPE_PARTS = /^(cpe:2\.3:[^:]:(?:\\.|[^:\\])*:(?:\\.|[^:\\])*):((?:\\.|[^:\\])*)(:.*)$/s;

/** Scheme, host and first folder: longer parts are in so few records that a table of them would be as long as what it saves. */
const COMMON_URL_PART = /^[a-z]+:\/\/[^/]*\/(?:[^/]*\/)?/;

/** A record before its shared texts have their numbers in the catalog; `body` is null if the head holds everything. */
export interface EncodedRecord {
  /** Numbers of texts, as `texts` of the encoder gave them. */
  numbers: number[];
  /** JSON array. */
  own: string;
  body: Uint8Array | null;
  patchAvailable: boolean | null;
}

/** Encodes a record as `record-layout.ts` describes, its references in the order of `assessReferences`. */
export function encodeRecord(facts: CveFacts, texts: TextNumbers): EncodedRecord {
  const { references, ...finding } = assessReferences(facts);
  const numbers: number[] = [];
  const own: unknown[] = [timeToUnits(facts.published), timeToUnits(facts.modified), facts.title, facts.description];
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
  for (const { url, tags, source } of headReferences) {
    shareRow([source, ...tags] satisfies ReferenceRow);
    const [shared] = COMMON_URL_PART.exec(url) ?? [''];
    share(shared);
    own.push(url.slice(shared.length));
  }
  const body = encodeBody([
    references.slice(MAX_HEAD_REFERENCES).map(({ url, tags, source }) => [url, tags, source]),
    facts.products.slice(MAX_HEAD_PRODUCTS).map(encodeProduct),
    sharesTree ? [] : facts.configurations.map(encodeConfiguration),
  ]);
  return { numbers, own: JSON.stringify(own), body, patchAvailable: finding.patch_available };
}

/** The stored form of a head; `numberOf` turns the numbers of the encoder into those of the catalog. */
export function packHead(numbers: readonly number[], own: string, numberOf: (number: number) => number): Uint8Array {
  const packed = packNumbers(numbers, numberOf);
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

function encodeProduct(product: CveProduct): BodyProduct {
  const row: BodyProduct = [product.vulnerable ? 1 : 0, product.cpe, ...PRODUCT_TEXTS.map((name) => product[name])];
  while (row.length > 1 && row.at(-1) === null) row.pop();
  return row;
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

/** JSON, compressed if it is long. The first byte tells which: JSON begins with `[`, zstd's magic number does not. */
function encodeBody(body: Body): Uint8Array | null {
  if (body.every((part) => part.length === 0)) return null;
  const plain = Buffer.from(JSON.stringify(body));
  if (plain.length < COMPRESS_FROM_BYTES) return plain;
  return zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
}
