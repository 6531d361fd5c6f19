import { createEventLoopYielder } from '../../event-loop-yielder.ts';
import type { ChangeKind } from '../../analysis/cve/field-change.ts';
import { allocateCveColumns, type CveColumns, EPSS_SCALE, NO_EPSS, withOrders } from '../cve-columns.ts';
import type { EpssHistoryReader } from '../epss-history.ts';
import { type IndexEntry, indexEntryOf, NO_RECORD_ENTRY, weaknessPosting, withExploitation } from '../index-entry.ts';
import { OrdinalSet } from '../ordinal-set.ts';
import type { PostingQuery } from '../postings.ts';
import { encodeTokens, productToken, TOKEN_KINDS } from '../product-tokens.ts';
import { type CveQuery, countFrom, findCves, ordinalsOfPage, type PostingSets } from '../search.ts';
import { BatchTexts } from '../shared-texts.ts';
import type { TextMatches } from '../text-search.ts';
import type { ChangeReader } from './change-reader.ts';
import type { DossierAsOf, DossierReaderAsOf } from './dossier-as-of.ts';

const DAY_SECONDS = 86_400;
const ROWS_PER_SLICE = 2000;
const CVES_PER_SLICE = 20_000;
/** CVEs that are read one by one for the first search as of a day. */
export const MAX_CHANGED_CVES = 25_000;
/** Kinds of changes that make no difference to what a search finds. */
const IRRELEVANT_KINDS: ReadonlySet<ChangeKind> = new Set(['epss', 'ssvc', 'exploit']);

/** So many CVEs changed since that day that no search is made as of it. */
export class TooManyChangesError extends Error {}

/** What it takes to search as of a day. */
export interface SearchAsOfSource {
  columns: CveColumns;
  postings: PostingSets;
  changes: ChangeReader;
  epss: EpssHistoryReader;
  dossiers: DossierReaderAsOf;
  /** Days since 1970. */
  day: number;
}

/**
 * Searches what was known at the end of a day. The columns and lists of today are asked, with the EPSS scores of the day; CVEs that changed
 * since are left out there, and searched for in an index of their own, made of what was known of them. Texts are those of today.
 */
export class SearchAsOf {
  readonly #source: SearchAsOfSource;
  readonly #columns: CveColumns;
  readonly #changed: ChangedCves;

  private constructor(source: SearchAsOfSource, columns: CveColumns, changed: ChangedCves) {
    this.#source = source;
    this.#columns = columns;
    this.#changed = changed;
  }

  /** Throws `TooManyChangesError`. Yields to the event loop. */
  static async make(source: SearchAsOfSource): Promise<SearchAsOf> {
    const { columns, day, epss } = source;
    const ordinals = await findChanged(source);
    const scores = await epss.columnUntil(day, columns);
    const changed = await ChangedCves.make(source, ordinals, scores);
    return new SearchAsOf(
      source,
      withOrders({ ...columns, epss: scores, cvss: changed.withScores(columns.cvss) }),
      changed,
    );
  }

  /** CVEs of the page with their EPSS scores; null: there was none. */
  search(
    query: CveQuery,
    matches: TextMatches | null,
  ): { total: number; rows: { key: number; epss: number | null }[] } {
    const { postings, day, columns } = this.#source;
    const found = findCves(this.#columns, postings, query, matches);
    const firstKnown = countFrom(columns.published, (day + 1) * DAY_SECONDS);
    found.keepBetween(firstKnown, columns.size);
    this.#changed.correct(found, query, matches);
    const { total, ordinals } = ordinalsOfPage(found, this.#columns, query, matches);
    const { key, epss } = this.#columns;
    const scoreOf = (units: number): number | null => (units === NO_EPSS ? null : units / EPSS_SCALE);
    return { total, rows: ordinals.map((at) => ({ key: key[at]!, epss: scoreOf(epss[at]!) })) };
  }
}

/** Ordinals of the CVEs of which something that matters was changed after the day, ascending. */
async function findChanged({ changes, columns, day }: SearchAsOfSource): Promise<Uint32Array> {
  const pause = createEventLoopYielder();
  const keys = new Set<number>();
  for (let after = 0, isEnd = false; !isEnd; ) {
    isEnd = true;
    for (const { seq, key, kind, isLater } of changes.keysSeenAfter(day, after, ROWS_PER_SLICE)) {
      after = seq;
      isEnd = false;
      if (isLater && !IRRELEVANT_KINDS.has(kind)) keys.add(key);
    }
    if (keys.size > MAX_CHANGED_CVES) throw new TooManyChangesError();
    await pause();
  }
  const ordinals: number[] = [];
  for (let ordinal = 0; ordinal < columns.size; ordinal++) {
    if (keys.has(columns.key[ordinal]!)) ordinals.push(ordinal);
    if (ordinal % CVES_PER_SLICE === 0) await pause();
  }
  return Uint32Array.from(ordinals);
}

/** The CVEs that changed since the day, as an index of their own; those that were not known then are not in it. */
class ChangedCves {
  /** All that changed, by their ordinals in the catalog. */
  readonly #all: OrdinalSet;
  /** By ordinal in this index: the ordinal in the catalog. */
  readonly #ordinals: Uint32Array;
  readonly #columns: CveColumns;
  readonly #postings: PostingSets;

  private constructor(all: OrdinalSet, ordinals: Uint32Array, columns: CveColumns, postings: PostingSets) {
    this.#all = all;
    this.#ordinals = ordinals;
    this.#columns = columns;
    this.#postings = postings;
  }

  static async make(
    { columns, dossiers }: SearchAsOfSource,
    changed: Uint32Array,
    scores: Uint32Array,
  ): Promise<ChangedCves> {
    const pause = createEventLoopYielder();
    const rows: { ordinal: number; entry: IndexEntry; tokens: readonly string[] }[] = [];
    for (const ordinal of changed) {
      const known = dossiers.dossier(columns.key[ordinal]!, true, null);
      if (known !== null) rows.push({ ordinal, ...indexRowOf(known) });
      await pause();
    }
    // As in the catalog the newest comes first.
    rows.sort((a, b) => b.entry.published - a.entry.published || a.ordinal - b.ordinal);
    const own = allocateCveColumns(rows.length);
    rows.forEach(({ ordinal, entry }, row) => {
      own.key[row] = columns.key[ordinal]!;
      own.published[row] = entry.published;
      own.severity[row] = entry.severity;
      own.cvss[row] = entry.cvss;
      own.flags[row] = entry.flags;
      own.epss[row] = scores[ordinal]!;
    });
    return new ChangedCves(
      OrdinalSet.of(columns.size, [changed]),
      Uint32Array.from(rows, ({ ordinal }) => ordinal),
      own,
      new TokenSets(rows.map(({ tokens }) => tokens)),
    );
  }

  /** The column with the CVSS scores of these CVEs. */
  withScores(column: Uint8Array): Uint8Array {
    const changed = column.slice();
    this.#ordinals.forEach((ordinal, row) => (changed[ordinal] = this.#columns.cvss[row]!));
    return changed;
  }

  /** Makes of what is found among all of today what was found then. */
  correct(found: OrdinalSet, query: CveQuery, matches: TextMatches | null): void {
    found.remove(this.#all);
    const own = matches === null ? null : { found: OrdinalSet.of(this.#columns.size, [this.#rowsOf(matches.found)]) };
    for (const row of findCves(this.#columns, this.#postings, query, own).toArray()) found.add(this.#ordinals[row]!);
  }

  #rowsOf(found: OrdinalSet): Uint32Array {
    const rows: number[] = [];
    this.#ordinals.forEach((ordinal, row) => found.has(ordinal) && rows.push(row));
    return Uint32Array.from(rows);
  }
}

/** What the search index has of a CVE, as `buildIndex` makes it. */
function indexRowOf({ dossier: { record, kev, patch_available }, records }: DossierAsOf): {
  entry: IndexEntry;
  tokens: readonly string[];
} {
  const names = new BatchTexts();
  const entry = record === null ? NO_RECORD_ENTRY : indexEntryOf(record, patch_available, names);
  const products = records().flatMap((facts) => encodeTokens(facts.products));
  const tokens = [...products, ...entry.weaknesses.map((number) => names.texts[number]!)];
  if (kev === null) return { entry, tokens };
  if (entry.weaknesses.length === 0) tokens.push(...kev.cwes.map(weaknessPosting));
  if (record === null) tokens.push(productToken(TOKEN_KINDS.affected, kev.vendor_project, kev.product));
  return { entry: { ...entry, flags: withExploitation(entry.flags, kev) }, tokens };
}

/** Posting lists of few CVEs, in memory. */
class TokenSets implements PostingSets {
  /** By `kind<TAB>vendor<TAB>product`. */
  readonly #rows = new Map<string, number[]>();

  constructor(tokensOfRows: readonly (readonly string[])[]) {
    tokensOfRows.forEach((tokens, row) => {
      for (const token of tokens) {
        const rows = this.#rows.get(token);
        if (rows === undefined) this.#rows.set(token, [row]);
        else rows.push(row);
      }
    });
  }

  setOf(size: number, queries: readonly PostingQuery[]): OrdinalSet {
    const found: Uint32Array[] = [];
    for (const [token, rows] of this.#rows) {
      const [kind, vendor, product] = token.split('\t');
      const isAsked = queries.some(
        (query) =>
          query.kinds.includes(Number(kind)) &&
          (query.vendor === null || query.vendor === vendor) &&
          (query.product === null || query.product === product),
      );
      if (isAsked) found.push(Uint32Array.from(rows));
    }
    return OrdinalSet.of(size, found);
  }
}
