import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { createLruCache } from '../lru-cache.ts';
import type { DocumentCollection } from '../feeds/entries.ts';

export interface DocumentQuery {
  /** Documents with all of these words, best match first; if there are none, those with any of them. Null: all documents, by id. */
  words: string | null;
  /** The document must have a link of each kind with one of its values. */
  links: readonly { kind: string; values: readonly string[] }[];
  excludeIds?: readonly string[];
  limit: number;
  offset: number;
}

export interface DocumentPage<Body> {
  total: number;
  bodies: Body[];
}

/** A match in the title counts this many times as much as one in the text. */
const TITLE_WEIGHT = 8;
/** Forms of queries that are kept. */
const MAX_PREPARED = 100;

/** Reads documents by id and by search. */
export class DocumentReader {
  readonly #db: DatabaseSync;
  readonly #byId;
  readonly #byCollection;
  readonly #prepared = createLruCache<string, StatementSync>(MAX_PREPARED);

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#byId = db.prepare('SELECT entry FROM document WHERE catalog = ? AND id = ?');
    this.#byCollection = db.prepare('SELECT entry FROM document WHERE catalog = ? ORDER BY id');
  }

  get<Body>(collection: DocumentCollection, id: string): Body | null {
    const row = this.#byId.get(collection, id) as { entry: string } | undefined;
    return row === undefined ? null : (JSON.parse(row.entry) as Body);
  }

  all<Body>(collection: DocumentCollection): Body[] {
    return (this.#byCollection.all(collection) as { entry: string }[]).map(({ entry }) => JSON.parse(entry) as Body);
  }

  search<Body>(collection: DocumentCollection, query: DocumentQuery): DocumentPage<Body> {
    const words = query.words === null ? [] : fullTextTerms(query.words);
    if (query.words !== null && words.length === 0) return { total: 0, bodies: [] };
    const found = this.#queryPage<Body>(collection, query, words.join(' AND '));
    return found.total === 0 && words.length > 1 ? this.#queryPage(collection, query, words.join(' OR ')) : found;
  }

  /** How many of the documents that a query finds have each value of these kinds of links, most first. Values are in lower case. */
  countLinks(
    collection: DocumentCollection,
    query: DocumentQuery,
    kinds: readonly string[],
  ): Map<string, { value: string; count: number }[]> {
    const words = query.words === null ? [] : fullTextTerms(query.words);
    const isNothing = query.words !== null && words.length === 0;
    const all = fromClause(collection, query, words.join(' AND '));
    const found = words.length < 2 || this.#count(all) > 0 ? all : fromClause(collection, query, words.join(' OR '));
    return new Map(
      kinds.map((kind) => {
        const sql = `SELECT l.value, count(*) AS count FROM document_link l WHERE l.kind = ? AND l.number IN (SELECT d.number ${found.sql}) GROUP BY l.value ORDER BY count DESC, l.value`;
        const rows = isNothing ? [] : this.#prepare(sql).all(kind, ...found.values);
        return [kind, rows as { value: string; count: number }[]];
      }),
    );
  }

  #queryPage<Body>(catalog: DocumentCollection, query: DocumentQuery, match: string): DocumentPage<Body> {
    const from = fromClause(catalog, query, match);
    const order = match === '' ? 'd.id' : `bm25(document_text, ${TITLE_WEIGHT}, 1), d.id`;
    const sql = `SELECT d.entry ${from.sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
    const rows = this.#prepare(sql).all(...from.values, query.limit, query.offset) as { entry: string }[];
    return { total: this.#count(from), bodies: rows.map(({ entry }) => JSON.parse(entry) as Body) };
  }

  /** The same forms of queries come again and again. */
  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  #count({ sql, values }: FromClause): number {
    return Number(this.#prepare(`SELECT count(*) AS total ${sql}`).get(...values)?.['total'] ?? 0);
  }
}

interface FromClause {
  sql: string;
  values: SQLInputValue[];
}

/** `FROM document d ... WHERE ...` of what a query finds; `match`: full-text terms, or empty. */
function fromClause(catalog: DocumentCollection, query: DocumentQuery, match: string): FromClause {
  // With links, few documents are left: "+" keeps SQLite from walking through all of the collection instead.
  const conditions = [query.links.length > 0 ? '+d.catalog = ?' : 'd.catalog = ?'];
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
  const text = match === '' ? '' : 'JOIN document_text ON document_text.rowid = d.number';
  return { sql: `FROM document d ${text} WHERE ${conditions.join(' AND ')}`, values };
}

/** Words of letters joined by hyphens: `multi-factor`. */
export const HYPHENATED_WORD = /\p{L}+(?:-\p{L}+)+/gu;
const WORD = new RegExp(`${HYPHENATED_WORD.source}|[\\p{L}\\p{N}]+`, 'gu');
const MAX_QUERY_WORDS = 16;

/**
 * The words of a query as FTS5 terms, each quoted so that no part of it is an operator. Hyphens and dots separate words; a
 * hyphenated word is also searched for without hyphens.
 */
function fullTextTerms(text: string): string[] {
  const words = text.normalize('NFKC').match(WORD) ?? [];
  return words.slice(0, MAX_QUERY_WORDS).map((word) => {
    const parts = word.split('-').map((part) => `"${part}"`);
    return parts.length === 1 ? parts[0]! : `((${parts.join(' AND ')}) OR "${word.replaceAll('-', '')}")`;
  });
}
