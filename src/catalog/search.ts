import type { Severity } from '../analysis/severity.ts';
import { EPSS_SCALE, type CveColumns, FLAGS, NO_CVSS, NO_EPSS, SEVERITY_CODES } from './cve-columns.ts';
import type { ProductName } from './identities.ts';
import { OrdinalSet } from './ordinal-set.ts';
import type { TextMatches } from './text-search.ts';
import { AFFECTED_KINDS, POSTING_KINDS, type PostingQuery, type PostingReader } from './postings.ts';

/** Finds CVEs by the products and weaknesses that they name. */
export type PostingSets = Pick<PostingReader, 'setOf'>;

const TAGGED_KINDS = [...AFFECTED_KINDS, POSTING_KINDS.platform, POSTING_KINDS.targetSoftware];
/** Where fewer than one CVE in so many is found, sorting what is found is faster than looking for it in the sorted column. */
const SPARSE = 64;
/** Ordinals are below it, and a score times it is an exact number. */
const ORDINAL_LIMIT = 2 ** 32;
const SCORE_STEPS = 1000;

export type CveSort = 'published_desc' | 'epss_desc' | 'cvss_desc' | 'relevance';

/** All given filters must match. Product and vendor have the form of `normalizeCpeToken()`. */
export interface CveFilters {
  product?: string | undefined;
  vendor?: string | undefined;
  /** In place of product and vendor: any of these names. */
  productNames?: readonly ProductName[] | undefined;
  /** Also match CVEs in which the product is only the platform or the target software. */
  tagged?: boolean;
  cweId?: string | undefined;
  severity?: Severity | undefined;
  /** Of this severity or a higher one. */
  severityMin?: Severity | undefined;
  /** Seconds since 1970, both inclusive. */
  publishedFrom?: number | undefined;
  publishedTo?: number | undefined;
  kev?: boolean;
  epssMin?: number | undefined;
  cvssMin?: number | undefined;
  cvssMax?: number | undefined;
  /** Only CVEs that advisory sources published before the NVD. */
  leading?: boolean;
  includeRejected?: boolean;
  /** Words that titles, descriptions or products must have. */
  words?: string | undefined;
}

/** What is searched for, and which page of it. */
export interface CveQuery extends CveFilters {
  /** `relevance`: the best match of `words` first. */
  sort: CveSort;
  limit: number;
  offset: number;
}

export interface CvePage {
  total: number;
  /** `cveKey()` of the page's rows, in order. */
  keys: number[];
}

/** Searches the columns. `matches` are those of the query's words. */
export function searchCves(
  columns: CveColumns,
  postings: PostingReader,
  query: CveQuery,
  matches: TextMatches | null = null,
): CvePage {
  return pageOf(findCves(columns, postings, query, matches), columns, query, matches);
}

/** The page that the query asks for of what it finds. */
export function pageOf(found: OrdinalSet, columns: CveColumns, query: CveQuery, matches: TextMatches | null): CvePage {
  const { total, ordinals } = ordinalsOfPage(found, columns, query, matches);
  return { total, keys: ordinals.map((ordinal) => columns.key[ordinal]!) };
}

/** The same as ordinals. */
export function ordinalsOfPage(
  found: OrdinalSet,
  columns: CveColumns,
  query: CveQuery,
  matches: TextMatches | null,
): { total: number; ordinals: readonly number[] } {
  const total = found.count;
  return { total, ordinals: query.limit === 0 ? [] : selectPage(found, total, columns, query, matches) };
}

/** All CVEs that match, or those of the given ones: each filter is a pass over those that the filters before it left. */
export function findCves(
  columns: CveColumns,
  postings: PostingSets,
  query: CveFilters,
  matches: Pick<TextMatches, 'found'> | null,
  among: OrdinalSet | null = null,
): OrdinalSet {
  const found = findCandidates(columns, postings, query, among);
  if (matches !== null) found.intersect(matches.found);
  else if (query.words !== undefined) found.keepBetween(0, 0);
  keepMatching(found, columns, query);
  return found;
}

/** Number of all CVEs with this weakness. */
export function countCvesOfWeakness(postings: PostingReader, cweId: string): number {
  return postings.find(weaknessPosting(cweId)).length;
}

function weaknessPosting(cweId: string): PostingQuery {
  return { kinds: [POSTING_KINDS.weakness], product: cweId, vendor: '' };
}

/** What matches product, vendor and weakness. */
function findCandidates(
  { size }: CveColumns,
  postings: PostingSets,
  query: CveFilters,
  among: OrdinalSet | null,
): OrdinalSet {
  const names = namesOf(query);
  const kinds = query.tagged ? TAGGED_KINDS : AFFECTED_KINDS;
  const ofNames =
    names === null
      ? null
      : postings.setOf(
          size,
          names.map((name) => ({ kinds, ...name })),
        );
  const ofWeakness = query.cweId === undefined ? null : postings.setOf(size, [weaknessPosting(query.cweId)]);
  const [first, ...others] = [among?.copy() ?? null, ofNames, ofWeakness].filter((set) => set !== null);
  if (first === undefined) return OrdinalSet.all(size);
  for (const other of others) first.intersect(other);
  return first;
}

/** Null where the query asks for no product and no vendor. */
function namesOf({
  productNames,
  product,
  vendor,
}: CveFilters): readonly Pick<PostingQuery, 'product' | 'vendor'>[] | null {
  if (productNames !== undefined) return productNames;
  return product === undefined && vendor === undefined ? null : [{ product: product ?? null, vendor: vendor ?? null }];
}

function keepMatching(found: OrdinalSet, columns: CveColumns, query: CveFilters): void {
  const { published, severity, cvss, epss, flags } = columns;
  if (query.publishedFrom !== undefined || query.publishedTo !== undefined) {
    // Rows are sorted by publication, newest first, and 0 is an unknown date.
    const end = countFrom(published, Math.max(query.publishedFrom ?? 1, 1));
    const first = query.publishedTo === undefined ? 0 : countFrom(published, query.publishedTo + 1);
    found.keepBetween(Math.min(first, end), end);
  }
  const required = (query.kev ? FLAGS.kev : 0) | (query.leading ? FLAGS.leading : 0);
  const mask = required | (query.includeRejected ? 0 : FLAGS.rejected);
  if (mask !== 0) found.keep(flags, required, required, mask);
  if (query.severity !== undefined) {
    const code = SEVERITY_CODES[query.severity];
    found.keep(severity, code, code);
  }
  if (query.severityMin !== undefined) found.keep(severity, SEVERITY_CODES[query.severityMin], SEVERITY_CODES.CRITICAL);
  // 1e-6 allows for floating point errors: 9.1 * 10 is 91.00000000000001. An unknown score is above every bound.
  if (query.cvssMin !== undefined || query.cvssMax !== undefined) {
    found.keep(cvss, Math.ceil((query.cvssMin ?? 0) * 10 - 1e-6), Math.floor((query.cvssMax ?? 10) * 10 + 1e-6));
  }
  if (query.epssMin !== undefined) found.keep(epss, Math.ceil(query.epssMin * EPSS_SCALE - 1e-6), EPSS_SCALE);
}

/** How many rows were published at this time (seconds since 1970) or later. */
export function countFrom(published: Uint32Array, time: number): number {
  let low = 0;
  let high = published.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (published[middle]! >= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The ordinals of the page, in the order asked for. `total` is the size of `found`. */
export function selectPage(
  found: OrdinalSet,
  total: number,
  columns: CveColumns,
  { sort, offset, limit }: Pick<CveQuery, 'sort' | 'offset' | 'limit'>,
  matches: TextMatches | null,
): number[] {
  if (sort === 'relevance' && matches !== null)
    return selectBest(found.toArray(), matches.scores, offset + limit).slice(offset);
  if (sort === 'published_desc' || sort === 'relevance') return found.slice(offset, limit);
  if (total * SPARSE > columns.size)
    return selectInOrder(found, sort === 'epss_desc' ? columns.byEpss : columns.byCvss, offset, limit);
  const [column, unknown] = sort === 'epss_desc' ? [columns.epss, NO_EPSS] : [columns.cvss, NO_CVSS];
  // The value and the ordinal as one number: numbers are sorted several times as fast as by a compare function.
  const ranks = Float64Array.from(found.slice(0, total), (ordinal) => {
    const value = column[ordinal]!;
    return (value === unknown ? 1 : -value) * ORDINAL_LIMIT + ordinal;
  }).sort();
  return Array.from(
    ranks.subarray(offset, offset + limit),
    (rank) => ((rank % ORDINAL_LIMIT) + ORDINAL_LIMIT) % ORDINAL_LIMIT,
  );
}

/** The first `count` ordinals by score, highest first; of equal scores by ordinal. */
function selectBest(ordinals: Uint32Array, scores: Float32Array, count: number): number[] {
  // Only what can be among the first ones is sorted: what is within a step of the best score that holds enough.
  let best = 0;
  for (let at = 0; at < ordinals.length; at++) best = Math.max(best, scores[ordinals[at]!]!);
  const scale = SCORE_STEPS / best;
  const sizes = new Uint32Array(SCORE_STEPS + 1);
  for (let at = 0; at < ordinals.length; at++) sizes[Math.floor(scores[ordinals[at]!]! * scale)]!++;
  let step = SCORE_STEPS;
  for (let above = sizes[step]!; step > 0 && above < count; above += sizes[step]!) step--;
  const first: number[] = [];
  for (let at = 0; at < ordinals.length; at++) {
    const ordinal = ordinals[at]!;
    if (Math.floor(scores[ordinal]! * scale) >= step) first.push(ordinal);
  }
  return first.sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, count);
}

function selectInOrder(found: OrdinalSet, order: Uint32Array, offset: number, limit: number): number[] {
  const page: number[] = [];
  let skip = offset;
  for (let rank = 0; rank < order.length && page.length < limit; rank++) {
    const ordinal = order[rank]!;
    if (!found.has(ordinal)) continue;
    if (skip > 0) skip--;
    else page.push(ordinal);
  }
  return page;
}
