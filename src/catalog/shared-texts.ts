import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Texts that many records have in common (CPE prefixes, folders of URLs, CVSS vectors, names of scorers) are stored once, in the
 * table `shared_text`, and records hold their numbers: see docs/decisions/029-shared-texts.md.
 */
export interface TextNumbers {
  /** The number of a text; a new one gets the next. */
  numberOf(text: string): number;
}

/** Numbers that hold within one batch of records, which a thread makes: `texts[number]`. */
export class BatchTexts implements TextNumbers {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** The numbers of a catalog that is written. New texts are stored at once, in the transaction of the caller. */
export class CatalogTexts implements TextNumbers {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #numbers = new Map<string, number>();

  private constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO shared_text (number, text) VALUES (?, ?)');
  }

  static readonly #ofDatabases = new WeakMap<DatabaseSync, CatalogTexts>();

  /** Kept while the database is open, because reading all texts takes long. To be called again in each transaction. */
  static of(db: DatabaseSync): CatalogTexts {
    let texts = CatalogTexts.#ofDatabases.get(db);
    if (texts === undefined) CatalogTexts.#ofDatabases.set(db, (texts = new CatalogTexts(db)));
    texts.#reread();
    return texts;
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#insert.run(number, text);
    this.#numbers.set(text, number);
    return number;
  }

  /** After a rollback some texts are not stored any more. */
  #reread(): void {
    const last = this.#db.prepare('SELECT max(number) AS number FROM shared_text').get() as { number: number | null };
    if ((last.number ?? -1) + 1 === this.#numbers.size) return;
    this.#numbers.clear();
    const rows = this.#db
      .prepare('SELECT number, text FROM shared_text ORDER BY number')
      .iterate() as Iterable<unknown>;
    for (const { number, text } of rows as Iterable<{ number: number; text: string }>) this.#numbers.set(text, number);
  }
}

/** Gives shared texts by number; each is read once. They are some megabytes in all. */
export class SharedTexts {
  readonly #read: (number: number) => string | undefined;
  readonly #texts: (string | undefined)[] = [];
  readonly #rows: unknown[] = [];

  constructor(read: (number: number) => string | undefined) {
    this.#read = read;
  }

  static inCatalog(db: Pick<DatabaseSync, 'prepare'>): SharedTexts {
    const select = db.prepare('SELECT text FROM shared_text WHERE number = ?');
    return new SharedTexts((number) => (select.get(number) as { text: string } | undefined)?.text);
  }

  text(number: number): string {
    return (this.#texts[number] ??= this.#readExisting(number));
  }

  /** A text that is JSON, parsed once: the caller must not change what it gets. */
  row<Row>(number: number): Row {
    return (this.#rows[number] ??= JSON.parse(this.#readExisting(number))) as Row;
  }

  #readExisting(number: number): string {
    const text = this.#read(number);
    if (text === undefined) throw new RangeError(`no shared text has the number ${number}`);
    return text;
  }
}
