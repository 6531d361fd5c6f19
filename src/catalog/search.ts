import type { Severity } from '../analysis/severity.ts';
import { EPSS_SCALE, type CveColumns, FLAGS, NO_CVSS, NO_EPSS, SEVERITY_CODES } from './cve-columns.ts';
import type { ProductName } from './identities.ts';
import { AFFECTED_KINDS, intersect, POSTING_KINDS, type PostingReader, union } from './postings.ts';

export type CveSort = 'published_desc' | 'epss_desc' | 'cvss_desc';

/** All given filters must match. Product and vendor have the form of `normalizeCpeToken()`. */
export interface CveQuery {
  product?: string | undefined;
  vendor?: string | undefined;
  /** In place of product and vendor: any of these names. */
  productNames?: readonly ProductName[] | undefined;
  /** Also match CVEs in which the product is only the platform or the target software. */
  tagged?: boolean;
  cweId?: string | undefined;
  severity?: Severity | undefined;
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
  sort: CveSort;
  limit: number;
  offset: number;
}

export interface CvePage {
  total: number;
  /** `cveKey()` of the page's rows, in order. */
  keys: number[];
}

/** Searches the columns: one pass over the candidates in sort order counts all matches and collects the page. */
export function searchCves(columns: CveColumns, postings: PostingReader, query: CveQuery): CvePage {
  const matches = createMatcher(columns, query);
  const candidates = candidateOrdinals(postings, query);
  const keys: number[] = [];
  let total = 0;
  const take = (ordinal: number): void => {
    if (!matches(ordinal)) return;
    if (total >= query.offset && keys.length < query.limit) keys.push(columns.key[ordinal]!);
    total++;
  };
  if (candidates === null) forEachInOrder(columns, query.sort, take);
  else for (const ordinal of sortCandidates(columns, candidates, query.sort)) take(ordinal);
  return { total, keys };
}

/** Number of all CVEs with this weakness. */
export function countCvesOfWeakness(postings: PostingReader, cweId: string): number {
  return postings.find({ kinds: [POSTING_KINDS.weakness], product: cweId, vendor: '' }).length;
}

/** Ordinals that match product, vendor and weakness; null if the query has none of these filters. */
function candidateOrdinals(postings: PostingReader, query: CveQuery): Uint32Array | null {
  let candidates: Uint32Array | null = null;
  const kinds = query.tagged
    ? [...AFFECTED_KINDS, POSTING_KINDS.platform, POSTING_KINDS.targetSoftware]
    : AFFECTED_KINDS;
  if (query.productNames !== undefined)
    candidates = union(query.productNames.map((name) => postings.find({ kinds, ...name })));
  else if (query.product !== undefined || query.vendor !== undefined) {
    candidates = postings.find({ kinds, product: query.product ?? null, vendor: query.vendor ?? null });
  }
  if (query.cweId !== undefined) {
    const withWeakness = postings.find({ kinds: [POSTING_KINDS.weakness], product: query.cweId, vendor: '' });
    candidates = candidates === null ? withWeakness : intersect(candidates, withWeakness);
  }
  return candidates;
}

function createMatcher(columns: CveColumns, query: CveQuery): (ordinal: number) => boolean {
  const { published, severity, cvss, epss, flags } = columns;
  const wantedSeverity = query.severity === undefined ? null : SEVERITY_CODES[query.severity];
  const from = query.publishedFrom ?? 0;
  const to = query.publishedTo ?? Number.POSITIVE_INFINITY;
  const filtersByDate = query.publishedFrom !== undefined || query.publishedTo !== undefined;
  // 1e-6 allows for floating point errors: 9.1 * 10 is 91.00000000000001.
  const epssMin = query.epssMin === undefined ? -1 : Math.ceil(query.epssMin * EPSS_SCALE - 1e-6);
  const filtersByCvss = query.cvssMin !== undefined || query.cvssMax !== undefined;
  const cvssMin = Math.ceil((query.cvssMin ?? 0) * 10 - 1e-6);
  const cvssMax = Math.floor((query.cvssMax ?? 10) * 10 + 1e-6);
  const required = (query.kev ? FLAGS.kev : 0) | (query.leading ? FLAGS.leading : 0);
  const forbidden = query.includeRejected ? 0 : FLAGS.rejected;
  return (ordinal) => {
    const rowFlags = flags[ordinal]!;
    if ((rowFlags & required) !== required || (rowFlags & forbidden) !== 0) return false;
    if (wantedSeverity !== null && severity[ordinal] !== wantedSeverity) return false;
    if (filtersByCvss) {
      const score = cvss[ordinal]!;
      if (score === NO_CVSS || score < cvssMin || score > cvssMax) return false;
    }
    if (epssMin >= 0) {
      const score = epss[ordinal]!;
      if (score === NO_EPSS || score < epssMin) return false;
    }
    if (filtersByDate) {
      const time = published[ordinal]!;
      if (time === 0 || time < from || time > to) return false;
    }
    return true;
  };
}

function forEachInOrder(columns: CveColumns, sort: CveSort, visit: (ordinal: number) => void): void {
  const order = sort === 'epss_desc' ? columns.byEpss : sort === 'cvss_desc' ? columns.byCvss : null;
  for (let rank = 0; rank < columns.size; rank++) visit(order === null ? rank : order[rank]!);
}

/** Candidates are in ordinal order, which is the order of publication. */
function sortCandidates(columns: CveColumns, candidates: Uint32Array, sort: CveSort): Uint32Array {
  if (sort === 'published_desc') return candidates;
  const { epss, cvss } = columns;
  const value =
    sort === 'epss_desc'
      ? (ordinal: number): number => (epss[ordinal] === NO_EPSS ? -1 : epss[ordinal]!)
      : (ordinal: number): number => (cvss[ordinal] === NO_CVSS ? -1 : cvss[ordinal]!);
  return candidates.toSorted((a, b) => value(b) - value(a) || a - b);
}
