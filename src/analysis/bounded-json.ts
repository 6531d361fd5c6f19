/** Levels of lists and objects in a JSON text from outside: what walks the value afterwards may call itself for each. */
export const MAX_JSON_DEPTH = 100;

/** JSON that is nested deeper than is read here. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError';

  constructor() {
    super(`nested over ${MAX_JSON_DEPTH} levels deep`);
  }
}

/** The value of a JSON text. Throws `SyntaxError` where it is not JSON, `JsonDepthError` where it is nested too deep. */
export function parseBoundedJson(text: string): unknown {
  if (isNestedDeeperThan(text, MAX_JSON_DEPTH)) throw new JsonDepthError();
  return JSON.parse(text);
}

/** True for a JSON object; false for a list, null or a scalar. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** By its brackets outside of strings, in one pass, before anything is made of it. */
function isNestedDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = indexOfClosingQuote(text, at);
      if (at === -1) return false;
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > limit) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth -= 1;
  }
  return false;
}

/** Where the string that begins at `start` ends; -1 where it does not. */
function indexOfClosingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // An even number of backslashes: they escape each other, and not the quote.
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}
