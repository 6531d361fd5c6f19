/**
 * Ordinals (ascending, the newest CVE has 0) as they are stored: how many of the `size` CVEs are older than each, ascending, 4 bytes each. New CVEs change the
 * ordinals of all others, but not these numbers, so the list of a product without news stays the same in the next generation.
 */
export function postingBytes(ordinals: Uint32Array, size: number): Uint8Array {
  return new Uint8Array(reversed(ordinals, size).buffer);
}

/** The ordinals of what `postingBytes` made. */
export function postingOrdinals(bytes: Uint8Array<ArrayBuffer>, size: number): Uint32Array {
  // A copy where the bytes do not start as a number of four bytes has to.
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return reversed(new Uint32Array(buffer, byteOffset, length / 4), size);
}

function reversed(numbers: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(numbers.length);
  for (let at = 0, end = numbers.length - 1; at <= end; at++) result[end - at] = size - 1 - numbers[at]!;
  return result;
}
