import type { MonthCoverage } from '../analysis/cve/coverage.ts';
import { cveKey } from '../analysis/cve/cve-id.ts';
import type { AffectedFacts } from '../analysis/affected/match-record.ts';
import type { VexStatement, VexStatus } from '../analysis/affected/vex-statement.ts';
import type { Indicator } from '../analysis/indicators/parse-indicator.ts';
import type { Warning } from '../analysis/indicators/warning-list.ts';
import type { SupportedProduct } from '../analysis/support/find-support.ts';
import type { AdvisoryEntry, DocumentCollection, ExploitEntry, KevEntry, WeaknessEntry } from '../feeds/entries.ts';
import type { FeedId } from '../feeds/feed.ts';
import type { Catalog, EpssRiserPage, WeaknessSummary } from './catalog.ts';
import type { CveDossier, CveSearchPage, EpssScore } from './cve-dossier.ts';
import type { CvesOfProducts } from './cves-of-products.ts';
import { dateOfDay, dayNumber, type EpssDay, type EpssPoint } from './epss-history.ts';
import type { CatalogAsOf } from './history/catalog-as-of.ts';
import type {
  ChangeReader,
  ChangesOfCveQuery,
  ChangesPage,
  ChangesQuery,
  RecordedChange,
} from './history/change-reader.ts';
import type { DocumentPage, DocumentQuery } from './documents.ts';
import type { CveFacets } from './facets.ts';
import type { ProductName } from './identities.ts';
import type { KevQuery } from './kev-list.ts';
import type { NetworkHit } from './networks.ts';
import type { AdvisoryWithPackageName } from './package-advisories.ts';
import type { CveFilters, CveQuery } from './search.ts';
import type { ProductIdKind } from './supported-products.ts';
import { NO_VEX_STATEMENTS, type VexQuery } from './vex-statements.ts';

/** Records which sources an answer uses. */
export interface FeedUseRecorder {
  /** The answer rests on it. */
  recordUsedFeed(source: FeedId): void;
  /** It was asked, and has nothing that the answer shows. */
  recordConsultedFeed(source: FeedId): void;
}

const RECORD_SOURCES: readonly FeedId[] = ['nvd', 'cvelist', 'ghsa'];
const FEED_OF_COLLECTION: Record<DocumentCollection, FeedId> = {
  atlas_technique: 'atlas',
  atlas_case_study: 'atlas',
  d3fend_defense: 'd3fend',
  sigma_rule: 'sigma',
  attack_technique: 'attack',
  attack_capec: 'attack',
  attack_kev: 'attack',
  attack_kev_mobile: 'attack',
  attack_cve: 'attack',
  endoflife_product: 'endoflife',
};
/** Feeds of kind `network`. */
export type NetworkFeedId = Extract<FeedId, 'tor' | 'firehol' | 'cloud' | 'feodo'>;

const VEX_SOURCES: readonly FeedId[] = ['vex', 'csaf'];
const DOSSIER_SOURCES: readonly FeedId[] = [...RECORD_SOURCES, 'kev', 'epss'];
const HISTORY_SOURCES: readonly FeedId[] = [...DOSSIER_SOURCES, 'exploitdb'];

/** The catalog for one operation: every read also records the sources that it used. See `Catalog` for the methods. */
export class CatalogView {
  readonly #catalog: Catalog;
  readonly #recorder: FeedUseRecorder;
  /** What `cve` and `search` are asked of; null: what is known today. */
  readonly #asOf: CatalogAsOf | null;

  constructor(catalog: Catalog, recorder: FeedUseRecorder, asOf: CatalogAsOf | null = null) {
    this.#catalog = catalog;
    this.#recorder = recorder;
    this.#asOf = asOf;
  }

  /** A view in which `cve` and `search` give what was known at the end of a day (YYYY-MM-DD, UTC); all else is of today. */
  asOf(date: string): CatalogView {
    return new CatalogView(this.#catalog, this.#recorder, this.#catalog.asOf(dayNumber(date)));
  }

  /** To be awaited before the first `search` as of a day. Throws `TooManyChangesError`. */
  async prepareSearch(): Promise<void> {
    await this.#asOf?.prepareSearch();
  }

  /** The first day from this one on (YYYY-MM-DD) at whose end it is known what a source said; null: nothing of it was recorded. */
  firstKnownDay(source: FeedId, date: string): string | null {
    const day = dayNumber(date);
    if (source === 'epss') {
      const [first] = this.#catalog.epssHistory.days;
      return first === undefined ? null : first.date > date ? first.date : date;
    }
    const known = this.#catalog.changes.firstKnownDay(source, day);
    return known === null ? null : dateOfDay(known);
  }

  /** The day of the EPSS scores that were the newest at the end of this day; null: there were none. */
  epssDayUntil(date: string): string | null {
    return this.#catalog.epssHistory.dayUntil(dayNumber(date))?.date ?? null;
  }

  get sources(): Catalog['generation']['sources'] {
    return this.#catalog.generation.sources;
  }

  cve(cveId: string, full = false): CveDossier | null {
    const dossier = (this.#asOf ?? this.#catalog).cve(cveId, full);
    const holders: readonly string[] | undefined = dossier?.record?.sources;
    for (const source of DOSSIER_SOURCES) {
      const isSilent = holders !== undefined && RECORD_SOURCES.includes(source) && !holders.includes(source);
      if (isSilent) this.#recorder.recordConsultedFeed(source);
      else this.#recorder.recordUsedFeed(source);
    }
    return dossier;
  }

  productsSharingPrefix(cpeProduct: string, limit: number): string[] {
    return this.#catalog.productsSharingPrefix(cpeProduct, limit);
  }

  /** All CPE names of the product with this name, which comes first. */
  sameProduct(name: ProductName): ProductName[] {
    return this.#catalog.identities.sameProduct(name);
  }

  /** The CPE names of a package by its package URL (`purlIdentity`). */
  productsOfPurl(purl: string): ProductName[] {
    const products = this.#catalog.identities.productsOfPurl(purl);
    if (products.length > 0) this.#recordUse(['purl2cpe']);
    return products;
  }

  /** The package URLs of a product (`purl2cpe`). */
  purlsOf(name: ProductName): readonly string[] {
    const purls = this.#catalog.identities.purlsOf(name);
    if (purls.length > 0) this.#recordUse(['purl2cpe']);
    return purls;
  }

  /** What a product is also called, as `nameKey`: the inverse of `productsCalled`. */
  otherWordsFor(name: ProductName): string[] {
    return this.#catalog.identities.otherWordsFor(name);
  }

  /** All CPE names of the products that have this product name, whichever their vendors. */
  namesOfProductsNamed(product: string): ProductName[] {
    return this.#catalog.identities.namesOfProductsNamed(product);
  }

  /** The main CPE names of the products that are also called so; empty for most names of CPE products. */
  productsCalled(name: string): ProductName[] {
    return this.#catalog.identities.productsCalled(name);
  }

  /** The main names of the products of exactly this name, one for each product. */
  productsNamed(product: string): ProductName[] {
    return this.#catalog.identities.productsNamed(product);
  }

  /** The main names of the products of a CPE vendor. */
  productsOfVendor(vendor: string): ProductName[] {
    return this.#catalog.identities.productsOfVendor(vendor);
  }

  /** Names of affected products that begin with a text, with how many CVEs name each. */
  productNamesStartingWith(start: string): { product: string; cves: number }[] {
    return this.#catalog.productNamesStartingWith(start);
  }

  /** The packages of this name that have advisories, in all registries. */
  packagesNamed(name: string): { ecosystem: string; name: string; advisories: number }[] {
    const packages = this.#catalog.packageAdvisories.packagesNamed(name);
    if (packages.length > 0) this.#recordUse(['osv', 'ghsa']);
    return packages;
  }

  /** Products of the same vendor whose names hold this one as a word. */
  productsContinuing(name: ProductName): ProductName[] {
    return this.#catalog.identities.productsContinuing(name);
  }

  /** Counts of what a search finds. */
  facets(query: CveQuery): CveFacets {
    this.#recordUse(DOSSIER_SOURCES);
    return this.#catalog.facets(query);
  }

  search(query: CveQuery): CveSearchPage {
    this.#recordUse(DOSSIER_SOURCES);
    return (this.#asOf ?? this.#catalog).search(query);
  }

  /** A search among these CVEs alone, for many filters one after the other. Gives those that match, in no order. */
  searchAmong(cveIds: Iterable<string>): (filters: CveFilters) => string[] {
    this.#recordUse(DOSSIER_SOURCES);
    return this.#catalog.searchAmong(cveIds);
  }

  kevPage(query: KevQuery): { total: number; cves: CveDossier[] } {
    this.#recordUse(DOSSIER_SOURCES);
    return this.#catalog.kevPage(query);
  }

  get kevLoaded(): boolean {
    this.#recordUse(['kev']);
    return this.#catalog.kevLoaded;
  }

  advisory(ghsaId: string): AdvisoryEntry | null {
    this.#recordUse(['ghsa']);
    return this.#catalog.advisory(ghsaId);
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

  /** The days whose EPSS scores are held, oldest first. */
  get epssDays(): readonly EpssDay[] {
    this.#recordUse(['epss']);
    return this.#catalog.epssHistory.days;
  }

  epssSeries(cveId: string): EpssPoint[] {
    this.#recordUse(['epss']);
    return this.#catalog.epssSeries(cveId);
  }

  epssRisers(query: Parameters<Catalog['epssRisers']>[0]): Promise<EpssRiserPage> {
    this.#recordUse(DOSSIER_SOURCES);
    return this.#catalog.epssRisers(query);
  }

  /** A page of what changed about a CVE, what was seen last first. */
  changesOfCve(cveId: string, query: ChangesOfCveQuery): { total: number; changes: RecordedChange[] } {
    this.#recordUse(HISTORY_SOURCES);
    const key = cveKey(cveId);
    return key === null ? { total: 0, changes: [] } : this.#catalog.changes.ofCve(key, query);
  }

  /** The next changes of the CVEs that match, as they are known today; null: of all. */
  changes(query: Omit<ChangesQuery, 'cves'>, filters: CveFilters | null): ChangesPage {
    this.#recordUse(HISTORY_SOURCES);
    return this.#catalog.changesOfCves(query, filters);
  }

  /** Names the sequence of changes; its highest number; since when changes of each source are known. */
  get history(): Pick<ChangeReader, 'historyId' | 'last' | 'reach' | 'restarts'> {
    return this.#catalog.changes;
  }

  exploits(cveId: string): ExploitEntry[] | null {
    this.#recordUse(['exploitdb']);
    return this.#catalog.exploits(cveId);
  }

  /** Whether there is a public exploit; null when no exploit archive is loaded. */
  hasExploits({ has_exploits }: CveDossier): boolean | null {
    this.#recordUse(['exploitdb']);
    return has_exploits;
  }

  weakness(cweNumber: number): WeaknessEntry | null {
    this.#recordUse(['cwe']);
    return this.#catalog.weakness(cweNumber);
  }

  researchViewWeaknesses(): WeaknessSummary[] {
    this.#recordUse(['cwe']);
    return this.#catalog.researchViewWeaknesses();
  }

  relatedWeaknesses(cweNumber: number, relation: 'parents' | 'children'): number[] {
    this.#recordUse(['cwe']);
    return this.#catalog.relatedWeaknesses(cweNumber, relation);
  }

  coverage(): readonly MonthCoverage[] {
    return this.#catalog.coverage();
  }

  countCvesOfWeakness(cweId: string): number {
    this.#recordUse(RECORD_SOURCES);
    return this.#catalog.countCvesOfWeakness(cweId);
  }

  cvesOfProducts(): CvesOfProducts {
    this.#recordUse(RECORD_SOURCES);
    return this.#catalog.cvesOfProducts();
  }

  affectedFacts(cveId: string): AffectedFacts[] {
    this.#recordUse(RECORD_SOURCES);
    return this.#catalog.affectedFacts(cveId);
  }

  /** Number of products that VEX statements on a CVE name, by status; null where no VEX feed was synced. */
  vexCounts({ cve_id, has_vex_statements }: CveDossier): Record<VexStatus, number> | null {
    const synced = this.#syncedVexSources();
    this.#recordUse(synced);
    if (synced.length === 0) return null;
    return has_vex_statements ? this.#catalog.vexStatements.countByStatus(cve_id) : { ...NO_VEX_STATEMENTS };
  }

  /** A page of what makers say of a CVE in their products, and how many statements there are. */
  vexOfCve(cveId: string, query: VexQuery): { total: number; statements: VexStatement[] } {
    this.#recordUse(this.#syncedVexSources());
    return this.#catalog.vexStatements.pageOfCve(cveId, query);
  }

  /** What makers say of their products of this key (`vexProductKey`): that of the feeds which were synced. */
  vexOfProduct(product: string): VexStatement[] {
    this.#recordUse(this.#syncedVexSources());
    return this.#catalog.vexStatements.listByProduct(product);
  }

  #syncedVexSources(): (typeof VEX_SOURCES)[number][] {
    return VEX_SOURCES.filter((feed) => this.sources[feed]?.last_success_at != null);
  }

  packageAdvisories(ecosystem: string, name: string): AdvisoryWithPackageName[] {
    this.#recordUse(['osv', 'ghsa']);
    return this.#catalog.packageAdvisories.forPackage(ecosystem, name);
  }

  /** The packages whose advisories name this CVE. */
  packagesOfCve(cveId: string): readonly { ecosystem: string; name: string }[] {
    const packages = this.#catalog.packageAdvisories.packagesOfCve(cveId);
    if (packages.length > 0) this.#recordUse(['osv', 'ghsa']);
    return packages;
  }

  /** CVEs of the advisories of all artifacts of a Maven group. */
  cvesOfMavenGroup(group: string): readonly string[] {
    return this.#catalog.packageAdvisories.cvesOfMavenGroup(group);
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

  /** The warning lists that an indicator is in; null: they were never synced. */
  warningsAbout(indicator: Indicator): Warning[] | null {
    this.#recordUse(['warninglists']);
    if (this.sources.warninglists?.last_success_at == null) return null;
    return this.#catalog.warningLists.find(indicator);
  }

  document<Body>(collection: DocumentCollection, id: string): Body | null {
    this.#recordUse([FEED_OF_COLLECTION[collection]]);
    return this.#catalog.documents.get<Body>(collection, id);
  }

  searchDocuments<Body>(collection: DocumentCollection, query: DocumentQuery): DocumentPage<Body> {
    this.#recordUse([FEED_OF_COLLECTION[collection]]);
    return this.#catalog.documents.search<Body>(collection, query);
  }

  /** How many of the documents that a query finds have each value of these kinds of links, most first. */
  countDocumentLinks(
    collection: DocumentCollection,
    query: DocumentQuery,
    kinds: readonly string[],
  ): Map<string, { value: string; count: number }[]> {
    this.#recordUse([FEED_OF_COLLECTION[collection]]);
    return this.#catalog.documents.countLinks(collection, query, kinds);
  }

  allDocuments<Body>(collection: DocumentCollection): Body[] {
    this.#recordUse([FEED_OF_COLLECTION[collection]]);
    return this.#catalog.documents.all<Body>(collection);
  }

  /** Products of endoflife.date with this identifier. It counts as used only where it has the product. */
  supportedProducts(kind: ProductIdKind, value: string): readonly SupportedProduct[] {
    const products = this.#catalog.supportedProducts.find(kind, value);
    if (products.length > 0) this.#recordUse(['endoflife']);
    return products;
  }

  /**
   * What `make` makes of the catalog alone, once for each name and generation; the sources that it rests on are recorded each time. It is
   * shared: nobody may change it.
   */
  remember<Made>(name: string, make: (catalog: CatalogView) => Made): Made {
    let kept = this.#catalog.remembered.get(name);
    if (kept === undefined) {
      const [used, consulted] = [new Set<FeedId>(), new Set<FeedId>()];
      const recorder = {
        recordUsedFeed: (feed: FeedId) => void used.add(feed),
        recordConsultedFeed: (feed: FeedId) => void consulted.add(feed),
      };
      kept = { value: make(new CatalogView(this.#catalog, recorder)), used, consulted };
      this.#catalog.remembered.set(name, kept);
    }
    this.#recordUse(kept.used);
    for (const feed of kept.consulted) this.#recorder.recordConsultedFeed(feed);
    return kept.value as Made;
  }

  #recordUse(sources: Iterable<FeedId>): void {
    for (const source of sources) this.#recorder.recordUsedFeed(source);
  }
}
