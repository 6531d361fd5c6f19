import type { CveStatements } from '../../../analysis/affected/decide-affected.ts';
import type { Subject } from '../../../analysis/affected/subject.ts';
import type { VexStatement } from '../../../analysis/affected/vex-statement.ts';
import { summarizeList } from '../../../analysis/display-text.ts';
import { type PackageRef, packageLabel } from '../../../analysis/packages/package-ref.ts';
import type { NameBasis } from '../../../engine/suggested-product-names.ts';
import type { Context } from '../../../engine/context.ts';

/** A package, under all names of its product. */
export interface PackageQuery {
  ref: PackageRef;
  ecosystem: string | null;
  /** Under the names that identify it. */
  subjects: readonly Subject[];
  /** Under names that are less certain. */
  possibleSubjects: readonly Subject[];
  /** What says that these names may be its own. */
  possibleBasis: NameBasis;
  /** CVEs that advisories cover: for these the ranges of the advisories decide. */
  advisoryCoveredIds: ReadonlySet<string>;
  /** CVEs that were judged already, which another name of the product leads to. */
  judgedIds: Set<string>;
  /** What the maker says (VEX), by CVE. */
  vex: ReadonlyMap<string, VexStatement[]>;
}

/** A CVE of a package in one of two lists: it cannot be told whether it affects the version, or the maker denies that it does. */
export interface ExplainedCve {
  ref: PackageRef;
  ecosystem: string | null;
  cve_id: string;
  reason: string;
}

/** A CVE that may affect a package: what says so is a CPE name that is not certain to be that of the package. */
export interface PossibleCve extends ExplainedCve {
  /** `affected`: the name's versions hold that of the package. `unknown`: that cannot be told either. */
  status: 'affected' | 'unknown';
  /** What says that the CPE name may be that of the package. */
  basis: NameBasis;
  /** The CPE name with its range. */
  rule: string;
  fixed_in: string | null;
  /** Null: no known-exploited catalog is loaded. */
  in_kev: boolean | null;
  epss_score: number | null;
}

export const TIMEOUT_REASON = 'the time for this answer was over';

/** Products with more CVEs than this are read only in part: so common a name does not identify a package. */
const MAX_CVES_PER_PRODUCT = 2000;
/** Products whose CVEs are collected before the first is read: at a deadline what was not finished of them counts as not reached. */
const MAX_PRODUCTS_AT_ONCE = 2000;
const MAX_LISTED_LABELS = 20;

interface QueuedProduct {
  queries: PackageQuery[];
  /** Of whom CVEs are read; null: of every vendor. */
  vendors: Set<string> | null;
}

interface QueueSteps {
  /** Yields to the event loop; true when the deadline has passed. */
  checkTimeout: () => Promise<boolean>;
  match: (facts: CveStatements, query: PackageQuery) => void;
}

/** Packages that wait to be matched with the CVEs that name their products: each CVE is read once for all of them. */
export class ProductQueue {
  readonly #deps: Pick<Context, 'catalog' | 'evidence'>;
  readonly #steps: QueueSteps;
  readonly #byToken = new Map<string, QueuedProduct>();

  constructor(deps: Pick<Context, 'catalog' | 'evidence'>, steps: QueueSteps) {
    this.#deps = deps;
    this.#steps = steps;
  }

  add(query: PackageQuery): void {
    for (const { names } of query.subjects) for (const token of names?.tokens ?? []) this.#addUnder(token, null, query);
    // All their rows have the vendor; a package's own are asked for without one.
    for (const { names } of query.possibleSubjects) {
      for (const token of names?.tokens ?? []) this.#addUnder(token, names!.vendor, query);
    }
  }

  #addUnder(token: string, vendor: string | null, query: PackageQuery): void {
    const product = this.#byToken.get(token) ?? { queries: [], vendors: new Set() };
    this.#byToken.set(token, product);
    if (product.queries.at(-1) !== query) product.queries.push(query);
    if (vendor === null) product.vendors = null;
    else product.vendors?.add(vendor);
  }

  /** Matches all; returns those that were not reached before the deadline, which are also named in a gap. */
  async matchAll(): Promise<PackageQuery[]> {
    const waiting = [...this.#byToken];
    while (waiting.length > 0) {
      const timedOut = await this.#matchProducts(waiting.slice(0, MAX_PRODUCTS_AT_ONCE));
      if (timedOut) break;
      waiting.splice(0, MAX_PRODUCTS_AT_ONCE);
    }
    const unreached = waiting.flatMap(([, { queries }]) => queries);
    if (unreached.length > 0) {
      const labels = [...new Set(unreached.map(({ ref }) => packageLabel(ref)))];
      this.#deps.evidence.addGap(
        `${TIMEOUT_REASON} before the CPE names of these were read: ${summarizeList(labels, MAX_LISTED_LABELS)}`,
      );
    }
    return unreached;
  }

  /** Reads each CVE of these products once. True when the deadline passed before the end. */
  async #matchProducts(products: readonly (readonly [token: string, product: QueuedProduct])[]): Promise<boolean> {
    const { catalog, evidence } = this.#deps;
    const cves = catalog.cvesOfProducts();
    for (const [token, { vendors }] of products) {
      const isCut = [...(vendors ?? [null])].map((vendor) => cves.add(token, MAX_CVES_PER_PRODUCT, vendor));
      if (isCut.includes(true)) {
        evidence.addGap(
          `more than ${MAX_CVES_PER_PRODUCT} CVEs name a product "${token.slice(0, 60)}": the newest were read`,
        );
      }
      if (await this.#steps.checkTimeout()) return true;
    }
    const byToken = new Map(products);
    for (const { cve_id, products: tokens, records } of cves.read()) {
      const facts = { cve_id, rejected: false, records, advisories: [], vex: [] };
      for (const token of tokens) {
        for (const query of byToken.get(token)!.queries) {
          if (query.advisoryCoveredIds.has(cve_id) || query.judgedIds.has(cve_id)) continue;
          query.judgedIds.add(cve_id);
          this.#steps.match({ ...facts, vex: query.vex.get(cve_id) ?? [] }, query);
        }
      }
      if (await this.#steps.checkTimeout()) return true;
    }
    return false;
  }
}
