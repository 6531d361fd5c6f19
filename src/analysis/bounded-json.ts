/** Limit of nesting in third-party JSON: recursive functions process the value afterwards. */
const MAX_JSON_DEPTH = 100;

/** JSON that is nested deeper than `MAX_JSON_DEPTH`. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError';

  constructor() {
    super(`nested over ${MAX_JSON_DEPTH} levels deep`);
  }
}

/** Parses JSON. Throws `SyntaxError` for other text, `JsonDepthError` for more than 100 levels of nesting. */
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

/** Counts the brackets outside of strings, before the text is parsed. */
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

/** Index of the quote that closes the string opened at `start`; -1: not closed. */
function indexOfClosingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // An even number of backslashes before the quote escape each other, not the quote.
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}
