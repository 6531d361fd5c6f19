import type { DatabaseSync } from 'node:sqlite';
import type { DocumentCollection } from '../../feeds/entries.ts';
import { HYPHENATED_WORD } from '../documents.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';

/** The first document of a collection deletes the old documents of that collection. */
export function createDocumentLoader(db: DatabaseSync): FeedFileLoader<'document'> {
  const insert = db.prepare('INSERT INTO document (catalog, id, entry) VALUES (?, ?, ?)');
  const index = db.prepare('INSERT INTO document_text (rowid, title, body) VALUES (?, ?, ?)');
  const link = db.prepare('INSERT OR IGNORE INTO document_link (kind, value, number) VALUES (?, ?, ?)');
  const known = db.prepare('SELECT 1 FROM document WHERE catalog = ? AND id = ?');
  const cleared = new Set<DocumentCollection>();
  return {
    put(entries) {
      for (const { collection, id, title, text, links, body } of entries) {
        if (!cleared.has(collection)) deleteDocuments(db, collection);
        cleared.add(collection);
        // Of two entries with the same id the first one stays.
        if (known.get(collection, id) !== undefined) continue;
        const number = insert.run(collection, id, JSON.stringify(body)).lastInsertRowid;
        index.run(number, withUnhyphenatedWords(title), withUnhyphenatedWords(text));
        for (const { kind, value } of links) link.run(kind, value.toLowerCase(), number);
      }
    },
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
    // `run` also gives the last row id, which the full-text index sets to values too large for a JavaScript number.
    remove.setReadBigInts(true);
    remove.run(catalog);
  }
}

/** The text, followed by its hyphenated words without hyphens: a search for `multifactor` must find `multi-factor`. */
function withUnhyphenatedWords(text: string): string {
  const unhyphenated = text.match(HYPHENATED_WORD)?.map((word) => word.replaceAll('-', '')) ?? [];
  return [text, ...new Set(unhyphenated)].join('\n');
}
