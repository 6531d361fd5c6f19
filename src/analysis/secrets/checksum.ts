const POLYNOMIAL = 0xedb88320;
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** CRC-32 (ISO-HDLC, as in zip and PNG) of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ text.charCodeAt(at)) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Whether the last six characters are the CRC-32 of those before, in base 62: so end tokens of GitHub and npm. */
export function endsWithBase62Crc(body: string): boolean {
  let crc = crc32(body.slice(0, -6));
  let digits = '';
  for (let at = 0; at < 6; at++) {
    digits = BASE62[crc % 62]! + digits;
    crc = Math.floor(crc / 62);
  }
  return body.endsWith(digits);
}

/** Whether a token `..._xxxxxxxx` ends with the CRC-32 of the part before the `_`, in hex, lowest byte first: Grafana's. */
export function endsWithHexCrc(token: string): boolean {
  const cut = token.lastIndexOf('_');
  const crc = crc32(token.slice(0, cut));
  let hex = '';
  for (let shift = 0; shift < 32; shift += 8) hex += ((crc >>> shift) & 0xff).toString(16).padStart(2, '0');
  return token.slice(cut + 1).toLowerCase() === hex;
}

const BECH32_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Whether the text is valid Bech32 (BIP 173), in one case throughout. */
export function isBech32(text: string): boolean {
  const lower = text.toLowerCase();
  const cut = lower.lastIndexOf('1');
  const prefix = Array.from(lower.slice(0, cut), (char) => char.charCodeAt(0));
  const data = Array.from(lower.slice(cut + 1), (char) => BECH32_ALPHABET.indexOf(char));
  if (data.includes(-1)) return false;
  const values = [...prefix.map((unit) => unit >> 5), 0, ...prefix.map((unit) => unit & 31), ...data];
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, word] of BECH32_GENERATOR.entries()) if ((top >>> bit) & 1) sum ^= word;
  }
  return sum === 1;
}
