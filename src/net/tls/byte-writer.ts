/** The parts after their total length, which takes `lengthBytes` bytes (RFC 8446, 3.4). */
export function encodeVector(lengthBytes: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(content.length, 0, lengthBytes);
  return Buffer.concat([length, content]);
}

export function encodeUint16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2));
  return bytes;
}
