import type { DatabaseSync } from 'node:sqlite';
import { ListsOfCvesBuilder, saveListsOfCves, type ListsOfCves } from './lists-of-cves.ts';
import { NumberLists, withoutRepeats } from './number-lists.ts';
import { postingBytes } from './posting-bytes.ts';

/** The CVEs of each product and weakness, collected while the index is built. */
export class PostingLists {
  readonly #rows = new NumberLists();

  /** Adds a row to the list whose name has this number. */
  add(list: number, row: number): void {
    this.#rows.add(list, row);
  }

  /**
   * Brings the table `posting` up to date (of each list every ordinal once) and gives its inverse. `names` are in the order of their numbers. A
   * list that is the same is not written: its page stays as it is, and is in no delta of a published catalog.
   */
  save(db: DatabaseSync, names: Iterable<string>, ordinalOf: Uint32Array): ListsOfCves {
    const { values, starts } = this.#rows.group();
    for (let at = 0; at < values.length; at++) values[at] = ordinalOf[values[at]!]!;
    const stored = readStored(db);
    // An index that is made from the full table costs a third of one that grows with it, and takes less space.
    const indexes = stored.size > 0 ? [] : db.prepare(INDEXES).all();
    for (const { name } of indexes) db.exec(`DROP INDEX ${String(name)}`);
    const put = db.prepare('INSERT OR REPLACE INTO posting (id, kind, vendor, product, cves) VALUES (?, ?, ?, ?, ?)');
    const update = db.prepare('UPDATE posting SET cves = ? WHERE id = ?');
    const inverse = new ListsOfCvesBuilder();
    let list = -1;
    for (const name of names) {
      if (++list >= this.#rows.count) break;
      if (starts[list] === starts[list + 1]) continue;
      const cves = withoutRepeats(values.subarray(starts[list], starts[list + 1]).sort());
      const [kind, vendor, product] = name.split('\t') as [string, string, string];
      // As the name's number it is the same in the next generation: a list that comes first does not change all others.
      const id = list + 1;
      const bytes = postingBytes(cves, ordinalOf.length);
      const before = stored.get(id);
      stored.delete(id);
      if (before?.name !== name) put.run(id, Number(kind), vendor, product, bytes);
      else if (Buffer.compare(before.cves, bytes) !== 0) update.run(bytes, id);
      inverse.add({ id, kind: Number(kind), vendor, product }, cves);
    }
    const remove = db.prepare('DELETE FROM posting WHERE id = ?');
    for (const id of stored.keys()) remove.run(id);
    for (const { sql } of indexes) db.exec(String(sql));
    const lists = inverse.build(ordinalOf.length);
    saveListsOfCves(db, lists);
    return lists;
  }
}

const INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'posting'";

function readStored(db: DatabaseSync): Map<number, { name: string; cves: Uint8Array }> {
  const rows = db
    .prepare('SELECT id, kind, vendor, product, cves FROM posting')
    .iterate() as Iterable<unknown> as Iterable<{
    id: number;
    kind: number;
    vendor: string;
    product: string;
    cves: Uint8Array;
  }>;
  const stored = new Map<number, { name: string; cves: Uint8Array }>();
  for (const { id, kind, vendor, product, cves } of rows)
    stored.set(id, { name: `${kind}\t${vendor}\t${product}`, cves });
  return stored;
}
