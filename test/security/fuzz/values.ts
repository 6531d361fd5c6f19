import type { Chance } from '../../support/random.ts';

/** Values that a schema did not expect: wrong types, boundaries, texts and shapes that parsers are known to stumble over. */

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  '\r\nX-Injected: 1',
  '../../../../etc/passwd',
  '..%2f..%2f',
  "' OR '1'='1",
  '"; DROP TABLE record; --',
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '%s%n%p',
  '%',
  '%E0%A4%A',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '1e9999',
  '0x7f000001',
  '\u202Egnp.exe',
  '\u0430pple.com',
  '\uD800',
  'e\u0301'.repeat(40),
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '\uFEFFCVE-2021-44228',
  'CVE-2021-44228',
  'cve-2021-4422800000000000000000000',
  'CWE-79',
  'T1059.001',
  'example.com',
  'kept.lab',
  'xn--a',
  'xn--'.repeat(20),
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
  '127.0.0.1',
  '::ffff:7f00:1',
  '0177.0.0.1',
  '[::1]',
  'http://[::1]:8080/',
  'http://user:pass@example.com:99999/',
  'hxxps[:]//example[.]com',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'someone@example.com',
  '"a b"@example.com',
  'a'.repeat(65) + '@example.com',
  '+49151',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
  'CVSS:3.1/AV:N/AV:N',
  'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*',
  'pkg:npm/%40scope/name@1.0.0?x=%',
  '2021-02-30',
  '9999-12-31',
  '-271821-04-20',
  '(a+)+$',
  'eval(request.args["x"])',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----',
];

const NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  49,
  50,
  51,
  100,
  101,
  200,
  201,
  255,
  256,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
];

/** Objects that answer to the names which code asks values for. */
const PRETENDERS: readonly (() => unknown)[] = [
  () => ({ length: 1 }),
  () => ({ length: -1, 0: 'x' }),
  () => ({ length: [{ toString: 1 }] }),
  () => ({ toString: 1, valueOf: 1 }),
  () => ({ toJSON: 'x' }),
  () => JSON.parse('{"then": "x"}') as unknown,
  () => ({ constructor: { name: 'Array', prototype: { x: 1 } } }),
  () => JSON.parse('{"__proto__": {"admin": true}}') as unknown,
  () => ({ hasOwnProperty: 1, size: 3, next: 1 }),
  () => ({ type: 'Buffer', data: [1, 2, 3] }),
  () => ({ $ref: '#/components/schemas/Error', $gt: '' }),
  () => [[[]], {}, null, true],
];

const PIECES = [
  'a',
  'Z',
  '9',
  '-',
  '.',
  '_',
  '/',
  ':',
  '@',
  ' ',
  '\n',
  '\t',
  '"',
  "'",
  '\\',
  '%',
  '{',
  '[',
  '\u0000',
  '\u00e9',
  '\u4e2d',
  '\u{1F600}',
  '\u202E',
  '\u200B',
  '\uDFFF',
];

export function hostileText(random: Chance): string {
  if (random.often(0.7)) return random.pick(TEXTS);
  const length = random.pick([1, 3, 8, 40, 255, 256, 257, 1000, 10_000]);
  if (random.often(0.3)) return random.pick(PIECES).repeat(length);
  return Array.from({ length: Math.min(length, 300) }, () => random.pick(PIECES)).join('');
}

export function hostileValue(random: Chance): unknown {
  switch (random.below(9)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
    case 2:
      return random.pick(NUMBERS);
    case 3:
    case 4:
    case 5:
      return hostileText(random);
    case 6:
      return random.pick(PRETENDERS)();
    case 7:
      return nested(random.pick([2, 20, 33, 64, 200, 2000, 20_000]), random.often(0.5));
    default:
      return random.often(0.5)
        ? wide(random.pick([5, 101, 2000, 20_000]))
        : Array.from({ length: random.pick([0, 2, 51, 1000, 20_000]) }, () => random.pick(TEXTS));
  }
}

/** Stands for a nested value in what is serialized: a deep one cannot be built, copied or written recursively. */
function nested(depth: number, asObject: boolean): string {
  return `@nested:${depth}:${asObject ? 'object' : 'array'}`;
}

const NESTED = /"@nested:(\d+):(object|array)"/g;

/** JSON text of a value, with nested values written out. Numbers that JSON has no form for become null. */
export function toJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(NESTED, (_, depth: string, kind: string) =>
    kind === 'object'
      ? `${'{"a":'.repeat(Number(depth))}1${'}'.repeat(Number(depth))}`
      : '['.repeat(Number(depth)) + ']'.repeat(Number(depth)),
  );
}

function wide(keys: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: keys }, (_, at) => [`key${at.toString(36)}`, at]));
}

type Holder = Record<string, unknown> | unknown[];

/** A copy of the input with something else at one of its places, or a field more or less. */
export function mutated(input: Record<string, unknown>, random: Chance): Record<string, unknown> {
  const copy = structuredClone(input);
  const holders: Holder[] = [copy];
  for (const holder of holders) {
    for (const inner of Object.values(holder))
      if (typeof inner === 'object' && inner !== null) holders.push(inner as Holder);
    if (holders.length > 200) break;
  }
  const holder = random.pick(holders) as Record<string, unknown>;
  const keys = Object.keys(holder);
  const key = keys.length > 0 ? random.pick(keys) : 'added';
  switch (random.below(8)) {
    case 0:
      delete holder[key];
      break;
    case 1:
      holder[
        random.pick([
          '__proto__x',
          'limit',
          'LIMIT',
          `${key}s`,
          `${key} `,
          'constructor',
          hostileText(random).slice(0, 200),
        ])
      ] = hostileValue(random);
      break;
    case 2:
      if (Array.isArray(holder))
        holder.push(
          ...Array.from({ length: random.pick([1, 50, 60]) }, () => structuredClone(holder[0] ?? hostileValue(random))),
        );
      else holder[key] = [holder[key]];
      break;
    case 3:
      holder[key] = typeof holder[key] === 'string' ? spliced(holder[key], random) : hostileValue(random);
      break;
    default:
      holder[key] = hostileValue(random);
  }
  return copy;
}

/** A text with a piece of another at some place: nearly right values reach further than wrong ones. */
function spliced(text: string, random: Chance): string {
  const at = random.below(text.length + 1);
  const piece = random.often(0.5) ? random.pick(PIECES) : hostileText(random).slice(0, 50);
  return text.slice(0, at) + piece + text.slice(at + random.below(3));
}
