import type { Operation } from '../../../src/engine/operation.ts';
import type { Chance } from '../../support/random.ts';
import { mutated } from './values.ts';

/** An example of the operation as it is, or with up to three mutations. */
export function inputFor(operation: Operation, random: Chance): Record<string, unknown> {
  let input = structuredClone((random.pick(operation.examples) ?? { input: {} }).input as Record<string, unknown>);
  for (let left = random.pick([0, 1, 1, 1, 2, 3]); left > 0; left--) input = mutated(input, random);
  return input;
}

/** The body as it goes out: mostly as it is, else broken as text or as bytes. */
export function bodyBytes(json: string, headers: Record<string, string>, random: Chance): Buffer {
  const text = json.slice(0, 1_100_000);
  if (random.often(0.85)) return Buffer.from(text);
  switch (random.below(9)) {
    case 0:
      return Buffer.from(text.slice(0, random.below(text.length + 1)));
    case 1:
      return Buffer.from(`${text}${random.pick(['x', ',', '}', '\0', text])}`);
    case 2:
      return Buffer.from(`\uFEFF${text}`);
    case 3:
      return Buffer.from(
        text.replace(
          /\d+|"[^"]*"/,
          random.pick(['1e400', '-0', '9007199254740993', '1E-400', '01', 'NaN', '"\\ud800"', "'a'"]),
        ),
      );
    case 4:
      return Buffer.concat([
        Buffer.from(text.slice(0, -1)),
        Buffer.from([0xc3, 0x28, 0xff]),
        Buffer.from(text.slice(-1)),
      ]);
    case 5:
      return Buffer.from(text.replace('{', '{"cve_ids":["CVE-2021-44228"],"cve_ids":1,"__proto__":{"a":1},'));
    case 6:
      return Buffer.from(random.pick(['', 'null', '[]', '[[]]', '"x"', '1', 'true', '{}', '[{}]']));
    case 7:
      headers['content-type'] = random.pick([
        'text/plain',
        '',
        'application/xml',
        'application/json;charset=latin1',
        'multipart/form-data',
        'application/problem+json',
      ]);
      return Buffer.from(text);
    default:
      return Buffer.from(text, 'utf16le');
  }
}
