/** The bytes are not those of an SQLite database, or are broken. */
export class UnreadableDatabaseError extends Error {
  override readonly name = 'UnreadableDatabaseError';
}

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const TABLE_INTERIOR = 5;
const TABLE_LEAF = 13;
const MAX_ROWS = 200_000;
const SCHEMA_ROOT = 1;
/** Columns of the schema table. */
const SCHEMA = { type: 0, name: 1, rootPage: 3 } as const;

/**
 * The values of one column of a table, by rows (SQLite, "Database File Format"). It reads a stranger's file: each page is visited once at most,
 * and nothing of it is run, neither views nor expressions. Throws `UnreadableDatabaseError`.
 */
export function* readSqliteTable(bytes: Uint8Array, table: string, column: number): Iterable<Uint8Array> {
  const database = new SqliteFile(bytes);
  for (const record of database.records(SCHEMA_ROOT)) {
    if (textOf(record.value(SCHEMA.type)) !== 'table' || textOf(record.value(SCHEMA.name)) !== table) continue;
    const root = integerOf(record.value(SCHEMA.rootPage));
    for (const row of database.records(root)) yield row.value(column);
    return;
  }
  throw new UnreadableDatabaseError(`it has no table ${table}`);
}

class SqliteFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #pageSize: number;
  /** Of a page without what is reserved at its end. */
  readonly #usable: number;

  constructor(bytes: Uint8Array) {
    if (bytes.length < HEADER_BYTES || textOf(bytes.subarray(0, MAGIC.length)) !== MAGIC)
      throw new UnreadableDatabaseError('it is no SQLite database');
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const size = this.#view.getUint16(16);
    this.#pageSize = size === 1 ? 65_536 : size;
    this.#usable = this.#pageSize - bytes[20]!;
    if (this.#pageSize < 512 || this.#usable < 480) throw new UnreadableDatabaseError('its page size is not valid');
  }

  /** The records of a table, in the order of their row ids. */
  *records(root: number): Iterable<SqliteRecord> {
    const visited = new Set<number>();
    const waiting = [root];
    let rows = 0;
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      const start = this.#pageStart(page, visited);
      // The first page begins with the header of the file.
      const at = page === 1 ? start + HEADER_BYTES : start;
      const kind = this.#bytes[at];
      const cells = this.#view.getUint16(at + 3);
      const pointers = at + (kind === TABLE_INTERIOR ? 12 : 8);
      if ((kind !== TABLE_INTERIOR && kind !== TABLE_LEAF) || pointers + cells * 2 > start + this.#pageSize)
        throw new UnreadableDatabaseError('a page of it is broken');
      const offsets = Array.from({ length: cells }, (_, n) => start + this.#view.getUint16(pointers + n * 2));
      if (offsets.some((offset) => offset + 4 > start + this.#pageSize))
        throw new UnreadableDatabaseError('a page of it is broken');
      if (kind === TABLE_INTERIOR) {
        const children = [...offsets.map((offset) => this.#view.getUint32(offset)), this.#view.getUint32(at + 8)];
        waiting.push(...children.toReversed());
        continue;
      }
      for (const offset of offsets) {
        if (++rows > MAX_ROWS) throw new UnreadableDatabaseError(`it has more than ${MAX_ROWS} rows`);
        yield new SqliteRecord(this.#payload(offset, visited));
      }
    }
  }

  #pageStart(page: number, visited: Set<number>): number {
    const start = (page - 1) * this.#pageSize;
    if (page < 1 || start + this.#pageSize > this.#bytes.length || visited.has(page))
      throw new UnreadableDatabaseError('a page of it is broken');
    visited.add(page);
    return start;
  }

  /** The payload of a cell: what does not fit on its page goes on in a chain of others. */
  #payload(offset: number, visited: Set<number>): Uint8Array {
    const [length, afterLength] = readVarint(this.#bytes, offset);
    const [, start] = readVarint(this.#bytes, afterLength);
    if (length > this.#bytes.length) throw new UnreadableDatabaseError('a record of it is broken');
    if (length <= this.#usable - 35) return this.#bytes.subarray(start, start + length);
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const fitting = least + ((length - least) % (this.#usable - 4));
    const local = fitting <= this.#usable - 35 ? fitting : least;
    const payload = new Uint8Array(length);
    payload.set(this.#bytes.subarray(start, start + local));
    let filled = local;
    let next = this.#pageNumber(start + local);
    while (filled < length) {
      const page = this.#pageStart(next, visited);
      const piece = this.#bytes.subarray(page + 4, page + 4 + Math.min(this.#usable - 4, length - filled));
      payload.set(piece, filled);
      filled += piece.length;
      next = this.#pageNumber(page);
    }
    return payload;
  }

  #pageNumber(at: number): number {
    if (at + 4 > this.#bytes.length) throw new UnreadableDatabaseError('a record of it is broken');
    return this.#view.getUint32(at);
  }
}

class SqliteRecord {
  readonly #payload: Uint8Array;

  constructor(payload: Uint8Array) {
    this.#payload = payload;
  }

  /** The bytes of a column as stored; empty for NULL, for 0 and 1 as constants, and for a column that is not there. */
  value(column: number): Uint8Array {
    const [headerLength, first] = readVarint(this.#payload, 0);
    let at = first;
    let start = headerLength;
    for (let index = 0; at < headerLength; index++) {
      const [type, after] = readVarint(this.#payload, at);
      const length = lengthOfType(type);
      if (index === column) return this.#payload.subarray(start, start + length);
      start += length;
      at = after;
    }
    return new Uint8Array();
  }
}

const INTEGER_LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];

function lengthOfType(type: number): number {
  return type < INTEGER_LENGTHS.length ? INTEGER_LENGTHS[type]! : Math.floor((type - 12) / 2);
}

/** A number of one to nine bytes, and where it ends. */
function readVarint(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw new UnreadableDatabaseError('a record of it is broken');
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  // A ninth byte is of numbers that nothing here is as large as.
  throw new UnreadableDatabaseError('a record of it is broken');
}

function integerOf(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
