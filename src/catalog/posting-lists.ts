import type { DatabaseSync } from 'node:sqlite';

const FIRST_CAPACITY = 1 << 16;

/** The CVEs of each product and weakness, collected while the index is built. */
export class PostingLists {
  /** The list and the row of each entry. */
  #lists = new Uint32Array(FIRST_CAPACITY);
  #rows = new Uint32Array(FIRST_CAPACITY);
  #size = 0;
  #highestList = -1;

  /** Adds a row to the list whose name has this number. */
  add(list: number, row: number): void {
    if (this.#size === this.#lists.length) {
      this.#lists = doubled(this.#lists);
      this.#rows = doubled(this.#rows);
    }
    this.#lists[this.#size] = list;
    this.#rows[this.#size++] = row;
    if (list > this.#highestList) this.#highestList = list;
  }

  /** Replaces the table `posting`: each list as ascending ordinals, each of them once. `names` are in the order of their numbers. */
  save(db: DatabaseSync, names: Iterable<string>, ordinalOf: Uint32Array): void {
    const { ordinals, starts } = this.#groupByList(ordinalOf);
    // An index that is made from the full table costs a third of one that grows with it, and takes less space.
    const indexes = db
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'posting'")
      .all();
    db.exec('DELETE FROM posting');
    for (const { name } of indexes) db.exec(`DROP INDEX ${String(name)}`);
    const insert = db.prepare('INSERT INTO posting (kind, vendor, product, cves) VALUES (?, ?, ?, ?)');
    let list = -1;
    for (const name of names) {
      if (++list > this.#highestList) break;
      if (starts[list] === starts[list + 1]) continue;
      const cves = withoutRepeats(ordinals.subarray(starts[list], starts[list + 1]).sort());
      const [kind, vendor, product] = name.split('\t') as [string, string, string];
      insert.run(Number(kind), vendor, product, new Uint8Array(cves.buffer, cves.byteOffset, cves.byteLength));
    }
    for (const { sql } of indexes) db.exec(String(sql));
  }

  #groupByList(ordinalOf: Uint32Array): { ordinals: Uint32Array; starts: Uint32Array } {
    const starts = new Uint32Array(this.#highestList + 2);
    for (let at = 0; at < this.#size; at++) starts[this.#lists[at]! + 1]!++;
    for (let list = 1; list < starts.length; list++) starts[list]! += starts[list - 1]!;
    const next = starts.slice();
    const ordinals = new Uint32Array(this.#size);
    for (let at = 0; at < this.#size; at++) ordinals[next[this.#lists[at]!]!++] = ordinalOf[this.#rows[at]!]!;
    return { ordinals, starts };
  }
}

function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** The values of a sorted list, each once; changes the list. */
function withoutRepeats(sorted: Uint32Array): Uint32Array {
  let kept = 0;
  for (let at = 0; at < sorted.length; at++)
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[kept++] = sorted[at]!;
  return sorted.subarray(0, kept);
}
