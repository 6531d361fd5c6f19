import { cveKey } from '../../analysis/cve/cve-id.ts';
import type { CveDossier, CveDossierReader, CveSearchPage } from '../cve-dossier.ts';
import type { CveQuery } from '../search.ts';
import type { TextReader } from '../text-search.ts';
import { DossierReaderAsOf } from './dossier-as-of.ts';
import { SearchAsOf, type SearchAsOfSource } from './search-as-of.ts';

type Source = Omit<SearchAsOfSource, 'dossiers'> & { dossiers: CveDossierReader; texts: TextReader };

/** What was known at the end of a day, as far as the history reaches: who asks has to look at that first. */
export class CatalogAsOf {
  readonly #source: Source;
  readonly #dossiers: DossierReaderAsOf;
  #preparing: Promise<SearchAsOf> | null = null;
  #search: SearchAsOf | null = null;

  constructor(source: Source) {
    this.#source = source;
    this.#dossiers = new DossierReaderAsOf(source.dossiers, source.changes, source.day);
  }

  /** As `Catalog.cve`; null: no source had the CVE on that day. */
  cve(cveId: string, full: boolean): CveDossier | null {
    const { epss, day } = this.#source;
    const key = cveKey(cveId);
    return key === null ? null : (this.#dossiers.dossier(key, full, epss.scoreUntil(key, day), cveId)?.dossier ?? null);
  }

  /** To be awaited before `search`. Throws `TooManyChangesError`. The first call for a day reads each CVE that changed since. */
  async prepareSearch(): Promise<void> {
    this.#preparing ??= SearchAsOf.make({ ...this.#source, dossiers: this.#dossiers });
    try {
      this.#search = await this.#preparing;
    } catch (error) {
      this.#preparing = null;
      throw error;
    }
  }

  /** As `Catalog.search`. */
  search(query: CveQuery): CveSearchPage {
    if (this.#search === null) throw new Error('prepareSearch must be awaited before');
    const search = this.#search;
    const matches = query.words === undefined ? null : this.#source.texts.find(query.words);
    const { total, rows } = search.search(query, matches);
    const cves = rows.flatMap(({ key, epss }) => {
      const known = this.#dossiers.dossier(key, false, epss === null ? null : { score: epss, percentile: null });
      return known === null ? [] : [known.dossier];
    });
    return { total, cves, unknownWords: matches?.unknownWords ?? [] };
  }
}
