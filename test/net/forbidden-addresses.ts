/** Where nobody may be sent, in every notation that a URL parser or a resolver might understand. */

type Four = readonly [number, number, number, number];

/** Loopback, the networks of the operator, clouds' metadata, and what is for nobody. */
export const FORBIDDEN_V4: readonly Four[] = [
  [127, 0, 0, 1],
  [127, 255, 255, 254],
  [10, 0, 0, 1],
  [172, 16, 0, 1],
  [192, 168, 1, 1],
  [169, 254, 169, 254],
  [100, 100, 100, 200],
  [0, 0, 0, 0],
  [255, 255, 255, 255],
  [224, 0, 0, 251],
  [192, 0, 0, 192],
  [198, 18, 0, 1],
  [203, 0, 113, 7],
  [168, 63, 129, 16],
];

export const FORBIDDEN_V6: readonly string[] = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  '64:ff9b::808:808',
  '64:ff9b:1::808:808',
  '2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:f7f7:f7f7',
  '::ffff:8.8.8.8',
];

const hex = (value: number) => value.toString(16);
const fullwidth = (text: string) =>
  text.replace(/[0-9a-fx]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0));
const circled = (text: string) =>
  text.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1)).replace(/0/g, '\u24ea');

/** One IPv4 address as hosts of URLs: decimal, octal, hexadecimal, short, mixed, with dots and digits of other scripts. */
export function notationsOf([a, b, c, d]: Four): string[] {
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const dotted = `${a}.${b}.${c}.${d}`;
  return [
    dotted,
    `${dotted}.`,
    String(whole),
    `0x${hex(whole)}`,
    `0X${hex(whole).toUpperCase()}`,
    `0${whole.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
    `00000${a.toString(8)}.${b}.${c}.${d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    fullwidth(dotted),
    dotted.replaceAll('.', '\u3002'),
    dotted.replaceAll('.', '\uff0e'),
    dotted.replaceAll('.', '\uff61'),
    circled(dotted),
    `%${hex(dotted.charCodeAt(0))}${dotted.slice(1)}`,
    `${dotted.slice(0, 1)}\u00ad${dotted.slice(1)}`,
  ];
}

/** IPv6 forms that carry an IPv4 address, in brackets. */
export function embeddedFormsOf([a, b, c, d]: Four): string[] {
  const words = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  const flipped = `${hex((a * 256 + b) ^ 0xffff)}:${hex((c * 256 + d) ^ 0xffff)}`;
  return [
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::FFFF:${words}]`,
    `[0:0:0:0:0:ffff:${words}]`,
    `[::${a}.${b}.${c}.${d}]`,
    `[::ffff:0:${a}.${b}.${c}.${d}]`,
    `[64:ff9b::${words}]`,
    `[64:ff9b:1::${words}]`,
    `[2002:${words}::1]`,
    `[2001:0:4136:e378:8000:63bf:${flipped}]`,
    `[fe80::5efe:${words}]`,
  ];
}

export const dottedOf = (four: Four): string => four.join('.');
