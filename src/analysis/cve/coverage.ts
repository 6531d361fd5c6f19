import type { RecordSource } from './cve-facts.ts';

/** What a record can be found and judged by. `products` in any form, `cpe` as a CPE name, `versions` of some product. */
export const COVERAGE_FIELDS = ['products', 'cpe', 'versions', 'cvss', 'cwe'] as const;
export type CoverageField = (typeof COVERAGE_FIELDS)[number];

/** How many CVEs there are, and how many of them have each field. */
export type CoverageCounts = Record<'cves' | CoverageField, number>;

/** The CVEs published in one month (`2026-04`, UTC), rejected ones left out. */
export interface MonthCoverage {
  month: string;
  /** Counted once, whichever source has the field. */
  all: CoverageCounts;
  /** Counts of what each source's own record has; `cves` is how many of them the source has. */
  sources: Partial<Record<RecordSource, CoverageCounts>>;
}

/** Of a month with fewer CVEs a share says little. */
const MIN_CVES = 20;
const LOW_SHARE = 0.8;
/** How far back a search without dates is judged, from the newest month. */
const RECENT_MONTHS = 24;

/** Counts CVEs by the month of their publication. */
export class CoverageTally {
  readonly #months = new Map<string, MonthCoverage>();

  /** One CVE: the fields that each source's record has. A CVE without a date of publication is not counted. */
  add(published: string | null, records: readonly { source: RecordSource; fields: readonly CoverageField[] }[]): void {
    const month = published?.slice(0, 7);
    if (month === undefined) return;
    let counts = this.#months.get(month);
    if (counts === undefined) this.#months.set(month, (counts = { month, all: emptyCounts(), sources: {} }));
    count(counts.all, new Set(records.flatMap(({ fields }) => fields)));
    for (const { source, fields } of records) count((counts.sources[source] ??= emptyCounts()), fields);
  }

  /** Oldest first. */
  months(): MonthCoverage[] {
    return [...this.#months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
  }
}

function emptyCounts(): CoverageCounts {
  return { cves: 0, products: 0, cpe: 0, versions: 0, cvss: 0, cwe: 0 };
}

function count(counts: CoverageCounts, fields: Iterable<CoverageField>): void {
  counts.cves++;
  for (const field of fields) counts[field]++;
}

/** The counts of the fields as shares, 0 to 1 in three decimals. */
export function coverageShares(counts: CoverageCounts): CoverageCounts {
  const shares = COVERAGE_FIELDS.map((field) => [field, Math.round((counts[field] / counts.cves) * 1000) / 1000]);
  return { cves: counts.cves, ...(Object.fromEntries(shares) as Record<CoverageField, number>) };
}

/**
 * What a search by product misses: a sentence on the months between two (`2026-01`, both inclusive; null is open) in which many
 * CVEs name no product. Without both, the newest two years are judged. Null where no month is low.
 */
export function productCoverageGap(
  months: readonly MonthCoverage[],
  from: string | null,
  to: string | null,
): string | null {
  const judged = months.filter(({ all }) => all.cves >= MIN_CVES);
  const inRange =
    from === null && to === null
      ? judged.slice(-RECENT_MONTHS)
      : judged.filter(({ month }) => month >= (from ?? '') && month <= (to ?? '~'));
  const low = inRange.filter(({ all }) => all.products / all.cves < LOW_SHARE);
  const newest = low.at(-1);
  if (newest === undefined) return null;
  const withProduct = Math.round((newest.all.products / newest.all.cves) * 100);
  const unnamed = low.reduce((sum, { all }) => sum + all.cves - all.products, 0);
  const which =
    low.length === 1 ? `of ${newest.month}` : `of ${low.length} months (${low[0]!.month} to ${newest.month})`;
  return `${unnamed} CVEs ${which} name no product in any source and cannot be found by one (${newest.month}: ${withProduct} % name one)`;
}
