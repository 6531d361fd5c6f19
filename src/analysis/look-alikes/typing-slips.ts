/** Neighbours on the keyboards QWERTY, QWERTZ and AZERTY. */
const KEY_ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const OTHER_NEIGHBOURS: Readonly<Record<string, string>> = { y: 'x', z: 'tu', a: 'z', q: 's', w: 'x', m: 'l' };
const VOWELS = 'aeiou';
const NEIGHBOURS = neighbourTable();

export function* omissions(label: string): Generator<string> {
  for (let at = 0; at < label.length; at++) yield label.slice(0, at) + label.slice(at + 1);
}

export function* repetitions(label: string): Generator<string> {
  for (let at = 0; at < label.length; at++) yield label.slice(0, at + 1) + label.slice(at);
}

export function* transpositions(label: string): Generator<string> {
  for (let at = 0; at + 1 < label.length; at++)
    yield label.slice(0, at) + label[at + 1] + label[at] + label.slice(at + 2);
}

export function* replacements(label: string): Generator<string> {
  for (let at = 0; at < label.length; at++)
    for (const key of NEIGHBOURS.get(label[at]!) ?? []) yield label.slice(0, at) + key + label.slice(at + 1);
}

/** A neighbouring key before or behind the right one. */
export function* insertions(label: string): Generator<string> {
  for (let at = 0; at < label.length; at++) {
    for (const key of NEIGHBOURS.get(label[at]!) ?? []) {
      yield label.slice(0, at) + key + label.slice(at);
      yield label.slice(0, at + 1) + key + label.slice(at + 1);
    }
  }
}

export function* vowelSwaps(label: string): Generator<string> {
  for (let at = 0; at < label.length; at++)
    if (VOWELS.includes(label[at]!)) for (const vowel of VOWELS) yield label.slice(0, at) + vowel + label.slice(at + 1);
}

/** One letter or digit at the end. */
export function* additions(label: string): Generator<string> {
  for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789') yield label + character;
}

export function* plurals(label: string): Generator<string> {
  yield label.endsWith('s') ? label.slice(0, -1) : `${label}s`;
  if (/(?:s|x|z|ch|sh)$/.test(label)) yield `${label}es`;
  if (label.endsWith('y')) yield `${label.slice(0, -1)}ies`;
}

export function* hyphenations(label: string): Generator<string> {
  if (label.includes('-')) yield label.replaceAll('-', '');
  for (let at = 1; at < label.length; at++) yield `${label.slice(0, at)}-${label.slice(at)}`;
}

/** One bit of a character is another: an error of memory or transmission. */
export function* bitFlips(label: string): Generator<string> {
  for (let at = 0; at < label.length; at++) {
    for (let bit = 1; bit < 128; bit *= 2) {
      const character = String.fromCharCode(label.charCodeAt(at) ^ bit);
      if (/[a-z0-9-]/.test(character)) yield label.slice(0, at) + character + label.slice(at + 1);
    }
  }
}

function neighbourTable(): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, Set<string>>();
  const add = (one: string, other: string | undefined): void => {
    if (other !== undefined && other !== '') table.set(one, (table.get(one) ?? new Set()).add(other));
  };
  for (const [row, keys] of KEY_ROWS.entries()) {
    for (const [at, key] of Array.from(keys).entries()) {
      add(key, keys[at - 1]);
      add(key, keys[at + 1]);
      for (const near of [
        KEY_ROWS[row - 1]?.[at],
        KEY_ROWS[row - 1]?.[at + 1],
        KEY_ROWS[row + 1]?.[at - 1],
        KEY_ROWS[row + 1]?.[at],
      ])
        if (near === undefined || /[a-z]/.test(near)) add(key, near);
    }
  }
  for (const [key, others] of Object.entries(OTHER_NEIGHBOURS)) for (const other of others) add(key, other);
  return new Map([...table].map(([key, others]) => [key, [...others]]));
}
