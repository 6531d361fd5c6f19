import { join } from 'node:path';
import type { AffectedFacts } from '../analysis/affected/match-record.ts';
import { cveIdFromKey, cveKey } from '../analysis/cve/cve-id.ts';
import type { MonthCoverage } from '../analysis/cve/coverage.ts';
import type { AdvisoryEntry, ExploitEntry, KevEntry, WeaknessEntry } from '../feeds/entries.ts';
import type { FeedId } from '../feeds/feed.ts';
import { decodeAffectedFacts, decodeFactsAbout } from './affected-facts.ts';
import { KeptRecords } from './kept-records.ts';
import { loadCoverage } from './coverage.ts';
import { DocumentReader } from './documents.ts';
import { EpssHistoryReader, type EpssPoint, type EpssRises } from './epss-history.ts';
import { CatalogAsOf } from './history/catalog-as-of.ts';
import { type ChangesQuery, ChangeReader } from './history/change-reader.ts';
import { type CveColumns, loadCveColumns } from './cve-columns.ts';
import { CvesOfProducts, type RecordReader } from './cves-of-products.ts';
import { CatalogDatabase } from './catalog-database.ts';
import { type CveDossier, CveDossierReader, type CveSearchPage, type EpssScore } from './cve-dossier.ts';
import { type CveFacets, FacetCounter } from './facets.ts';
import type { Generation } from './generation.ts';
import { createLruCache } from '../lru-cache.ts';
import { OrdinalSet } from './ordinal-set.ts';
import { IdentityReader } from './identities.ts';
import { type KevQuery, KevReader } from './kev-list.ts';
import { NetworkReader } from './networks.ts';
import { PackageAdvisoryReader } from './package-advisories.ts';
import { WarningListReader } from './warning-lists.ts';
import { VexReader } from './vex-statements.ts';
import { PostingReader } from './postings.ts';
import type { StoredRecord } from './record-codec.ts';
import { recordIdRange, sourceOfRecord } from './record-id.ts';
import { SupportedProductReader } from './supported-products.ts';
import { type CveFilters, type CveQuery, countCvesOfWeakness, findCves, pageOf, searchCves } from './search.ts';
import { SharedTexts } from './shared-texts.ts';
import { type TextMatches, TextReader } from './text-search.ts';

export type WeaknessSummary = Pick<WeaknessEntry, 'cwe_id' | 'name' | 'abstraction'>;

interface RecordRow extends Omit<StoredRecord, 'modified'> {
  id: number;
}

/** Something made from the catalog, and the sources that it rests on. */
export interface Remembered {
  value: unknown;
  used: ReadonlySet<FeedId>;
  consulted: ReadonlySet<FeedId>;
}

/** A page of CVEs whose EPSS score rose; `window` as in `EpssRises`. */
export interface EpssRiserPage {
  window: EpssRises['window'];
  total: number;
  risers: { cve: CveDossier; before: number; after: number }[];
}

/** Things made from the catalog that are kept: techniques and weaknesses with what belongs to them. */
const MAX_REMEMBERED = 2000;
/** Results of searches that are kept, of one bit for each CVE. */
const MAX_KEPT_RESULTS = 16;
/** Days in the past that are kept, each with columns of 7 MB once it is searched. */
const MAX_KEPT_DAYS = 4;

let openCount = 0;

/** One generation of the catalog, opened for reading. Every method is one or a few reads by key. */
export class Catalog {
  /** Different each time a catalog is opened: caches use it to tell results of different catalogs apart. */
  readonly openingId: string;
  readonly generation: Generation;
  readonly cveColumns: CveColumns;
  /** ATLAS, D3FEND and Sigma. */
  readonly documents: DocumentReader;
  readonly supportedProducts: SupportedProductReader;
  readonly packageAdvisories: PackageAdvisoryReader;
  /** Tor exits, FireHOL, Feodo Tracker and cloud ranges. */
  readonly networkLists: NetworkReader;
  readonly warningLists: WarningListReader;
  readonly identities: IdentityReader;
  readonly vexStatements: VexReader;
  readonly epssHistory: EpssHistoryReader;
  readonly changes: ChangeReader;
  /** What views have made of this generation, by name. */
  readonly remembered = createLruCache<string, Remembered>(MAX_REMEMBERED);
  readonly #db: CatalogDatabase;
  readonly #postings: PostingReader;
  readonly #sharedTexts: SharedTexts;
  readonly #texts: TextReader;
  readonly #facets: FacetCounter;
  readonly #kevList: KevReader;
  readonly #dossiers: CveDossierReader;
  readonly #statements;
  readonly #exploitsLoaded: boolean;
  readonly #found = createLruCache<string, OrdinalSet>(MAX_KEPT_RESULTS);
  readonly #keptRecords = new KeptRecords();
  readonly #records: RecordReader = {
    all: (key) =>
      this.#recordRows(key).map((row) => decodeAffectedFacts(sourceOfRecord(row.id), row, this.#sharedTexts)),
    about: (key, products) =>
      this.#recordRows(key).map((row) => decodeFactsAbout(sourceOfRecord(row.id), row, this.#sharedTexts, products)),
  };
  readonly #days = createLruCache<number, CatalogAsOf>(MAX_KEPT_DAYS);
  #coverage: readonly MonthCoverage[] | null = null;

  constructor(folder: string, generation: Generation) {
    this.generation = generation;
    this.openingId = `${generation.file} ${++openCount}`;
    this.#db = new CatalogDatabase(join(folder, generation.file));
    try {
      this.cveColumns = loadCveColumns(this.#db);
      this.#postings = new PostingReader(this.#db, this.cveColumns.size);
      this.#sharedTexts = SharedTexts.inCatalog(this.#db);
      this.#texts = new TextReader(this.#db, this.cveColumns.size);
      this.#facets = new FacetCounter(this.#db, this.cveColumns);
      this.#kevList = new KevReader(this.#db);
      this.documents = new DocumentReader(this.#db);
      this.supportedProducts = new SupportedProductReader(this.#db);
      this.packageAdvisories = new PackageAdvisoryReader(this.#db);
      this.networkLists = new NetworkReader(this.#db);
      this.warningLists = new WarningListReader(this.#db);
      this.#dossiers = new CveDossierReader(this.#db, generation.sources, this.#sharedTexts);
      this.#exploitsLoaded = this.#db.prepare('SELECT 1 FROM exploit LIMIT 1').get() !== undefined;
      this.identities = new IdentityReader(this.#db);
      this.vexStatements = new VexReader(this.#db);
      this.epssHistory = new EpssHistoryReader(this.#db);
      this.changes = new ChangeReader(this.#db);
      const prepare = (sql: string) => this.#db.prepare(sql);
      this.#statements = {
        records: prepare('SELECT id, head, body FROM record WHERE id BETWEEN ? AND ?'),
        advisory: prepare('SELECT entry FROM advisory WHERE ghsa_id = ?'),
        exploits: prepare(
          'SELECT e.entry FROM exploit_cve c JOIN exploit e USING (edb_id) WHERE c.cve = ? ORDER BY edb_id',
        ),
        weakness: prepare('SELECT entry, in_view FROM weakness WHERE id = ?'),
        researchViewWeaknesses: prepare(
          "SELECT entry ->> 'cwe_id' AS cwe_id, entry ->> 'name' AS name, entry ->> 'abstraction' AS abstraction FROM weakness WHERE in_view = 1 ORDER BY id",
        ),
        parents: prepare('SELECT parent AS id FROM weakness_parent WHERE child = ? ORDER BY parent'),
        children: prepare('SELECT child AS id FROM weakness_parent WHERE parent = ? ORDER BY child'),
      };
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** Whether the file is unchanged since it was opened: finished files are never written. */
  get isOpenFileUnmodified(): boolean {
    return this.#db.isOpenFileUnmodified;
  }

  /** Called when a read fails, before its error is thrown. */
  setReadErrorHandler(handler: (error: Error) => void): void {
    this.#db.onReadError = handler;
  }

  close(): void {
    this.#db.close();
  }

  /** Null when no source has the CVE. `full` reads all references and products and the applicability tree. */
  cve(cveId: string, full: boolean): CveDossier | null {
    const key = cveKey(cveId);
    return key === null ? null : this.#dossiers.dossier(key, full, cveId);
  }

  /** What was known at the end of a day (days since 1970, UTC). */
  asOf(day: number): CatalogAsOf {
    let known = this.#days.get(day);
    if (known === undefined) {
      known = new CatalogAsOf({
        day,
        dossiers: this.#dossiers,
        changes: this.changes,
        epss: this.epssHistory,
        columns: this.cveColumns,
        postings: this.#postings,
        texts: this.#texts,
      });
      this.#days.set(day, known);
    }
    return known;
  }

  /** Names of products similar to one that no CVE has; at most `limit`. */
  productsSharingPrefix(cpeProduct: string, limit: number): string[] {
    return this.#postings.productsSharingPrefix(cpeProduct, limit);
  }

  /** Names of affected products that begin with a text, with how many CVEs name each. */
  productNamesStartingWith(start: string): { product: string; cves: number }[] {
    return this.#postings.productNamesStartingWith(start);
  }

  search(query: CveQuery): CveSearchPage {
    const matches = query.words === undefined ? null : this.#texts.find(query.words);
    const page = pageOf(this.#find(query, matches), this.cveColumns, query, matches);
    return {
      total: page.total,
      cves: page.keys.map((key) => this.#dossiers.dossier(key, false)!),
      unknownWords: matches?.unknownWords ?? [],
    };
  }

  /** A search among these CVEs alone, for many filters one after the other. Gives those that match, in no order. */
  searchAmong(cveIds: Iterable<string>): (filters: CveFilters) => string[] {
    const { key, size } = this.cveColumns;
    const keys = new Set(Array.from(cveIds, cveKey));
    const ordinals: number[] = [];
    for (let ordinal = 0; ordinal < size; ordinal++) if (keys.has(key[ordinal]!)) ordinals.push(ordinal);
    const among = OrdinalSet.of(size, [Uint32Array.from(ordinals)]);
    return (filters) => {
      const matches = filters.words === undefined ? null : this.#texts.find(filters.words);
      const found = findCves(this.cveColumns, this.#postings, filters, matches, among);
      return Array.from(found.toArray(), (ordinal) => cveIdFromKey(key[ordinal]!));
    };
  }

  /** Counts of what a search finds. */
  facets(query: CveQuery): CveFacets {
    const matches = query.words === undefined ? null : this.#texts.find(query.words);
    return this.#facets.count(this.#find(query, matches));
  }

  /** What matches, whatever its order; kept for a while, because rows and counts of the same filters are asked for together. */
  #find(
    { sort: _sort, limit: _limit, offset: _offset, ...filters }: CveQuery,
    matches: TextMatches | null,
  ): OrdinalSet {
    const key = JSON.stringify(filters);
    let found = this.#found.get(key);
    if (found === undefined) {
      found = findCves(this.cveColumns, this.#postings, filters, matches);
      this.#found.set(key, found);
    }
    return found;
  }

  /** A page of the known-exploited catalog. */
  kevPage(query: KevQuery): { total: number; cves: CveDossier[] } {
    const { vendor, product } = query;
    const naming = { vendor, product, kev: true, includeRejected: true, sort: 'published_desc', offset: 0 } as const;
    const named =
      vendor === undefined && product === undefined
        ? []
        : searchCves(this.cveColumns, this.#postings, { ...naming, limit: this.cveColumns.size }).keys;
    const { total, keys } = this.#kevList.page(query, new Set(named));
    return { total, cves: keys.map((key) => this.#dossiers.dossier(key, false)!) };
  }

  /** False when no known-exploited catalog is loaded; then `kev` knows nothing. */
  get kevLoaded(): boolean {
    return this.#dossiers.kevLoaded;
  }

  /** Null: no advisory synced from GitHub has this id. */
  advisory(ghsaId: string): AdvisoryEntry | null {
    const row = this.#statements.advisory.get(ghsaId) as { entry: string } | undefined;
    return row === undefined ? null : JSON.parse(row.entry);
  }

  kev(cveId: string): KevEntry | null {
    const key = cveKey(cveId);
    return key === null ? null : this.#dossiers.kev(key);
  }

  epss(cveId: string): EpssScore | null {
    const key = cveKey(cveId);
    return key === null ? null : this.#dossiers.epss(key);
  }

  /** The scores of the days on which the score changed, newest first. */
  epssChanges(cveId: string, limit: number): ({ date: string } & EpssScore)[] {
    const key = cveKey(cveId);
    return key === null ? [] : this.epssHistory.changes(key, limit);
  }

  /** The score of each day whose scores were loaded, oldest first. */
  epssSeries(cveId: string): EpssPoint[] {
    const key = cveKey(cveId);
    return key === null ? [] : this.epssHistory.series(key);
  }

  /** CVEs with a score of at least `minScore` that rose within `days` days, highest rise first. */
  async epssRisers(query: { days: number; minScore: number; limit: number; offset: number }): Promise<EpssRiserPage> {
    const { window, rises } = await this.epssHistory.rises(query.days);
    const found = rises.filter(({ after }) => after >= query.minScore);
    const rows = found.slice(query.offset, query.offset + query.limit);
    return {
      window,
      total: found.length,
      risers: rows.map(({ key, before, after }) => ({ cve: this.#dossiers.dossier(key, false)!, before, after })),
    };
  }

  /** The next changes of the CVEs that match, as they are known today. */
  changesOfCves(query: Omit<ChangesQuery, 'cves'>, filters: CveFilters | null): ReturnType<ChangeReader['page']> {
    return this.changes.page({ ...query, cves: filters === null ? null : this.#keysOf(filters) });
  }

  #keysOf(filters: CveFilters): ReadonlySet<number> {
    const found = this.#find({ ...filters, sort: 'published_desc', limit: 0, offset: 0 }, null);
    return new Set(Array.from(found.toArray(), (ordinal) => this.cveColumns.key[ordinal]!));
  }

  /** Null when no exploit archive is loaded. */
  exploits(cveId: string): ExploitEntry[] | null {
    if (!this.#exploitsLoaded) return null;
    const key = cveKey(cveId);
    if (key === null) return [];
    return (this.#statements.exploits.all(key) as { entry: string }[]).map(({ entry }) => JSON.parse(entry));
  }

  weakness(cweNumber: number): WeaknessEntry | null {
    const row = this.#statements.weakness.get(cweNumber) as { entry: string } | undefined;
    return row === undefined ? null : JSON.parse(row.entry);
  }

  /** All weaknesses of view 1000 (Research Concepts), by number. */
  researchViewWeaknesses(): WeaknessSummary[] {
    return this.#statements.researchViewWeaknesses.all() as unknown as WeaknessSummary[];
  }

  /** Numbers of the parents or children in view 1000. */
  relatedWeaknesses(cweNumber: number, relation: 'parents' | 'children'): number[] {
    return (this.#statements[relation].all(cweNumber) as { id: number }[]).map(({ id }) => id);
  }

  /** What the records of each month have, oldest month first; read once. */
  coverage(): readonly MonthCoverage[] {
    this.#coverage ??= loadCoverage(this.#db);
    return this.#coverage;
  }

  countCvesOfWeakness(cweId: string): number {
    return countCvesOfWeakness(this.#postings, cweId);
  }

  /** CVEs by the products that they name as affected. */
  cvesOfProducts(): CvesOfProducts {
    return new CvesOfProducts(this.cveColumns, this.#postings, this.#records, this.#keptRecords);
  }

  /** What the record of every source says of affected products; [] where none has the CVE. */
  affectedFacts(cveId: string): AffectedFacts[] {
    const key = cveKey(cveId);
    return key === null ? [] : this.#records.all(key);
  }

  #recordRows(key: number): RecordRow[] {
    return this.#statements.records.all(...recordIdRange(key)) as unknown as RecordRow[];
  }
}
