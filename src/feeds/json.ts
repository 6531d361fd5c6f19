/** No feed nests its data nearly as deep; what is deeper is made to hurt who reads it. */
const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON nested deeper than any feed is. */
export class JsonDepthError extends SyntaxError {
  override readonly name = 'JsonDepthError';
  constructor() {
    super(`the JSON is nested deeper than ${MAX_DEPTH}`);
  }
}

/** `JSON.parse` of a foreign text; throws `JsonDepthError` before it is parsed where it is nested too deep. */
export function parseJson(text: string): unknown {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    else if ((code | 0x20) === 0x7b && ++depth > MAX_DEPTH) throw new JsonDepthError();
    else if ((code | 0x20) === 0x7d) depth--;
  }
  return JSON.parse(text);
}

/** Where the string ends that begins at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
