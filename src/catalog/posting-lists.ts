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
   * Replaces the table `posting` (of each list every ordinal once) and its inverse, which is returned. `names` are
   * in the order of their numbers.
   */
  save(db: DatabaseSync, names: Iterable<string>, ordinalOf: Uint32Array): ListsOfCves {
    const { values, starts } = this.#rows.group();
    for (let at = 0; at < values.length; at++) values[at] = ordinalOf[values[at]!]!;
    // An index that is made from the full table costs a third of one that grows with it, and takes less space.
    const indexes = db
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'posting'")
      .all();
    db.exec('DELETE FROM posting');
    for (const { name } of indexes) db.exec(`DROP INDEX ${String(name)}`);
    const insert = db.prepare('INSERT INTO posting (id, kind, vendor, product, cves) VALUES (?, ?, ?, ?, ?)');
    const inverse = new ListsOfCvesBuilder();
    let list = -1;
    for (const name of names) {
      if (++list >= this.#rows.count) break;
      if (starts[list] === starts[list + 1]) continue;
      const cves = withoutRepeats(values.subarray(starts[list], starts[list + 1]).sort());
      const [kind, vendor, product] = name.split('\t') as [string, string, string];
      // As the name's number it is the same in the next generation: a list that comes first does not change all others.
      const id = list + 1;
      insert.run(id, Number(kind), vendor, product, postingBytes(cves, ordinalOf.length));
      inverse.add({ id, kind: Number(kind), vendor, product }, cves);
    }
    for (const { sql } of indexes) db.exec(String(sql));
    const lists = inverse.build(ordinalOf.length);
    saveListsOfCves(db, lists);
    return lists;
  }
}
