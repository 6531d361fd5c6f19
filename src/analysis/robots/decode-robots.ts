import { utf16FromByteOrderMark, utf16FromZeroBytes } from '../utf16.ts';

/** The text of a robots.txt: UTF-8 (RFC 9309), or UTF-16 if a byte order mark or zero bytes show it. */
export function decodeRobots(bytes: Uint8Array): string {
  const coding = utf16FromByteOrderMark(bytes) ?? utf16FromZeroBytes(bytes);
  if (coding !== null) return new TextDecoder(coding).decode(bytes);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(bomLength(bytes)));
}

const UTF8_BOM = [0xef, 0xbb, 0xbf];

/** Bytes of the byte order mark, which some editors and scripts truncate. */
function bomLength(bytes: Uint8Array): number {
  const differs = UTF8_BOM.findIndex((byte, at) => bytes[at] !== byte);
  return differs === -1 ? UTF8_BOM.length : differs;
}
