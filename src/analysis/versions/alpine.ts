import { compareDigits, compareCodeUnits, type VersionOrder } from './version-order.ts';

interface AlpineVersion {
  numbers: string[];
  letter: string;
  /** Digits after the letter (`6.6.2p1`), which apk does not know but packages have. */
  patch: string;
  suffixes: [place: number, number: string][];
  revision: string;
  /** What apk cannot read: such a version comes before a valid one. Text in place of numbers is compared; `-` for all else. */
  unparsed: string;
}

const VERSION = /^(\d+(?:\.+\d+)*)([a-z]?)(\d*)((?:_[a-z]+\d*)*)(?:~[0-9a-f]+)?(?:-r(\d*))?(.*)$/;
/** Before the release (negative) or after it. */
const SUFFIXES: Readonly<Record<string, number>> = {
  alpha: -4,
  beta: -3,
  pre: -2,
  rc: -1,
  cvs: 1,
  svn: 2,
  git: 3,
  hg: 4,
  p: 5,
};

const UNKNOWN_SUFFIX = -5;

/** Alpine: the order of apk-tools. */
export const alpineOrder: VersionOrder<AlpineVersion> = {
  parse(text) {
    if (text === '') return null;
    const [, numbers, letter, patch, suffixes, revision, rest = text] = VERSION.exec(text) ?? [];
    return {
      numbers: numbers?.split('.') ?? [],
      letter: letter ?? '',
      patch: patch || '0',
      suffixes: (suffixes ?? '')
        .split('_')
        .slice(1)
        .map((suffix) => {
          const [, word, number] = /^([a-z]+)(\d*)$/.exec(suffix)!;
          return [SUFFIXES[word!] ?? UNKNOWN_SUFFIX, number || '0'];
        }),
      revision: revision || '0',
      unparsed: rest === '' || rest.startsWith('.') || numbers === undefined ? rest : '-',
    };
  },
  compare: (a, b) =>
    compareNumbers(a.numbers, b.numbers) ||
    compareCodeUnits(a.letter, b.letter) ||
    compareDigits(a.patch, b.patch) ||
    compareSuffixes(a.suffixes, b.suffixes) ||
    compareDigits(a.revision, b.revision) ||
    Number(a.unparsed === '') - Number(b.unparsed === '') ||
    compareCodeUnits(a.unparsed, b.unparsed),
};

/** After the first, a number that begins with zero is as digits after a decimal point. */
function compareNumbers(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [left, right] = [a[index]!, b[index]!];
    const asText = index > 0 && (left.startsWith('0') || right.startsWith('0'));
    const order = asText ? compareCodeUnits(left, right) : compareDigits(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareSuffixes(a: AlpineVersion['suffixes'], b: AlpineVersion['suffixes']): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [placeA, numberA] = a[index] ?? [0, '0'];
    const [placeB, numberB] = b[index] ?? [0, '0'];
    const order = placeA - placeB || compareDigits(numberA, numberB);
    if (order !== 0) return order;
  }
  return 0;
}
