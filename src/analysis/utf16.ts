/** The encoding of a text with a UTF-16 byte order mark; null: no such mark. */
export function utf16FromByteOrderMark([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** The encoding of a text that begins with two ASCII characters in UTF-16 (every second byte is zero); null for other texts. */
export function utf16FromZeroBytes([first, second, third, fourth]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? 'utf-16be' : null;
}
