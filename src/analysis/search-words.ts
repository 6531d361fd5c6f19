/** Words of texts and of what is searched for, in the same form on both sides. */

/** Too common to tell anything. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by can could for from has have in is it its of on or that the this to via was were which with'.split(
    ' ',
  ),
);
const MAX_WORD_LENGTH = 32;
const ASCII = /^[\x00-\x7f]*$/; // oxlint-disable-line no-control-regex
const ASCII_WORD = /[a-z0-9]+/g;
const WORD = /[\p{L}\p{N}]+/gu;
const MARK = /\p{M}+/gu;

/**
 * The words of a text, in order: letters and digits, in lower case, without accents, in the singular, without the most common
 * words. `log4j-core 2.17.1` is `log4j`, `core`, `2`, `17`, `1`.
 */
export function searchWords(text: string): string[] {
  return plainWords(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(singular);
}

/** The last word of a text as it is written: what begins with it may be meant. Null: the text does not end with a word. */
export function lastWordAsTyped(text: string): string | null {
  return plainWords(text).at(-1) ?? null;
}

/** The words of a text as they are written, in lower case and without accents. */
export function plainWords(text: string): string[] {
  const lower = text.toLowerCase();
  const words = ASCII.test(lower) ? lower.match(ASCII_WORD) : lower.normalize('NFKD').replace(MARK, '').match(WORD);
  return (words ?? []).map((word) => (word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word));
}

/**
 * Harman's stemmer of plurals: `libraries` is `library`, `overflows` is `overflow`; `ss` and `us` stay. A name that only looks like a
 * plural (`windows`) is changed in the query as in the text.
 */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word;
  if (word.endsWith('ies') && !/[ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (word.endsWith('es') && !/[aeo]es$/.test(word)) return word.slice(0, -1);
  return /(?:[us]s|es)$/.test(word) ? word : word.slice(0, -1);
}
