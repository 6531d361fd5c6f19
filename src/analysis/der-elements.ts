export const DER_TAGS = {
  INTEGER: 0x02,
  BIT_STRING: 0x03,
  OCTET_STRING: 0x04,
  OBJECT_IDENTIFIER: 0x06,
  SEQUENCE: 0x30,
} as const;

export interface DerElement {
  tag: number;
  content: Buffer;
  /** With tag and length. */
  raw: Buffer;
}

/** The consecutive DER elements (X.690, 8.1) in `bytes`, up to the first that does not fit. */
export function parseDerElements(bytes: Buffer | undefined): DerElement[] {
  const found: DerElement[] = [];
  if (bytes === undefined) return found;
  for (let at = 0; at + 2 <= bytes.length; ) {
    const first = bytes[at + 1]!;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) break;
    const length = lengthBytes === 0 ? first & 0x7f : bytes.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    if (start + length > bytes.length) break;
    found.push({
      tag: bytes[at]!,
      content: bytes.subarray(start, start + length),
      raw: bytes.subarray(at, start + length),
    });
    at = start + length;
  }
  return found;
}
