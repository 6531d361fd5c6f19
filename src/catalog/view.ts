import type { ProductFact } from '../analysis/cve/facts.ts';
import type { DocumentCatalog, ExploitEntry, KevEntry, WeaknessEntry } from '../feeds/entries.ts';
import type { FeedId } from '../feeds/feed.ts';
import type { Catalog, CveDossier, EpssScore, WeaknessName } from './catalog.ts';
import type { DocumentPage, DocumentQuery } from './documents.ts';
import type { NetworkHit } from './networks.ts';
import type { NamedAdvisory } from './package-advisories.ts';
import type { CveQuery } from './search.ts';

/** Takes note of which sources an answer rests on. */
export interface UseRecorder {
  used(source: FeedId): void;
}

const RECORD_SOURCES: readonly FeedId[] = ['nvd', 'cvelist', 'ghsa'];
const FEED_OF: Record<DocumentCatalog, FeedId> = {
  atlas_technique: 'atlas',
  atlas_case_study: 'atlas',
  d3fend_defense: 'd3fend',
  sigma_rule: 'sigma',
};
/** Feeds that are lists of networks. */
export type NetworkFeed = Extract<FeedId, 'tor' | 'firehol' | 'cloud' | 'feodo'>;

const DOSSIER_SOURCES: readonly FeedId[] = [...RECORD_SOURCES, 'kev', 'epss'];

/** The catalog as an operation sees it: every read also records the sources that stand behind it. */
export class CatalogView {
  readonly #catalog: Catalog;
  readonly #recorder: UseRecorder;

  constructor(catalog: Catalog, recorder: UseRecorder) {
    this.#catalog = catalog;
    this.#recorder = recorder;
  }

  get sources(): Catalog['generation']['sources'] {
    return this.#catalog.generation.sources;
  }

  cve(cveId: string, full = false): CveDossier | null {
    this.#use(DOSSIER_SOURCES);
    return this.#catalog.cve(cveId, full);
  }

  /** See `Catalog.productsLike`. */
  productsLike(product: string, limit: number): string[] {
    return this.#catalog.productsLike(product, limit);
  }

  search(query: CveQuery): { total: number; cves: CveDossier[] } {
    this.#use(DOSSIER_SOURCES);
    return this.#catalog.search(query);
  }

  kevPage(limit: number, offset: number): { total: number; cves: CveDossier[] } {
    this.#use(DOSSIER_SOURCES);
    return this.#catalog.kevPage(limit, offset);
  }

  kev(cveId: string): KevEntry | null {
    this.#use(['kev']);
    return this.#catalog.kev(cveId);
  }

  epss(cveId: string): EpssScore | null {
    this.#use(['epss']);
    return this.#catalog.epss(cveId);
  }

  epssHistory(cveId: string, limit: number): ({ date: string } & EpssScore)[] {
    this.#use(['epss']);
    return this.#catalog.epssHistory(cveId, limit);
  }

  exploits(cveId: string): ExploitEntry[] | null {
    this.#use(['exploitdb']);
    return this.#catalog.exploits(cveId);
  }

  weakness(cweNumber: number): WeaknessEntry | null {
    this.#use(['cwe']);
    return this.#catalog.weakness(cweNumber);
  }

  weaknesses(): WeaknessName[] {
    this.#use(['cwe']);
    return this.#catalog.weaknesses();
  }

  weaknessRelatives(cweNumber: number, of: 'parents' | 'children'): number[] {
    this.#use(['cwe']);
    return this.#catalog.weaknessRelatives(cweNumber, of);
  }

  countCvesOfWeakness(cweId: string): number {
    this.#use(RECORD_SOURCES);
    return this.#catalog.countCvesOfWeakness(cweId);
  }

  cvesOfProduct(product: string): Iterable<{ cve_id: string; rows: ProductFact[] }> {
    this.#use(['nvd']);
    return this.#catalog.cvesOfProduct(product);
  }

  packageAdvisories(ecosystem: string, name: string): NamedAdvisory[] {
    this.#use(['osv', 'ghsa']);
    return this.#catalog.packages.of(ecosystem, name);
  }

  /** Whether OSV's advisories of an ecosystem were synced. */
  hasOsv(ecosystem: string): boolean {
    return this.#catalog.packages.hasOsv(ecosystem);
  }

  /** Rows of those lists that hold the address, the narrowest network first; null for a list that was never synced. */
  networks<Feed extends NetworkFeed>(ip: string, feeds: readonly Feed[]): Record<Feed, NetworkHit[] | null> {
    this.#use(feeds);
    const hits = this.#catalog.networks.holding(ip);
    const rowsOf = (feed: Feed): NetworkHit[] | null =>
      this.sources[feed]?.last_success_at == null ? null : hits.filter(({ list }) => list.split('/')[0] === feed);
    return Object.fromEntries(feeds.map((feed) => [feed, rowsOf(feed)])) as Record<Feed, NetworkHit[] | null>;
  }

  document<Body>(catalog: DocumentCatalog, id: string): Body | null {
    this.#use([FEED_OF[catalog]]);
    return this.#catalog.documents.get<Body>(catalog, id);
  }

  documents<Body>(catalog: DocumentCatalog, query: DocumentQuery): DocumentPage<Body> {
    this.#use([FEED_OF[catalog]]);
    return this.#catalog.documents.search<Body>(catalog, query);
  }

  allDocuments<Body>(catalog: DocumentCatalog): Body[] {
    this.#use([FEED_OF[catalog]]);
    return this.#catalog.documents.all<Body>(catalog);
  }

  #use(sources: readonly FeedId[]): void {
    for (const source of sources) this.#recorder.used(source);
  }
}
