import type { VexStatement, VexStatus } from '../analysis/affected/vex-statement.ts';
import type { CveFacts } from '../analysis/cve/cve-facts.ts';
import type { DocumentCollection, ExploitEntry, KevEntry, WeaknessEntry } from '../feeds/entries.ts';
import type { FeedId } from '../feeds/feed.ts';
import type { Catalog, CveDossier, EpssScore, WeaknessSummary } from './catalog.ts';
import type { DocumentPage, DocumentQuery } from './documents.ts';
import type { NetworkHit } from './networks.ts';
import type { AdvisoryWithPackageName } from './package-advisories.ts';
import type { CveQuery } from './search.ts';

/** Records which sources an answer uses. */
export interface SourceUseRecorder {
  used(source: FeedId): void;
}

const RECORD_SOURCES: readonly FeedId[] = ['nvd', 'cvelist', 'ghsa'];
const FEED_OF_COLLECTION: Record<DocumentCollection, FeedId> = {
  atlas_technique: 'atlas',
  atlas_case_study: 'atlas',
  d3fend_defense: 'd3fend',
  sigma_rule: 'sigma',
};
/** Feeds of kind `network`. */
export type NetworkFeedId = Extract<FeedId, 'tor' | 'firehol' | 'cloud' | 'feodo'>;

const VEX_SOURCES: readonly FeedId[] = ['vex', 'csaf'];
const DOSSIER_SOURCES: readonly FeedId[] = [...RECORD_SOURCES, 'kev', 'epss'];

/** The catalog for one operation: every read also records the sources that it used. See `Catalog` for the methods. */
export class CatalogView {
  readonly #catalog: Catalog;
  readonly #recorder: SourceUseRecorder;

  constructor(catalog: Catalog, recorder: SourceUseRecorder) {
    this.#catalog = catalog;
    this.#recorder = recorder;
  }

  get sources(): Catalog['generation']['sources'] {
    return this.#catalog.generation.sources;
  }

  cve(cveId: string, full = false): CveDossier | null {
    this.#recordUse(DOSSIER_SOURCES);
    return this.#catalog.cve(cveId, full);
  }

  productsSharingPrefix(product: string, limit: number): string[] {
    return this.#catalog.productsSharingPrefix(product, limit);
  }

  search(query: CveQuery): { total: number; cves: CveDossier[] } {
    this.#recordUse(DOSSIER_SOURCES);
    return this.#catalog.search(query);
  }

  kevPage(limit: number, offset: number): { total: number; cves: CveDossier[] } {
    this.#recordUse(DOSSIER_SOURCES);
    return this.#catalog.kevPage(limit, offset);
  }

  kev(cveId: string): KevEntry | null {
    this.#recordUse(['kev']);
    return this.#catalog.kev(cveId);
  }

  epss(cveId: string): EpssScore | null {
    this.#recordUse(['epss']);
    return this.#catalog.epss(cveId);
  }

  epssChanges(cveId: string, limit: number): ({ date: string } & EpssScore)[] {
    this.#recordUse(['epss']);
    return this.#catalog.epssChanges(cveId, limit);
  }

  exploits(cveId: string): ExploitEntry[] | null {
    this.#recordUse(['exploitdb']);
    return this.#catalog.exploits(cveId);
  }

  weakness(cweNumber: number): WeaknessEntry | null {
    this.#recordUse(['cwe']);
    return this.#catalog.weakness(cweNumber);
  }

  researchViewWeaknesses(): WeaknessSummary[] {
    this.#recordUse(['cwe']);
    return this.#catalog.researchViewWeaknesses();
  }

  relatedWeaknesses(cweNumber: number, of: 'parents' | 'children'): number[] {
    this.#recordUse(['cwe']);
    return this.#catalog.relatedWeaknesses(cweNumber, of);
  }

  countCvesOfWeakness(cweId: string): number {
    this.#recordUse(RECORD_SOURCES);
    return this.#catalog.countCvesOfWeakness(cweId);
  }

  cvesAffectingCpeProduct(product: string): Iterable<{ cve_id: string; records: CveFacts[] }> {
    this.#recordUse(RECORD_SOURCES);
    return this.#catalog.cvesAffectingCpeProduct(product);
  }

  cveRecords(cveId: string): CveFacts[] {
    this.#recordUse(RECORD_SOURCES);
    return this.#catalog.cveRecords(cveId);
  }

  /** Number of products that VEX statements on a CVE name, by status; null where no VEX feed was synced. */
  vexCounts(cveId: string): Record<VexStatus, number> | null {
    const synced = VEX_SOURCES.filter((feed) => this.sources[feed]?.last_success_at != null);
    this.#recordUse(synced);
    return synced.length === 0 ? null : this.#catalog.vexStatements.countsOfCve(cveId);
  }

  /** What makers say of their products of this key (`vexProductKey`). */
  vexOfProduct(product: string): VexStatement[] {
    this.#recordUse(VEX_SOURCES);
    return this.#catalog.vexStatements.ofProduct(product);
  }

  packageAdvisories(ecosystem: string, name: string): AdvisoryWithPackageName[] {
    this.#recordUse(['osv', 'ghsa']);
    return this.#catalog.packageAdvisories.forPackage(ecosystem, name);
  }

  hasOsvAdvisories(ecosystem: string): boolean {
    return this.#catalog.packageAdvisories.hasOsvAdvisories(ecosystem);
  }

  /** Rows of these lists whose network contains the address, the smallest network first; null for a list that was never synced. */
  networksContaining<Feed extends NetworkFeedId>(
    ip: string,
    feeds: readonly Feed[],
  ): Record<Feed, NetworkHit[] | null> {
    this.#recordUse(feeds);
    const hits = this.#catalog.networkLists.findContaining(ip);
    const rowsOf = (feed: Feed): NetworkHit[] | null =>
      this.sources[feed]?.last_success_at == null ? null : hits.filter(({ list }) => list.split('/')[0] === feed);
    return Object.fromEntries(feeds.map((feed) => [feed, rowsOf(feed)])) as Record<Feed, NetworkHit[] | null>;
  }

  document<Body>(catalog: DocumentCollection, id: string): Body | null {
    this.#recordUse([FEED_OF_COLLECTION[catalog]]);
    return this.#catalog.documents.get<Body>(catalog, id);
  }

  searchDocuments<Body>(catalog: DocumentCollection, query: DocumentQuery): DocumentPage<Body> {
    this.#recordUse([FEED_OF_COLLECTION[catalog]]);
    return this.#catalog.documents.search<Body>(catalog, query);
  }

  allDocuments<Body>(catalog: DocumentCollection): Body[] {
    this.#recordUse([FEED_OF_COLLECTION[catalog]]);
    return this.#catalog.documents.all<Body>(catalog);
  }

  #recordUse(sources: readonly FeedId[]): void {
    for (const source of sources) this.#recorder.used(source);
  }
}
