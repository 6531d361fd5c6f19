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
  const found = rows.filter((row) => matches(row, input));
  if (input.sort === 'epss_desc') return found.sort((a, b) => (b.epss ?? -1) - (a.epss ?? -1));
  if (input.sort === 'cvss_desc') return found.sort((a, b) => (b.cvss ?? -1) - (a.cvss ?? -1));
  return found;
}

function matches(row: Row, input: SearchInput): boolean {
  const { severity, published_after: after, published_before: before, epss_min, cvss_min, cvss_max, cwe_id } = input;
  if (row.rejected && input.include_rejected !== true) return false;
  if (input.kev === true && !row.kev) return false;
  if (severity !== undefined && row.severity !== severity) return false;
  if (cwe_id !== undefined && !row.cwes.includes(cwe_id)) return false;
  if (epss_min !== undefined && (row.epss === null || row.epss < epss_min)) return false;
  if (cvss_min !== undefined && (row.cvss === null || row.cvss < cvss_min)) return false;
  if (cvss_max !== undefined && (row.cvss === null || row.cvss > cvss_max)) return false;
  if (after !== undefined || before !== undefined) {
    if (row.published === null) return false;
    const day = new Date(row.published * 1000).toISOString().slice(0, 10);
    if (day < (after ?? '') || day > (before ?? '9')) return false;
  }
  return (input.product === undefined && input.vendor === undefined) || hasProduct(row, input);
}

/** Vendor and product in one and the same row; `tagged`: as platform or target software too. */
function hasProduct(row: Row, { product, vendor, tagged = false }: SearchInput): boolean {
  const start = vendor === undefined ? '' : `\t${token(vendor)}\t`;
  const end = product === undefined ? '' : `\t${token(product)}`;
  return row.tokens.some((text) => {
    const at = text.indexOf('\t');
    return (tagged || text.startsWith('affected')) && text.startsWith(start, at) && text.endsWith(end);
  });
}
