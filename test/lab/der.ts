/** The few parts of DER (ITU-T X.690) that certificates and OCSP responses are made of. */

const UNIVERSAL = { boolean: 1, integer: 2, bits: 3, octets: 4, null: 5, oid: 6, enumerated: 10, utf8: 12 } as const;

export function tlv(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 128) return Buffer.from([length]);
  const bytes = unsigned(BigInt(length));
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function unsigned(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

export const sequence = (...items: Uint8Array[]): Buffer => tlv(0x30, ...items);
export const setOf = (...items: Uint8Array[]): Buffer => tlv(0x31, ...items);
/** Context-specific, constructed: an explicit tag. */
export const tagged = (number: number, ...content: Uint8Array[]): Buffer => tlv(0xa0 | number, ...content);
/** Context-specific, primitive: an implicit tag. */
export const implicit = (number: number, content: Uint8Array): Buffer => tlv(0x80 | number, content);

export const boolean = (value: boolean): Buffer => tlv(UNIVERSAL.boolean, Buffer.from([value ? 0xff : 0]));
export const nothing = (): Buffer => tlv(UNIVERSAL.null);
export const octets = (content: Uint8Array): Buffer => tlv(UNIVERSAL.octets, content);
export const utf8 = (text: string): Buffer => tlv(UNIVERSAL.utf8, Buffer.from(text));
export const enumerated = (value: number): Buffer => tlv(UNIVERSAL.enumerated, Buffer.from([value]));

/** A non-negative integer. */
export function integer(value: bigint | number): Buffer {
  const bytes = unsigned(BigInt(value));
  return tlv(UNIVERSAL.integer, bytes[0]! > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

export function bits(content: Uint8Array, unused = 0): Buffer {
  return tlv(UNIVERSAL.bits, Buffer.of(unused), content);
}

export function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]];
  return tlv(UNIVERSAL.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128));
  return digits;
}

/** GeneralizedTime, whole seconds. */
export function generalizedTime(time: Date): Buffer {
  return tlv(0x18, Buffer.from(`${time.toISOString().replace(/[-:T]|\.\d+Z/g, '')}Z`));
}

/** As RFC 5280 4.1.2.5 wants times in certificates: UTCTime until 2049. */
export function validityTime(time: Date): Buffer {
  if (time.getUTCFullYear() >= 2050) return generalizedTime(time);
  return tlv(
    0x17,
    Buffer.from(
      `${time
        .toISOString()
        .replace(/[-:T]|\.\d+Z/g, '')
        .slice(2)}Z`,
    ),
  );
}

export function pem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
