/** Where the decision came from: a byte order mark, the Content-Type header, a `<meta>` element, the bytes themselves. */
export type CharsetSource = 'bom' | 'header' | 'meta' | 'bytes';

export interface DecodedHtml {
  text: string;
  /** Name in the Encoding standard, such as `utf-8`. */
  charset: string;
  source: CharsetSource;
}

/** As far as the HTML standard looks for a declaration in the bytes. */
const PRESCAN_BYTES = 1024;
/** Bytes that are tried as UTF-8 where nothing is declared. */
const UTF8_SAMPLE_BYTES = 256 * 1024;

/** Decides on the charset as the HTML standard does (section 13.2.3), and decodes; what cannot be decoded becomes U+FFFD. */
export function decodeHtml(bytes: Uint8Array, contentType: string | null): DecodedHtml {
  const { charset, source } = detectCharset(bytes, contentType);
  return { text: new TextDecoder(charset).decode(bytes), charset, source };
}

function detectCharset(bytes: Uint8Array, contentType: string | null): { charset: string; source: CharsetSource } {
  const marked = charsetFromByteOrderMark(bytes);
  if (marked !== null) return { charset: marked, source: 'bom' };
  const inHeader = contentType === null ? null : knownCharset(charsetParameter(contentType));
  if (inHeader !== null) return { charset: inHeader, source: 'header' };
  const wide = charsetFromZeroBytes(bytes);
  if (wide !== null) return { charset: wide, source: 'bytes' };
  const inMeta = knownCharset(charsetFromMeta(bytes));
  // What could be read as ASCII is no UTF-16, whatever it says.
  if (inMeta !== null) return { charset: inMeta.startsWith('utf-16') ? 'utf-8' : inMeta, source: 'meta' };
  return { charset: isUtf8(bytes) ? 'utf-8' : 'windows-1252', source: 'bytes' };
}

function charsetFromByteOrderMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : null;
}

/** `<` and a letter or mark in UTF-16. */
function charsetFromZeroBytes([first, second, third, fourth]: Uint8Array): string | null {
  if (first === 0x3c && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  return first === 0 && second === 0x3c && third === 0 && fourth !== 0 ? 'utf-16be' : null;
}

function charsetParameter(text: string): string | null {
  const [, double, single, bare] =
    /charset\s{0,20}=\s{0,20}(?:"([^"]{1,40})"|'([^']{1,40})'|([^\s;"'>]{1,40}))/i.exec(text) ?? [];
  return double ?? single ?? bare ?? null;
}

function knownCharset(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** The declaration of a `<meta>` among the first bytes, comments passed over. */
function charsetFromMeta(bytes: Uint8Array): string | null {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, PRESCAN_BYTES)).replace(/<!--[^]*?-->/g, '');
  for (const [element] of start.matchAll(/<meta[\s/][^>]*>/gi)) {
    const isDeclaration = /[\s/"']charset\s*=/i.test(element) || /http-equiv\s*=\s*["']?content-type/i.test(element);
    const found = isDeclaration ? charsetParameter(element) : null;
    if (found !== null) return found;
  }
  return null;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // A character that was cut at the end is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, UTF8_SAMPLE_BYTES), { stream: true });
    return true;
  } catch {
    return false;
  }
}
