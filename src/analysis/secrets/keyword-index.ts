/** Code units that are distinguished; all others are one class. */
const ASCII = 128;
/** In an entry of the table: a keyword ends here; the other bits are the row of the next state. */
const ENDS = 0x8000_0000;
const ROW = 0x7fff_ffff;

/**
 * Finds many keywords in one pass (Aho and Corasick, 1975), in time that depends on the text's length alone.
 * Keywords are lower-case ASCII; letters of the text match them in either case.
 */
export class KeywordIndex<Owner> {
  /** A column of the table for each code unit. */
  readonly #column = new Uint8Array(ASCII);
  readonly #columns: number;
  /** By row (of a state) and column: the row of the next state, with `ENDS` where a keyword ends in it. */
  readonly #next: Int32Array;
  /** What ends in a state. */
  readonly #found: readonly (readonly { length: number; owner: Owner }[])[];

  constructor(keywords: Iterable<readonly [string, Owner]>) {
    const all = [...keywords];
    const letters = [...new Set(all.map(([keyword]) => keyword).join(''))];
    for (const [index, letter] of letters.entries()) {
      this.#column[letter.charCodeAt(0)] = index + 1;
      this.#column[letter.toUpperCase().charCodeAt(0)] = index + 1;
    }
    this.#columns = letters.length + 1;
    const children: Map<number, number>[] = [new Map()];
    const found: { length: number; owner: Owner }[][] = [[]];
    for (const [keyword, owner] of all) {
      let state = 0;
      for (const letter of keyword) {
        const column = this.#column[letter.charCodeAt(0)]!;
        let child = children[state]!.get(column);
        if (child === undefined) {
          child = children.length;
          children.push(new Map());
          found.push([]);
          children[state]!.set(column, child);
        }
        state = child;
      }
      found[state]!.push({ length: keyword.length, owner });
    }
    const next = this.#link(children, found);
    this.#next = Int32Array.from(next, (state) => (state * this.#columns) | (found[state]!.length > 0 ? ENDS : 0));
    this.#found = found;
  }

  /** Breadth first, so that the state to fall back to is complete before those that fall back to it. */
  #link(children: readonly Map<number, number>[], found: { length: number; owner: Owner }[][]): Uint16Array {
    const next = new Uint16Array(children.length * this.#columns);
    const fallback = new Uint16Array(children.length);
    const queue = [0];
    for (const state of queue) {
      const back = fallback[state]!;
      if (state !== 0) found[state]!.push(...found[back]!);
      for (let column = 0; column < this.#columns; column++) {
        const child = children[state]!.get(column);
        const otherwise = state === 0 ? 0 : next[back * this.#columns + column]!;
        next[state * this.#columns + column] = child ?? otherwise;
        if (child === undefined) continue;
        fallback[child] = otherwise;
        queue.push(child);
      }
    }
    return next;
  }

  /** Calls back for every keyword in the text, with the place where it begins. */
  search(text: string, onKeyword: (owner: Owner, start: number) => void): void {
    // Private fields would be loaded again for each character.
    const column = this.#column;
    const next = this.#next;
    let row = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const entry = next[row + (unit < ASCII ? column[unit]! : 0)]!;
      row = entry & ROW;
      if (entry === row) continue;
      for (const { length, owner } of this.#found[row / this.#columns]!) onKeyword(owner, at + 1 - length);
    }
  }
}
