/** Deeper than any answer of a source: RDAP's, the deepest, have about twelve levels. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Parses the JSON of a third party. What is nested deeper than 64 levels is refused before it is parsed. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new Error('JSON nested too deep');
  return JSON.parse(text) as unknown;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    // { and [, } and ]
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
