const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Objects and lists within one another that a document of a caller has at most: what reads it may call itself for each. */
export const MAX_JSON_DEPTH = 100;

/** True where objects and lists of a JSON text stand more than `limit` within one another. Takes any text; linear, no recursion. */
export function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth++;
      if (depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** Where the quote stands that ends the string beginning at `start`; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
