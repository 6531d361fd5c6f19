import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Texts that many rows have in common are stored once and known by their numbers: see docs/decisions/029-shared-texts.md. There are
 * two lists of them: parts of records (CPE prefixes, folders of URLs, CVSS assessments), and the names of posting lists.
 */
export type TextTable = 'shared_text' | 'posting_name';

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

/** Texts in one row of a table, as a JSON array: neighbours were often first used by one record, and are read together. */
const BLOCK_BITS = 5;
const BLOCK_TEXTS = 1 << BLOCK_BITS;

/** The numbers of a catalog that is written. New texts are stored by `save`, in the transaction of the caller. */
export class CatalogTexts implements TextNumbers {
  static readonly #ofDatabases = new WeakMap<DatabaseSync, Map<TextTable, CatalogTexts>>();

  readonly #numbers = new Map<string, number>();
  /** Once a record is to be decoded: the texts by number. */
  #byNumber: string[] | null = null;
  /** Of the last block, which may have been stored before it was full. */
  #lastBlock: string[] = [];
  readonly #unsaved = new Map<number, string[]>();
  readonly #insert: StatementSync;
  readonly #last: StatementSync;
  readonly #all: StatementSync;

  private constructor(db: DatabaseSync, table: TextTable) {
    this.#insert = db.prepare(`INSERT OR REPLACE INTO ${table} (block, texts) VALUES (?, ?)`);
    this.#last = db.prepare(`SELECT block, texts FROM ${table} ORDER BY block DESC LIMIT 1`);
    this.#all = db.prepare(`SELECT texts FROM ${table} ORDER BY block`);
  }

  /** Kept while the database is open, because reading all texts takes long. To be called anew in each transaction. */
  static of(db: DatabaseSync, table: TextTable): CatalogTexts {
    let tables = CatalogTexts.#ofDatabases.get(db);
    if (tables === undefined) CatalogTexts.#ofDatabases.set(db, (tables = new Map()));
    let texts = tables.get(table);
    if (texts === undefined) tables.set(table, (texts = new CatalogTexts(db, table)));
    texts.#rereadAfterRollback();
    return texts;
  }

  /** Frees the memory of texts that were saved; `of` reads them again. */
  static release(db: DatabaseSync, table: TextTable): void {
    CatalogTexts.#ofDatabases.get(db)?.delete(table);
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#byNumber?.push(text);
    if (number % BLOCK_TEXTS === 0) this.#lastBlock = [];
    this.#lastBlock.push(text);
    this.#unsaved.set(Math.floor(number / BLOCK_TEXTS), this.#lastBlock);
    return number;
  }

  save(): void {
    for (const [block, texts] of this.#unsaved) this.#insert.run(block, JSON.stringify(texts));
    this.#unsaved.clear();
  }

  /** The texts of a block as far as it is filled, for `SharedTexts`. */
  block(block: number): string[] {
    this.#byNumber ??= [...this.#numbers.keys()];
    return this.#byNumber.slice(block << BLOCK_BITS, (block + 1) << BLOCK_BITS);
  }

  /** The texts in the order of their numbers. */
  texts(): Iterable<string> {
    return this.#numbers.keys();
  }

  #rereadAfterRollback(): void {
    const last = this.#last.get() as { block: number; texts: string } | undefined;
    const stored = last === undefined ? 0 : last.block * BLOCK_TEXTS + (JSON.parse(last.texts) as string[]).length;
    if (stored === this.#numbers.size) return;
    this.#numbers.clear();
    this.#unsaved.clear();
    this.#byNumber = null;
    for (const { texts } of this.#all.iterate() as Iterable<unknown> as Iterable<{ texts: string }>) {
      this.#lastBlock = JSON.parse(texts) as string[];
      for (const text of this.#lastBlock) this.#numbers.set(text, this.#numbers.size);
    }
  }
}

/** Gives shared texts of records by number. What was read stays in memory: all of them are some 20 megabytes. */
export class SharedTexts {
  readonly #readBlock: (block: number) => unknown[] | undefined;
  /** Of each text its parsed JSON, once that was asked for. */
  readonly #blocks: (unknown[] | undefined)[];

  /** `blocks`: how many there are. */
  constructor(blocks: number, readBlock: (block: number) => unknown[] | undefined) {
    this.#blocks = Array.from({ length: blocks });
    this.#readBlock = readBlock;
  }

  static inCatalog(db: Pick<DatabaseSync, 'prepare'>): SharedTexts {
    const { blocks } = db.prepare('SELECT count(*) AS blocks FROM shared_text').get() as { blocks: number };
    const select = db.prepare('SELECT texts FROM shared_text WHERE block = ?');
    return new SharedTexts(blocks, (block) => {
      const row = select.get(block) as { texts: string } | undefined;
      return row === undefined ? undefined : (JSON.parse(row.texts) as string[]);
    });
  }

  text(number: number): string {
    const value = this.#valueOf(number);
    // Should a text be used both as it is and as JSON.
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** A text that is the JSON of an array, parsed once: the caller must not change what it gets. */
  row<Row extends readonly unknown[]>(number: number): Row {
    const value = this.#valueOf(number);
    if (typeof value !== 'string') return value as Row;
    return (this.#blocks[number >>> BLOCK_BITS]![number % BLOCK_TEXTS] = JSON.parse(value)) as Row;
  }

  #valueOf(number: number): unknown {
    const at = number >>> BLOCK_BITS;
    const block = (this.#blocks[at] ??= this.#readBlock(at));
    // While a catalog is written, a block may have been read before it was full.
    const value = block?.[number % BLOCK_TEXTS] ?? (this.#blocks[at] = this.#readBlock(at))?.[number % BLOCK_TEXTS];
    if (value === undefined) throw new RangeError(`no shared text has the number ${number}`);
    return value;
  }
}
