const FIRST_CAPACITY = 1 << 16;

/** Lists of numbers, collected in any order of the lists. */
export class NumberLists {
  /** The list and the value of each entry. */
  #lists = new Uint32Array(FIRST_CAPACITY);
  #values = new Uint32Array(FIRST_CAPACITY);
  #size = 0;
  #count = 0;

  /** How many lists there are: the highest number of one, plus one. */
  get count(): number {
    return this.#count;
  }

  add(list: number, value: number): void {
    if (this.#size === this.#lists.length) {
      this.#lists = doubled(this.#lists);
      this.#values = doubled(this.#values);
    }
    this.#lists[this.#size] = list;
    this.#values[this.#size++] = value;
    if (list >= this.#count) this.#count = list + 1;
  }

  /** Values by list, each list in the order in which they were added: that of `list` is from `starts[list]` to `starts[list + 1]`. */
  group(count = this.#count): { values: Uint32Array; starts: Uint32Array } {
    const starts = new Uint32Array(count + 1);
    for (let at = 0; at < this.#size; at++) starts[this.#lists[at]! + 1]!++;
    for (let list = 1; list < starts.length; list++) starts[list]! += starts[list - 1]!;
    const next = starts.slice();
    const values = new Uint32Array(this.#size);
    for (let at = 0; at < this.#size; at++) values[next[this.#lists[at]!]!++] = this.#values[at]!;
    return { values, starts };
  }
}

function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** The values of a sorted list, each once; changes the list. */
export function withoutRepeats(sorted: Uint32Array): Uint32Array {
  let kept = 0;
  for (let at = 0; at < sorted.length; at++)
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[kept++] = sorted[at]!;
  return sorted.subarray(0, kept);
}
