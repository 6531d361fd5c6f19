import { token } from './parts.ts';
import type { Row } from './rows.ts';

/** Input of the search operation, as a caller sends it. */
export interface SearchInput {
  product?: string;
  vendor?: string;
  tagged?: boolean;
  severity?: string;
  published_after?: string;
  published_before?: string;
  kev?: boolean;
  epss_min?: number;
  cvss_min?: number;
  cvss_max?: number;
  cwe_id?: string;
  include_rejected?: boolean;
  sort?: 'epss_desc' | 'cvss_desc' | 'published_desc';
}

/**
 * The search as the specification words it, by looking at every row. The rows come by publication, and rows of the same
 * score stay so: newest first (to the second, unknown last), then by id (year, then number), highest first.
 */
export function bruteSearch(rows: readonly Row[], input: SearchInput): Row[] {
  const demands = demandsOf(input);
  const found = namedRows(rows, input).filter((row) => demands.every((holds) => holds(row)));
  if (input.sort === 'epss_desc') return found.sort((a, b) => (b.epss ?? -1) - (a.epss ?? -1));
  if (input.sort === 'cvss_desc') return found.sort((a, b) => (b.cvss ?? -1) - (a.cvss ?? -1));
  return found;
}

const rowsByName = new WeakMap<readonly Row[], ReadonlyMap<string, readonly Row[]>>();

/** Rows with that vendor or product in any of their tokens, in their order: no others can be found. */
function namedRows(rows: readonly Row[], { product, vendor }: SearchInput): readonly Row[] {
  const name = product ?? vendor;
  if (name === undefined) return rows;
  let known = rowsByName.get(rows);
  if (known === undefined) {
    const all = new Map<string, Row[]>();
    for (const row of rows) {
      for (const text of new Set(row.tokens.flatMap((whole) => whole.split('\t').slice(1)))) {
        const same = all.get(text);
        if (same === undefined) all.set(text, [row]);
        else same.push(row);
      }
    }
    known = all;
    rowsByName.set(rows, known);
  }
  return known.get(token(name)) ?? [];
}

type Demand = (row: Row) => boolean;

function demandsOf(input: SearchInput): Demand[] {
  const { severity, epss_min, cvss_min, cvss_max, cwe_id, product, vendor } = input;
  const demands: Demand[] = [];
  if (input.include_rejected !== true) demands.push((row) => !row.rejected);
  if (input.kev === true) demands.push((row) => row.kev);
  if (severity !== undefined) demands.push((row) => row.severity === severity);
  if (cwe_id !== undefined) demands.push((row) => row.cwes.includes(cwe_id));
  if (epss_min !== undefined) demands.push((row) => row.epss !== null && row.epss >= epss_min);
  if (cvss_min !== undefined) demands.push((row) => row.cvss !== null && row.cvss >= cvss_min);
  if (cvss_max !== undefined) demands.push((row) => row.cvss !== null && row.cvss <= cvss_max);
  const after = input.published_after && midnight(input.published_after);
  if (after) demands.push((row) => row.published !== null && row.published >= after);
  const before = input.published_before && midnight(input.published_before) + 86_400;
  if (before) demands.push((row) => row.published !== null && row.published < before);
  if (product !== undefined || vendor !== undefined) demands.push(productDemand(input));
  return demands;
}

/** Vendor and product in one and the same row of a CVE; `tagged`: as platform or target software too. */
function productDemand({ product, vendor, tagged = false }: SearchInput): Demand {
  const start = vendor === undefined ? '' : `\t${token(vendor)}\t`;
  const end = product === undefined ? '' : `\t${token(product)}`;
  const fits = (text: string): boolean =>
    (tagged || text.startsWith('affected')) && text.endsWith(end) && text.startsWith(start, text.indexOf('\t'));
  return (row) => row.tokens.some(fits);
}

function midnight(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
