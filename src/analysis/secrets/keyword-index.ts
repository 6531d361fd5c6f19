/** Code units that are distinguished; all others are one class. */
const ASCII = 128;

/**
 * Finds many keywords in one pass (Aho and Corasick, 1975), in time that depends on the text's length alone.
 * Keywords are lower-case ASCII; letters of the text match them in either case.
 */
export class KeywordIndex<Owner> {
  /** A column of the table for each code unit. */
  readonly #column = new Uint8Array(ASCII);
  readonly #columns: number;
  /** The next state, by state and column. */
  readonly #next: Uint16Array;
  /** What ends in a state. */
  readonly #found: readonly (readonly { length: number; owner: Owner }[] | null)[];

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
    this.#next = this.#link(children, found);
    this.#found = found.map((ends) => (ends.length === 0 ? null : ends));
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
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      state = this.#next[state * this.#columns + (unit < ASCII ? this.#column[unit]! : 0)]!;
      const ends = this.#found[state];
      if (ends === null || ends === undefined) continue;
      for (const { length, owner } of ends) onKeyword(owner, at + 1 - length);
    }
  }
}
