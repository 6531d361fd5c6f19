import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { DocumentCollection, DocumentEntry } from '../feeds/entries.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';

/** Takes documents in; the first of a catalog clears what the catalog held before. */
export function documentLoader(db: DatabaseSync): FeedFileLoader<'document'> {
  const insert = db.prepare('INSERT INTO document (catalog, id, entry) VALUES (?, ?, ?)');
  const index = db.prepare('INSERT INTO document_text (rowid, title, body) VALUES (?, ?, ?)');
  const link = db.prepare('INSERT OR IGNORE INTO document_link (kind, value, number) VALUES (?, ?, ?)');
  const known = db.prepare('SELECT 1 FROM document WHERE catalog = ? AND id = ?');
  const cleared = new Set<DocumentCollection>();
  return {
    put(entries: readonly DocumentEntry[]) {
      for (const { collection, id, title, text, links, body } of entries) {
        if (!cleared.has(collection)) deleteDocuments(db, collection);
        cleared.add(collection);
        // The first of two entries with one id stands.
        if (known.get(collection, id) !== undefined) continue;
        const number = insert.run(collection, id, JSON.stringify(body)).lastInsertRowid;
        index.run(number, withUnhyphenatedWords(title), withUnhyphenatedWords(text));
        for (const { kind, value } of links) link.run(kind, value.toLowerCase(), number);
      }
    },
    finish: () => {},
  };
}

function deleteDocuments(db: DatabaseSync, catalog: DocumentCollection): void {
  const numbers = 'SELECT number FROM document WHERE catalog = ?';
  for (const from of [
    `document_text WHERE rowid IN (${numbers})`,
    `document_link WHERE number IN (${numbers})`,
    'document WHERE catalog = ?',
  ]) {
    const remove = db.prepare(`DELETE FROM ${from}`);
    // It reports the row written last, which the full-text index numbers beyond what a JavaScript number holds.
    remove.setReadBigInts(true);
    remove.run(catalog);
  }
}

export interface DocumentQuery {
  /** All of these words, best match first; where no document has all, those that have any. Null: all documents, by id. */
  words: string | null;
  /** Every link must be there; several values of one kind are alternatives. */
  links: readonly { kind: string; values: readonly string[] }[];
  excludeIds?: readonly string[];
  limit: number;
  offset: number;
}

export interface DocumentPage<Body> {
  total: number;
  bodies: Body[];
}

/** Title words weigh this many times as much as others. */
const TITLE_WEIGHT = 8;

/** Reads documents: by id, or searched. */
export class DocumentReader {
  readonly #db: DatabaseSync;
  readonly #byId;
  readonly #byCollection;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#byId = db.prepare('SELECT entry FROM document WHERE catalog = ? AND id = ?');
    this.#byCollection = db.prepare('SELECT entry FROM document WHERE catalog = ? ORDER BY id');
  }

  get<Body>(catalog: DocumentCollection, id: string): Body | null {
    const row = this.#byId.get(catalog, id) as { entry: string } | undefined;
    return row === undefined ? null : (JSON.parse(row.entry) as Body);
  }

  all<Body>(catalog: DocumentCollection): Body[] {
    return (this.#byCollection.all(catalog) as { entry: string }[]).map(({ entry }) => JSON.parse(entry) as Body);
  }

  search<Body>(catalog: DocumentCollection, query: DocumentQuery): DocumentPage<Body> {
    const words = query.words === null ? [] : fullTextTerms(query.words);
    if (query.words !== null && words.length === 0) return { total: 0, bodies: [] };
    const found = this.#queryPage<Body>(catalog, query, words.join(' AND '));
    return found.total === 0 && words.length > 1 ? this.#queryPage(catalog, query, words.join(' OR ')) : found;
  }

  #queryPage<Body>(catalog: DocumentCollection, query: DocumentQuery, match: string): DocumentPage<Body> {
    const conditions = ['d.catalog = ?'];
    const values: SQLInputValue[] = [catalog];
    for (const { kind, values: wanted } of query.links) {
      conditions.push(
        `d.number IN (SELECT number FROM document_link WHERE kind = ? AND value IN (${wanted.map(() => '?').join(', ')}))`,
      );
      values.push(kind, ...wanted.map((value) => value.toLowerCase()));
    }
    const excluded = query.excludeIds ?? [];
    if (excluded.length > 0) {
      conditions.push(`d.id NOT IN (${excluded.map(() => '?').join(', ')})`);
      values.push(...excluded);
    }
    if (match !== '') {
      conditions.push('document_text MATCH ?');
      values.push(match);
    }
    const from = `FROM document d ${match === '' ? '' : 'JOIN document_text ON document_text.rowid = d.number'} WHERE ${conditions.join(' AND ')}`;
    const order = match === '' ? 'd.id' : `bm25(document_text, ${TITLE_WEIGHT}, 1), d.id`;
    const total = Number(this.#db.prepare(`SELECT count(*) AS total ${from}`).get(...values)?.total ?? 0);
    const rows = this.#db
      .prepare(`SELECT d.entry ${from} ORDER BY ${order} LIMIT ? OFFSET ?`)
      .all(...values, query.limit, query.offset) as { entry: string }[];
    return { total, bodies: rows.map(({ entry }) => JSON.parse(entry) as Body) };
  }
}

const HYPHENATED_WORD = /\p{L}+(?:-\p{L}+)+/gu;
const WORD = new RegExp(`${HYPHENATED_WORD.source}|[\\p{L}\\p{N}]+`, 'gu');
const MAX_QUERY_WORDS = 16;

/** The text, followed by its hyphenated words in one: who looks for `multifactor` means `multi-factor` too. */
function withUnhyphenatedWords(text: string): string {
  const joined = text.match(HYPHENATED_WORD)?.map((word) => word.replaceAll('-', '')) ?? [];
  return [text, ...new Set(joined)].join('\n');
}

/**
 * Words as the full-text index knows them, each quoted so that nothing in it is an operator. Hyphens and dots part words;
 * one with hyphens is also looked for in one.
 */
function fullTextTerms(text: string): string[] {
  const words = text.normalize('NFKC').match(WORD) ?? [];
  return words.slice(0, MAX_QUERY_WORDS).map((word) => {
    const parts = word.split('-').map((part) => `"${part}"`);
    return parts.length === 1 ? parts[0]! : `((${parts.join(' AND ')}) OR "${word.replaceAll('-', '')}")`;
  });
}
