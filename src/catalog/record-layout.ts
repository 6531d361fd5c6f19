import type { CvssAssessment, SsvcAssessment } from '../analysis/cve/cve-facts.ts';
import type { FixFinding } from '../analysis/cve/patch-reference.ts';

/**
 * How a CVE record is stored. The `head` is enough for most answers: it has all fields, but only the first references and
 * products, and no applicability tree. The rest of these lists is the `body`, which is read on demand.
 *
 * A head is the length of its numbers, the numbers (varints, each of a shared text), and a JSON array of the texts that the record
 * has for itself. Both are read in order. Numbers: `BasicRow`, `ShapeRow`, metrics, weaknesses, `SsvcRow`, `FixRow`, configurations,
 * products, references. Own texts: published, modified, title, description, time of SSVC, URL and versions of the fix, ends of URLs.
 * Of what a record may lack, `ShapeRow` says whether it is there. The time of change is 0 where it is the one in the column `modified`.
 *
 * A body has the same form: configurations, where they are not in the head, then the products and references that follow those of the
 * head. It is not compressed for itself: what many records have in common would be hidden from the compression of the whole catalog.
 *
 * Configurations in a body are numbers, too, but none of texts: of each the number of its nodes with its two flags, and of each node the number
 * of its products with its two flags, and the products, each as how far it is from the one before in the record (`zigzag`).
 */
export const MAX_HEAD_REFERENCES = 10;
export const MAX_HEAD_PRODUCTS = 20;
/** Longer applicability trees are seldom the same in two records: they are in the body. */
export const MAX_SHARED_TREE_CHARACTERS = 80;

// Shared texts that are JSON.
export type BasicRow = [status: string, rejected: 0 | 1, assigner: string | null, tags: string[]];
export type MetricRow = [
  CvssAssessment['version'],
  vector: string,
  score: number | null,
  CvssAssessment['base_severity'],
  scorer: string,
  primary: 0 | 1,
];
export type SsvcRow = [
  SsvcAssessment['exploitation'],
  SsvcAssessment['automatable'],
  SsvcAssessment['technical_impact'],
  source: string,
];
/** `urlAt` says where the URL of the fix is stored: as the index of a reference in the head, or one of `FIX_URL`. */
export type FixRow = [patchAvailable: boolean | null, FixFinding['fix']['kind'], urlAt: number, versions: number];
/** A URL of its own among the texts; no URL. */
export const FIX_URL = { own: -1, none: -2 } as const;
export type ShapeRow = [
  metrics: number,
  weaknesses: number,
  references: number,
  products: number,
  configurations: number,
  flags: number,
];
export const SHAPE_FLAGS = {
  namesVersions: 1,
  ssvc: 2,
  fix: 4,
  /** The configurations are a shared text, not in the body. */
  sharedTree: 8,
} as const;
export type WeaknessRow = [cweId: string, source: string];
export type ConfigurationRow = [and: 0 | 1, negate: 0 | 1, nodes: [and: 0 | 1, negate: 0 | 1, products: number[]][]];
/** The source and tags of a reference. Its URL is two texts: what many have in common, and the rest. */
export type ReferenceRow = [source: string | null, ...tags: string[]];
/** `fields` has a bit for each text that follows, of `PRODUCT_BITS`. `cpeEnd`: what follows the version of a CPE name. */
export type ProductRow = [fields: number, cpeEnd: string];
export const PRODUCT_BITS = {
  vulnerable: 1,
  /** A CPE name as two texts, to the version and the version; `cpeEnd` follows. */
  cpe: 2,
  /** A CPE name of another form, as one text. */
  oddCpe: 4,
} as const;
/** Their bits follow those of `PRODUCT_BITS`. */
export const PRODUCT_TEXTS = [
  'start_including',
  'start_excluding',
  'end_including',
  'end_excluding',
  'vendor',
  'product',
  'version',
  'ecosystem',
] as const;
export const FIRST_PRODUCT_TEXT_BIT = 8;

/** A count with the two flags of a configuration or a node. */
export function packCount(count: number, isAnd: boolean, negate: boolean): number {
  return count * 4 + (isAnd ? 2 : 0) + (negate ? 1 : 0);
}
