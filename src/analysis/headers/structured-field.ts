/** Structured field values (RFC 9651): as much of them as headers about security need. */

export interface StructuredItem {
  kind: 'token' | 'string' | 'number' | 'boolean' | 'bytes';
  value: string;
  parameters: ReadonlyMap<string, string>;
}

export type DictionaryMember = StructuredItem | StructuredItem[];

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const TOKEN = /[A-Za-z*][A-Za-z0-9:/!#$%&'*+.^_`|~-]*/y;
const NUMBER = /-?\d{1,15}(?:\.\d{1,3})?/y;
const STRING = /"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y;
const BYTES = /:[A-Za-z0-9+/=]*:/y;
const BOOLEAN = /\?[01]/y;
const ITEM_PATTERNS: readonly (readonly [StructuredItem['kind'], RegExp])[] = [
  ['token', TOKEN],
  ['string', STRING],
  ['number', NUMBER],
  ['bytes', BYTES],
  ['boolean', BOOLEAN],
];
const TRUE = '?1';

/** One item with parameters; null where the text is none. */
export function parseStructuredItem(text: string): StructuredItem | null {
  const reader = new FieldParser(text);
  reader.skip(' ');
  const item = reader.item();
  reader.skip(' ');
  return item !== null && reader.atEnd() ? item : null;
}

/** A dictionary; of a key that is given twice the last value holds. Null where the text is none. */
export function parseStructuredDictionary(text: string): Map<string, DictionaryMember> | null {
  const reader = new FieldParser(text);
  const members = new Map<string, DictionaryMember>();
  reader.skip(' ');
  while (!reader.atEnd()) {
    const key = reader.takeMatch(KEY);
    if (key === null) return null;
    const member = reader.member();
    if (member === null) return null;
    members.set(key, member);
    reader.skip(' \t');
    if (reader.atEnd()) return members;
    if (!reader.skipCharacter(',')) return null;
    reader.skip(' \t');
    if (reader.atEnd()) return null;
  }
  return members;
}

class FieldParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  skipCharacter(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  skip(characters: string): void {
    while (!this.atEnd() && characters.includes(this.#text[this.#at]!)) this.#at++;
  }

  takeMatch(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  member(): DictionaryMember | null {
    if (!this.skipCharacter('=')) return this.#withParameters('boolean', TRUE);
    return this.skipCharacter('(') ? this.#innerList() : this.item();
  }

  item(): StructuredItem | null {
    for (const [kind, pattern] of ITEM_PATTERNS) {
      const value = this.takeMatch(pattern);
      if (value !== null) return this.#withParameters(kind, value);
    }
    return null;
  }

  #innerList(): StructuredItem[] | null {
    const items: StructuredItem[] = [];
    for (;;) {
      this.skip(' ');
      if (this.skipCharacter(')')) return this.#parameters() === null ? null : items;
      const item = this.item();
      if (item === null) return null;
      items.push(item);
      const next = this.#text[this.#at];
      if (next !== ' ' && next !== ')') return null;
    }
  }

  #withParameters(kind: StructuredItem['kind'], value: string): StructuredItem | null {
    const parameters = this.#parameters();
    return parameters === null ? null : { kind, value, parameters };
  }

  #parameters(): Map<string, string> | null {
    const parameters = new Map<string, string>();
    while (this.skipCharacter(';')) {
      this.skip(' ');
      const key = this.takeMatch(KEY);
      if (key === null) return null;
      let value: string | null = TRUE;
      if (this.skipCharacter('='))
        value = ITEM_PATTERNS.reduce<string | null>((found, [, kind]) => found ?? this.takeMatch(kind), null);
      if (value === null) return null;
      parameters.set(key, value);
    }
    return parameters;
  }
}
