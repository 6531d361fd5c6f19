import type { DatabaseSync } from 'node:sqlite';
import type { RecordSource } from '../analysis/cve/cve-facts.ts';
import { cveIdFromKey } from '../analysis/cve/cve-id.ts';
import { SEVERITIES, type Severity } from '../analysis/severity.ts';
import { type CveColumns, EPSS_SCALE, FLAGS, NO_CVSS, SEVERITY_CODES } from './cve-columns.ts';
import { loadListsOfCves, type ListsOfCves, NO_PRODUCT, NO_VENDOR } from './lists-of-cves.ts';
import { OrdinalSet } from './ordinal-set.ts';
import { type Count, monthOf, Tally, withEmptyMonths } from './facet-tally.ts';
import { RECORD_SOURCES } from './record-id.ts';
import { selectPage } from './search.ts';

const MAX_POINTS = 400;
/** Points of a sample that are those with the highest EPSS. */
const TOP_POINTS = 200;

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

/** Counts facets of sets of CVEs. What it needs besides the columns is read when it is first used. */
export class FacetCounter {
  readonly #db: DatabaseSync;
  readonly #columns: CveColumns;
  readonly #name;
  #lists: ListsOfCves | null = null;
  #kevAdditions: readonly KevAddition[] | null = null;
  /** All CVEs that are not rejected, which is what is asked for most often, and their counts. */
  readonly #all: OrdinalSet;
  #ofAll: CveFacets | null = null;

  constructor(db: DatabaseSync, columns: CveColumns) {
    this.#db = db;
    this.#columns = columns;
    this.#all = OrdinalSet.all(columns.size);
    this.#all.keep(columns.flags, 0, 0, FLAGS.rejected);
    this.#name = db.prepare('SELECT vendor, product FROM posting WHERE id = ?');
  }

  count(found: OrdinalSet): CveFacets {
    if (!found.equals(this.#all)) return this.#count(found, found.toArray());
    this.#ofAll ??= this.#count(found, found.toArray());
    return this.#ofAll;
  }

  #count(found: OrdinalSet, ordinals: Uint32Array): CveFacets {
    const { severity, flags, sources } = this.#columns;
    const bySeverity = new Uint32Array(SEVERITIES.length + 1);
    const byFlags = new Uint32Array(256);
    const bySources = new Uint32Array(256);
    for (let at = 0; at < ordinals.length; at++) {
      const ordinal = ordinals[at]!;
      bySeverity[severity[ordinal]!]!++;
      byFlags[flags[ordinal]!]!++;
      bySources[sources[ordinal]!]!++;
    }
    const withFlag = (flag: number): number => sumWithBit(byFlags, flag);
    const [patched, unpatched] = [withFlag(FLAGS.patched), withFlag(FLAGS.unpatched)];
    return {
      total: ordinals.length,
      severity: [
        ...SEVERITIES.map((value) => ({ value, count: bySeverity[SEVERITY_CODES[value]]! })),
        { value: 'UNKNOWN', count: bySeverity[0]! },
      ],
      month: this.#countMonths(ordinals),
      knownExploited: withFlag(FLAGS.kev),
      kevAddedMonth: this.#countKevMonths(found),
      ...this.#countNames(ordinals),
      fix: { patched, unpatched, unknown: ordinals.length - patched - unpatched },
      source: RECORD_SOURCES.map((value, slot) => ({ value, count: sumWithBit(bySources, 1 << slot) })).filter(
        ({ count }) => count > 0,
      ),
      plot: this.#plot(found),
    };
  }

  /** Ordinals ascend, so that months descend and each is one run. */
  #countMonths(ordinals: Uint32Array): Count[] {
    const { published } = this.#columns;
    const months = new Map<string, number>();
    for (let at = 0; at < ordinals.length && published[ordinals[at]!]! > 0; ) {
      const { month, start } = monthOf(published[ordinals[at]!]!);
      const first = at;
      while (at < ordinals.length && published[ordinals[at]!]! >= start) at++;
      months.set(month, at - first);
    }
    return withEmptyMonths(months);
  }

  #countKevMonths(found: OrdinalSet): Count[] {
    this.#kevAdditions ??= readKevAdditions(this.#db, this.#columns);
    const months = new Map<string, number>();
    for (const { ordinal, month } of this.#kevAdditions) {
      if (found.has(ordinal)) months.set(month, (months.get(month) ?? 0) + 1);
    }
    return withEmptyMonths(months);
  }

  #countNames(ordinals: Uint32Array): Pick<CveFacets, 'weakness' | 'vendor' | 'product'> {
    const { starts, lists, vendors } = (this.#lists ??= loadListsOfCves(this.#db));
    const ofLists = new Tally(vendors.length);
    const ofVendors = new Tally(vendors.length);
    /** For each vendor the last CVE that was counted, plus one: a CVE may name several products of it. */
    const lastOfVendor = new Uint32Array(vendors.length);
    for (let at = 0; at < ordinals.length; at++) {
      const ordinal = ordinals[at]!;
      const end = starts[ordinal + 1]!;
      for (let index = starts[ordinal]!; index < end; index++) {
        const list = lists[index]!;
        ofLists.add(list);
        const vendor = vendors[list]!;
        if (vendor === NO_PRODUCT || vendor === NO_VENDOR || lastOfVendor[vendor] === ordinal + 1) continue;
        lastOfVendor[vendor] = ordinal + 1;
        ofVendors.add(vendor);
      }
    }
    const isWeakness = (list: number): boolean => vendors[list] === NO_PRODUCT;
    const nameOf = (list: number) => this.#name.get(list) as { vendor: string; product: string };
    return {
      weakness: ofLists.most(isWeakness).map(({ list, count }) => ({ value: nameOf(list).product, count })),
      vendor: ofVendors.most().map(({ list, count }) => ({ value: nameOf(list).vendor, count })),
      product: ofLists
        .most((list) => !isWeakness(list))
        .map(({ list, count }) => {
          const { vendor, product } = nameOf(list);
          return { vendor, product, count };
        }),
    };
  }

  #plot(found: OrdinalSet): CvePlot {
    const { cvss, epss, severity, flags, key } = this.#columns;
    const total = found.count;
    const withCvss = found.copy();
    withCvss.keep(cvss, 0, NO_CVSS - 1);
    const withEpss = found.copy();
    withEpss.keep(epss, 0, EPSS_SCALE);
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
  return counts.reduce((sum, count, bits) => sum + ((bits & bit) === 0 ? 0 : count), 0);
}
