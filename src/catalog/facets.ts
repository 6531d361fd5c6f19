import type { DatabaseSync } from 'node:sqlite';
import type { RecordSource } from '../analysis/cve/cve-facts.ts';
import { cveIdFromKey } from '../analysis/cve/cve-id.ts';
import { SEVERITIES, type Severity } from '../analysis/severity.ts';
import { type CveColumns, EPSS_SCALE, FLAGS, NO_CVSS, SEVERITY_CODES } from './cve-columns.ts';
import { type Count, monthOf, mostCounted, withEmptyMonths } from './facet-tally.ts';
import { OrdinalSet } from './ordinal-set.ts';
import { RECORD_SOURCES } from './record-id.ts';
import { selectPage } from './search.ts';
import { ValueCounter, type ValueCounts } from './value-counts.ts';

const MAX_POINTS = 200;
/** Points of a sample that are those with the highest EPSS. */
const TOP_POINTS = 100;

/** Counts of a set of CVEs. Months are YYYY-MM, oldest first, from the first to the last one with a count. */
export interface CveFacets {
  total: number;
  severity: Count<Severity | 'UNKNOWN'>[];
  /** Of publication. CVEs without a date are in none. */
  month: Count[];
  knownExploited: number;
  /** In which they were added to the known-exploited catalog. */
  kevAddedMonth: Count[];
  /** Those of most CVEs, most first. A CVE counts for each that it names. */
  weakness: Count[];
  vendor: Count[];
  product: { vendor: string; product: string; count: number }[];
  fix: { patched: number; unpatched: number; unknown: number };
  source: Count<RecordSource>[];
  plot: CvePlot;
}

export interface CvePoint {
  cve_id: string;
  cvss: number;
  epss: number;
  kev: boolean;
  severity: Severity | null;
}

/** Points of CVSS v3 and EPSS. */
export interface CvePlot {
  points: CvePoint[];
  /** Not all: the highest by EPSS, and of the rest one at regular distances in the order of publication. */
  sampled: boolean;
  without_cvss: number;
  without_epss: number;
}

interface KevAddition {
  ordinal: number;
  /** YYYY-MM */
  month: string;
}

/** A month of publication: the CVEs from `first` on and before `end`. */
interface MonthRange {
  month: string;
  first: number;
  end: number;
}

/** The CVEs that have a score. */
interface ScoredCves {
  cvss: OrdinalSet;
  epss: OrdinalSet;
}

/** Counts facets of sets of CVEs. What it needs besides the columns is read when it is first used. */
export class FacetCounter {
  readonly #db: DatabaseSync;
  readonly #columns: CveColumns;
  readonly #name;
  #valueCounter: ValueCounter | null = null;
  #kevAdditions: readonly KevAddition[] | null = null;
  #months: readonly MonthRange[] | null = null;
  #scored: ScoredCves | null = null;

  constructor(db: DatabaseSync, columns: CveColumns) {
    this.#db = db;
    this.#columns = columns;
    this.#name = db.prepare('SELECT vendor, product FROM posting WHERE id = ?');
  }

  get #values(): ValueCounter {
    return (this.#valueCounter ??= new ValueCounter(this.#db, this.#columns));
  }

  count(found: OrdinalSet): CveFacets {
    const total = found.count;
    const counts = this.#values.count(found, total);
    const withFlag = (flag: number): number => sumWithBit(counts.flags, flag);
    const [patched, unpatched] = [withFlag(FLAGS.patched), withFlag(FLAGS.unpatched)];
    return {
      total,
      severity: [
        ...SEVERITIES.map((value) => ({ value, count: counts.severity[SEVERITY_CODES[value]]! })),
        { value: 'UNKNOWN', count: counts.severity[0]! },
      ],
      month: this.#countMonths(found),
      knownExploited: withFlag(FLAGS.kev),
      kevAddedMonth: this.#countKevMonths(found),
      ...this.#mostNamed(counts),
      fix: { patched, unpatched, unknown: total - patched - unpatched },
      source: RECORD_SOURCES.map((value, slot) => ({ value, count: sumWithBit(counts.sources, 1 << slot) })).filter(
        ({ count }) => count > 0,
      ),
      plot: this.#plot(found, total),
    };
  }

  #countMonths(found: OrdinalSet): Count[] {
    this.#months ??= monthRanges(this.#columns);
    const counts = this.#months.map(({ month, first, end }) => ({
      value: month,
      count: found.countBetween(first, end),
    }));
    const isCounted = ({ count }: Count): boolean => count > 0;
    const first = counts.findIndex(isCounted);
    return first === -1 ? [] : counts.slice(first, counts.findLastIndex(isCounted) + 1);
  }

  #countKevMonths(found: OrdinalSet): Count[] {
    this.#kevAdditions ??= readKevAdditions(this.#db, this.#columns);
    const months = new Map<string, number>();
    for (const { ordinal, month } of this.#kevAdditions) {
      if (found.has(ordinal)) months.set(month, (months.get(month) ?? 0) + 1);
    }
    return withEmptyMonths(months);
  }

  #mostNamed({ lists, vendors }: ValueCounts): Pick<CveFacets, 'weakness' | 'vendor' | 'product'> {
    const isWeakness = (list: number): boolean => this.#values.isWeakness(list);
    const nameOf = (list: number) => this.#name.get(list) as { vendor: string; product: string };
    return {
      weakness: mostCounted(lists, isWeakness).map(({ list, count }) => ({ value: nameOf(list).product, count })),
      vendor: mostCounted(vendors, () => true).map(({ list, count }) => ({ value: nameOf(list).vendor, count })),
      product: mostCounted(lists, (list) => !isWeakness(list)).map(({ list, count }) => {
        const { vendor, product } = nameOf(list);
        return { vendor, product, count };
      }),
    };
  }

  #plot(found: OrdinalSet, total: number): CvePlot {
    const { cvss, epss, severity, flags, key } = this.#columns;
    const scored = (this.#scored ??= scoredCves(this.#columns));
    const withCvss = found.copy();
    withCvss.intersect(scored.cvss);
    const withEpss = found.copy();
    withEpss.intersect(scored.epss);
    const [without_cvss, without_epss] = [total - withCvss.count, total - withEpss.count];
    withCvss.intersect(withEpss);
    const all = withCvss.toArray();
    const sampled = all.length > MAX_POINTS;
    const ordinals = sampled ? this.#sample(withCvss, all) : all;
    const severities = new Map(SEVERITIES.map((name) => [SEVERITY_CODES[name], name]));
    const points = Array.from(ordinals, (ordinal) => ({
      cve_id: cveIdFromKey(key[ordinal]!),
      cvss: cvss[ordinal]! / 10,
      epss: epss[ordinal]! / EPSS_SCALE,
      kev: (flags[ordinal]! & FLAGS.kev) !== 0,
      severity: severities.get(severity[ordinal]!) ?? null,
    }));
    return { points, sampled, without_cvss, without_epss };
  }

  #sample(found: OrdinalSet, all: Uint32Array): number[] {
    const page = { sort: 'epss_desc', offset: 0, limit: TOP_POINTS } as const;
    const top = new Set(selectPage(found, all.length, this.#columns, page, null));
    const others = MAX_POINTS - TOP_POINTS;
    for (let at = 0; at < others; at++) top.add(all[Math.floor((at * all.length) / others)]!);
    return [...top];
  }
}

function scoredCves({ size, cvss, epss }: CveColumns): ScoredCves {
  const scored = { cvss: OrdinalSet.all(size), epss: OrdinalSet.all(size) };
  scored.cvss.keep(cvss, 0, NO_CVSS - 1);
  scored.epss.keep(epss, 0, EPSS_SCALE);
  return scored;
}

/** Oldest first, with months of no CVE between them. */
function monthRanges({ published }: CveColumns): MonthRange[] {
  const ranges = new Map<string, MonthRange>();
  for (let end = 0; end < published.length && published[end]! > 0; ) {
    const { month, start } = monthOf(published[end]!);
    const first = end;
    while (end < published.length && published[end]! >= start) end++;
    ranges.set(month, { month, first, end });
  }
  const sizes = new Map(Array.from(ranges, ([month, { first, end }]) => [month, end - first]));
  return withEmptyMonths(sizes).map(({ value }) => ranges.get(value) ?? { month: value, first: 0, end: 0 });
}

function readKevAdditions(db: DatabaseSync, { flags, key }: CveColumns): KevAddition[] {
  const rows = db.prepare('SELECT cve, substr(date_added, 1, 7) AS month FROM kev').all() as {
    cve: number;
    month: string;
  }[];
  const months = new Map(rows.map(({ cve, month }) => [cve, month]));
  const additions: KevAddition[] = [];
  for (let ordinal = 0; ordinal < flags.length; ordinal++) {
    const month = (flags[ordinal]! & FLAGS.kev) === 0 ? undefined : months.get(key[ordinal]!);
    if (month !== undefined) additions.push({ ordinal, month });
  }
  return additions;
}

/** Sum of the counts whose index has this bit. */
function sumWithBit(counts: Uint32Array, bit: number): number {
  let sum = 0;
  for (let bits = 0; bits < counts.length; bits++) if ((bits & bit) !== 0) sum += counts[bits]!;
  return sum;
}
