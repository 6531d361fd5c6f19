import { utf16FromByteOrderMark, utf16FromZeroBytes } from '../utf16.ts';

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
/** A page begins with `<`. */
const LESS_THAN = 0x3c;
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
  const wide = bytes[0] === LESS_THAN || bytes[1] === LESS_THAN ? utf16FromZeroBytes(bytes) : null;
  if (wide !== null) return { charset: wide, source: 'bytes' };
  const inMeta = knownCharset(charsetFromMeta(bytes));
  // A declaration that could be read as ASCII is not in UTF-16, even if it names UTF-16.
  if (inMeta !== null) return { charset: inMeta.startsWith('utf-16') ? 'utf-8' : inMeta, source: 'meta' };
  return { charset: isUtf8(bytes) ? 'utf-8' : 'windows-1252', source: 'bytes' };
}

function charsetFromByteOrderMark(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : utf16FromByteOrderMark(bytes);
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

/** The declaration of a `<meta>` among the first bytes, outside of comments. */
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
    // `stream`: a character that the sample cuts is no error.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, UTF8_SAMPLE_BYTES), { stream: true });
    return true;
  } catch {
    return false;
  }
}
