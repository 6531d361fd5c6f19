/** Structured field values (RFC 9651): as much of them as headers about security need. */

export interface Item {
  kind: 'token' | 'string' | 'number' | 'boolean' | 'bytes';
  value: string;
  parameters: ReadonlyMap<string, string>;
}

export type Member = Item | Item[];

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const TOKEN = /[A-Za-z*][A-Za-z0-9:/!#$%&'*+.^_`|~-]*/y;
const NUMBER = /-?\d{1,15}(?:\.\d{1,3})?/y;
const STRING = /"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y;
const BYTES = /:[A-Za-z0-9+/=]*:/y;
const BOOLEAN = /\?[01]/y;
const KINDS: readonly (readonly [Item['kind'], RegExp])[] = [
  ['token', TOKEN],
  ['string', STRING],
  ['number', NUMBER],
  ['bytes', BYTES],
  ['boolean', BOOLEAN],
];
const TRUE = '?1';

/** One item with parameters; null where the text is none. */
export function parseItem(text: string): Item | null {
  const reader = new Reader(text);
  reader.skip(' ');
  const item = reader.item();
  reader.skip(' ');
  return item !== null && reader.atEnd() ? item : null;
}

/** A dictionary; of a key that is given twice the last value holds. Null where the text is none. */
export function parseDictionary(text: string): Map<string, Member> | null {
  const reader = new Reader(text);
  const members = new Map<string, Member>();
  reader.skip(' ');
  while (!reader.atEnd()) {
    const key = reader.take(KEY);
    if (key === null) return null;
    const member = reader.member();
    if (member === null) return null;
    members.set(key, member);
    reader.skip(' \t');
    if (reader.atEnd()) return members;
    if (!reader.eat(',')) return null;
    reader.skip(' \t');
    if (reader.atEnd()) return null;
  }
  return members;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  eat(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  skip(characters: string): void {
    while (!this.atEnd() && characters.includes(this.#text[this.#at]!)) this.#at++;
  }

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  member(): Member | null {
    if (!this.eat('=')) return this.#withParameters('boolean', TRUE);
    return this.eat('(') ? this.#innerList() : this.item();
  }

  item(): Item | null {
    for (const [kind, pattern] of KINDS) {
      const value = this.take(pattern);
      if (value !== null) return this.#withParameters(kind, value);
    }
    return null;
  }

  #innerList(): Item[] | null {
    const items: Item[] = [];
    for (;;) {
      this.skip(' ');
      if (this.eat(')')) return this.#parameters() === null ? null : items;
      const item = this.item();
      if (item === null) return null;
      items.push(item);
      const next = this.#text[this.#at];
      if (next !== ' ' && next !== ')') return null;
    }
  }

  #withParameters(kind: Item['kind'], value: string): Item | null {
    const parameters = this.#parameters();
    return parameters === null ? null : { kind, value, parameters };
  }

  #parameters(): Map<string, string> | null {
    const parameters = new Map<string, string>();
    while (this.eat(';')) {
      this.skip(' ');
      const key = this.take(KEY);
      if (key === null) return null;
      let value: string | null = TRUE;
      if (this.eat('=')) value = KINDS.reduce<string | null>((found, [, kind]) => found ?? this.take(kind), null);
      if (value === null) return null;
      parameters.set(key, value);
    }
    return parameters;
  }
}
