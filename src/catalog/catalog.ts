import { join } from 'node:path';
import { cveIdFromKey, cveKey } from '../analysis/cve/cve-id.ts';
import type { CveFacts } from '../analysis/cve/cve-facts.ts';
import type { MergedCve } from '../analysis/cve/merge-cve.ts';
import type { ExploitEntry, KevEntry, WeaknessEntry } from '../feeds/entries.ts';
import { DocumentReader } from './documents.ts';
import { EPSS_SCALE, type Facets, FLAGS, loadFacets } from './facets.ts';
import { CatalogDatabase } from './catalog-database.ts';
import type { Generation } from './generation.ts';
import { type MergedRecord, mergeRecords } from './merge-records.ts';
import { NetworkReader } from './networks.ts';
import { PackageAdvisoryReader } from './package-advisories.ts';
import { VexReader } from './vex-statements.ts';
import { POSTING_KINDS, PostingReader } from './postings.ts';
import { decodeRecord } from './record-codec.ts';
import { recordIdRange, sourceOfRecord } from './record-id.ts';
import { type CvePage, type CveQuery, countCvesOfWeakness, searchCves } from './search.ts';

export interface EpssScore {
  score: number;
  percentile: number;
}

export type WeaknessSummary = Pick<WeaknessEntry, 'cwe_id' | 'name' | 'abstraction'>;

/** All that the catalog holds about one CVE. `record` is null if only the known-exploited catalog or EPSS has the CVE. */
export interface CveDossier extends Omit<MergedRecord, 'record'> {
  cve_id: string;
  record: MergedCve | null;
  kev: KevEntry | null;
  /** False when no known-exploited catalog is loaded; then `kev: null` means "not known". */
  kev_loaded: boolean;
  /** Where `kev` and `epss` come from: the feed of that name, or the starter catalog until the feed is loaded. */
  kev_source: 'kev' | 'starter';
  epss_source: 'epss' | 'starter';
  epss: EpssScore | null;
}

const NO_RECORD = { record: null, total_references: 0, total_products: 0, patch_url: null };

interface RecordRow {
  id: number;
  head: string;
  body?: Uint8Array | null;
}

let openCount = 0;

/** One generation of the catalog, opened for reading. Every method is one or a few reads by key. */
export class Catalog {
  /** Different for every opening: caches use it to tell results of different catalogs apart. */
  readonly instanceId: string;
  readonly generation: Generation;
  readonly facets: Facets;
  readonly documents: DocumentReader;
  readonly packageAdvisories: PackageAdvisoryReader;
  readonly networkLists: NetworkReader;
  readonly vexStatements: VexReader;
  readonly #db: CatalogDatabase;
  readonly #postings: PostingReader;
  readonly #statements;
  readonly #kevLoaded: boolean;
  readonly #exploitsLoaded: boolean;

  constructor(folder: string, generation: Generation) {
    this.generation = generation;
    this.instanceId = `${generation.file} ${++openCount}`;
    this.#db = new CatalogDatabase(join(folder, generation.file));
    try {
      this.facets = loadFacets(this.#db);
      this.#postings = new PostingReader(this.#db);
      this.documents = new DocumentReader(this.#db);
      this.packageAdvisories = new PackageAdvisoryReader(this.#db);
      this.networkLists = new NetworkReader(this.#db);
      this.vexStatements = new VexReader(this.#db);
      const hasRows = (table: string) => this.#db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;
      this.#kevLoaded = hasRows('kev');
      this.#exploitsLoaded = hasRows('exploit');
      const prepare = (sql: string) => this.#db.prepare(sql);
      this.#statements = {
        joined: prepare('SELECT entry FROM joined WHERE cve = ?'),
        heads: prepare('SELECT id, head FROM record WHERE id BETWEEN ? AND ?'),
        records: prepare('SELECT id, head, body FROM record WHERE id BETWEEN ? AND ?'),
        kev: prepare('SELECT entry FROM kev WHERE cve = ?'),
        kevPage: prepare('SELECT cve FROM kev ORDER BY date_added DESC, cve DESC LIMIT ? OFFSET ?'),
        kevCount: prepare('SELECT count(*) AS count FROM kev'),
        epss: prepare('SELECT score, percentile FROM epss WHERE cve = ?'),
        epssChanges: prepare(
          'SELECT date, score, percentile FROM epss_history WHERE cve = ? ORDER BY date DESC LIMIT ?',
        ),
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
  get isFileUnchanged(): boolean {
    return this.#db.isFileUnchanged;
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
    return key === null ? null : this.#dossier(key, full);
  }

  /** Names of products similar to one that no CVE has; at most `limit`. */
  productsSharingPrefix(product: string, limit: number): string[] {
    return this.#postings.similarProducts(product, limit);
  }

  search(query: CveQuery): { total: number; cves: CveDossier[] } {
    const page: CvePage = searchCves(this.facets, this.#postings, query);
    return { total: page.total, cves: page.keys.map((key) => this.#dossier(key, false)!) };
  }

  /** A page of the known-exploited catalog, the newest addition first. */
  kevPage(limit: number, offset: number): { total: number; cves: CveDossier[] } {
    const rows = this.#statements.kevPage.all(limit, offset) as { cve: number }[];
    const total = Number(this.#statements.kevCount.get()?.count ?? 0);
    return { total, cves: rows.map(({ cve }) => this.#dossier(cve, false)!) };
  }

  kev(cveId: string): KevEntry | null {
    const key = cveKey(cveId);
    return key === null ? null : this.#kev(key);
  }

  epss(cveId: string): EpssScore | null {
    const key = cveKey(cveId);
    return key === null ? null : this.#epss(key);
  }

  /** The scores of the days on which the score changed, newest first. */
  epssChanges(cveId: string, limit: number): ({ date: string } & EpssScore)[] {
    const key = cveKey(cveId);
    if (key === null) return [];
    const rows = this.#statements.epssChanges.all(key, limit) as { date: string; score: number; percentile: number }[];
    return rows.map(({ date, ...units }) => ({ date, ...epssScoreFromUnits(units) }));
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
  relatedWeaknesses(cweNumber: number, of: 'parents' | 'children'): number[] {
    return (this.#statements[of].all(cweNumber) as { id: number }[]).map(({ id }) => id);
  }

  countCvesOfWeakness(cweId: string): number {
    return countCvesOfWeakness(this.#postings, cweId);
  }

  /**
   * The CVEs that name a product as affected (`product` in the form of `normalizeCpeToken`),
   * newest first, without rejected ones, each with the complete record of every source. Each is read when the iterator reaches it.
   */
  *cvesAffectingCpeProduct(product: string): Iterable<{ cve_id: string; records: CveFacts[] }> {
    for (const ordinal of this.#postings.find({ kinds: [POSTING_KINDS.affected], product, vendor: null })) {
      if ((this.facets.flags[ordinal]! & FLAGS.rejected) !== 0) continue;
      const key = this.facets.key[ordinal]!;
      yield { cve_id: cveIdFromKey(key), records: this.#recordsOf(key) };
    }
  }

  /** The complete record of every source that has the CVE; [] where none has. */
  cveRecords(cveId: string): CveFacts[] {
    const key = cveKey(cveId);
    return key === null ? [] : this.#recordsOf(key);
  }

  #recordsOf(key: number): CveFacts[] {
    const rows = this.#statements.records.all(...recordIdRange(key)) as unknown as RecordRow[];
    const cveId = cveIdFromKey(key);
    return rows.map(({ id, head, body }) => decodeRecord(cveId, sourceOfRecord(id), head, body ?? null));
  }

  #dossier(key: number, full: boolean): CveDossier | null {
    const cveId = cveIdFromKey(key);
    const merged = this.#mergedRecord(cveId, key, full);
    const kev = this.#kev(key);
    const epss = this.#epss(key);
    if (merged === null && kev === null && epss === null) return null;
    return {
      cve_id: cveId,
      ...(merged ?? NO_RECORD),
      kev,
      kev_loaded: this.#kevLoaded,
      kev_source: this.#sourceOf('kev'),
      epss,
      epss_source: this.#sourceOf('epss'),
    };
  }

  #sourceOf<Feed extends 'kev' | 'epss'>(feed: Feed): Feed | 'starter' {
    const { sources } = this.generation;
    return sources['starter'] !== undefined && sources[feed]?.last_success_at == null ? 'starter' : feed;
  }

  #mergedRecord(cveId: string, key: number, full: boolean): MergedRecord | null {
    const [first, last] = recordIdRange(key);
    const rows = this.#statements[full ? 'records' : 'heads'].all(first, last) as unknown as RecordRow[];
    if (rows.length === 0) return null;
    if (rows.length > 1 && !full) {
      const { entry } = this.#statements.joined.get(key) as { entry: string };
      return JSON.parse(entry);
    }
    return mergeRecords(rows.map(({ id, head, body }) => decodeRecord(cveId, sourceOfRecord(id), head, body ?? null)));
  }

  #kev(key: number): KevEntry | null {
    const row = this.#statements.kev.get(key) as { entry: string } | undefined;
    return row === undefined ? null : JSON.parse(row.entry);
  }

  #epss(key: number): EpssScore | null {
    const row = this.#statements.epss.get(key) as { score: number; percentile: number } | undefined;
    return row === undefined ? null : epssScoreFromUnits(row);
  }
}

function epssScoreFromUnits(units: { score: number; percentile: number }): EpssScore {
  return { score: units.score / EPSS_SCALE, percentile: units.percentile / EPSS_SCALE };
}
