import type { CveStatements } from '../../../analysis/affected/decide-affected.ts';
import { prepareRecord } from '../../../analysis/affected/match-record.ts';
import type { Subject } from '../../../analysis/affected/subject.ts';
import type { VexStatement } from '../../../analysis/affected/vex-statement.ts';
import { summarizeList } from '../../../analysis/display-text.ts';
import { type PackageRef, packageLabel } from '../../../analysis/packages/package-ref.ts';
import type { Context } from '../../../engine/context.ts';

/** A package, under one of the names of its product. */
export interface PackageQuery {
  ref: PackageRef;
  ecosystem: string | null;
  subject: Subject;
  /** CVEs that advisories cover: for these the ranges of the advisories decide. */
  advisoryCoveredIds: ReadonlySet<string>;
  /** CVEs that matched already, under another name of the product. */
  matchedIds: Set<string>;
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

export const TIMEOUT_REASON = 'the time for this answer was over';

/** Products with more CVEs than this are read only in part: so common a name does not identify a package. */
const MAX_CVES_PER_PRODUCT = 2000;
/** Products whose CVEs are collected before the first is read: at a deadline what was not finished of them counts as not reached. */
const MAX_PRODUCTS_AT_ONCE = 2000;
const MAX_LISTED_LABELS = 20;

interface QueuedProduct {
  queries: PackageQuery[];
  undecided: ExplainedCve[];
}

interface QueueSteps {
  /** Yields to the event loop; true when the deadline has passed. */
  checkTimeout: () => Promise<boolean>;
  match: (facts: CveStatements, query: PackageQuery, undecided: ExplainedCve[]) => void;
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

  /** CVEs for which it cannot be told whether they affect the version. */
  get undecided(): ExplainedCve[] {
    return [...this.#byToken.values()].flatMap(({ undecided }) => undecided);
  }

  add(query: PackageQuery): void {
    for (const token of query.subject.names?.tokens ?? []) {
      const product = this.#byToken.get(token) ?? { queries: [], undecided: [] };
      this.#byToken.set(token, product);
      product.queries.push(query);
    }
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
    for (const [token] of products) {
      if (cves.add(token, MAX_CVES_PER_PRODUCT)) {
        evidence.addGap(
          `more than ${MAX_CVES_PER_PRODUCT} CVEs name a product "${token.slice(0, 60)}": the newest were read`,
        );
      }
      if (await this.#steps.checkTimeout()) return true;
    }
    const byToken = new Map(products);
    for (const { cve_id, products: tokens, records } of cves.read()) {
      const facts = { cve_id, rejected: false, records: records.map(prepareRecord), advisories: [], vex: [] };
      for (const token of tokens) {
        const { queries, undecided } = byToken.get(token)!;
        for (const query of queries) {
          if (!query.advisoryCoveredIds.has(cve_id) && !query.matchedIds.has(cve_id))
            this.#steps.match({ ...facts, vex: query.vex.get(cve_id) ?? [] }, query, undecided);
        }
      }
      if (await this.#steps.checkTimeout()) return true;
    }
    return false;
  }
}
