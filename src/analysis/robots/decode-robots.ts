/** The text of a robots.txt: UTF-8 as RFC 9309 has it, and UTF-16 where a mark or the zero bytes of ASCII letters tell. */
export function decodeRobots(bytes: Uint8Array): string {
  const coding = detectUtf16(bytes);
  if (coding !== null) return new TextDecoder(coding).decode(bytes);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(bomLength(bytes)));
}

const UTF8_BOM = [0xef, 0xbb, 0xbf];

/** Also of a mark that was cut: editors and copying scripts leave such. */
function bomLength(bytes: Uint8Array): number {
  const differs = UTF8_BOM.findIndex((byte, at) => bytes[at] !== byte);
  return differs === -1 ? UTF8_BOM.length : differs;
}

function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  return null;
}
