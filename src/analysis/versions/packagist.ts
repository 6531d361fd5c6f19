import { compareDigits, isDigits, type VersionOrder } from './version-order.ts';

/** Words in their order, matched by prefix, case-sensitive; `#` stands for a number. Any other word comes first. */
const WORD_RANKS: readonly [word: string, place: number][] = [
  ['dev', 0],
  ['alpha', 1],
  ['a', 1],
  ['beta', 2],
  ['b', 2],
  ['RC', 3],
  ['rc', 3],
  ['#', 4],
  ['pl', 5],
  ['p', 5],
];
const NUMBER_MARK = '#';

/** Numbers that Composer writes out before versions are compared: `3.4` is `3.4.0.0`. */
const MIN_NUMBER_COUNT = 4;

/** Packagist: the order of PHP's `version_compare`, of versions as Composer normalises them. */
export const packagistOrder: VersionOrder<string[]> = {
  parse(text) {
    const parts = text.replace(/^v/i, '').match(/\d+|[^\d.\-_+]+/g);
    if (parts === null || !isDigits(parts[0])) return parts;
    const word = parts.findIndex((part) => !isDigits(part) && part !== NUMBER_MARK);
    const numbers = word === -1 ? parts : parts.slice(0, word);
    while (numbers.length < MIN_NUMBER_COUNT) numbers.push('0');
    return word === -1 ? numbers : [...numbers, ...parts.slice(word)];
  },
  compare(a, b) {
    const shared = Math.min(a.length, b.length);
    for (let index = 0; index < shared; index++) {
      const order = compareParts(a[index]!, b[index]!);
      if (order !== 0) return order;
    }
    if (a.length === b.length) return 0;
    return a.length > b.length ? compareToEnd(a[shared]!) : -compareToEnd(b[shared]!);
  },
};

function compareParts(a: string, b: string): number {
  return isDigits(a) && isDigits(b) ? compareDigits(a, b) : rankOf(a) - rankOf(b);
}

function compareToEnd(part: string): number {
  return isDigits(part) ? 1 : rankOf(part) - rankOf(NUMBER_MARK);
}

function rankOf(part: string): number {
  const word = isDigits(part) ? NUMBER_MARK : part;
  return WORD_RANKS.find(([begin]) => word.startsWith(begin))?.[1] ?? -1;
}
