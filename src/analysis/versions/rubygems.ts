import { compareDigits, compareCodeUnits, isDigits, type VersionOrder } from './version-order.ts';

/** RubyGems: `Gem::Version`. A segment of letters makes a pre-release and comes before any number. */
export const rubygemsOrder: VersionOrder<string[]> = {
  parse(text) {
    if (!/^\s*\d[0-9A-Za-z.\-_+]*\s*$/.test(text)) return null;
    const segments = text
      .trim()
      .replaceAll('-', '.pre.')
      .match(/\d+|[A-Za-z]+/g)!;
    const firstWord = segments.findIndex((segment) => !isDigits(segment));
    const numbers = firstWord === -1 ? segments : segments.slice(0, firstWord);
    const rest = firstWord === -1 ? [] : segments.slice(firstWord);
    return [...stripTrailingZeros(numbers), ...stripTrailingZeros(rest)];
  },
  compare(a, b) {
    for (let index = 0; index < Math.max(a.length, b.length); index++) {
      const [left, right] = [a[index] ?? '0', b[index] ?? '0'];
      const [numberA, numberB] = [isDigits(left), isDigits(right)];
      if (numberA !== numberB) return numberA ? 1 : -1;
      const order = numberA ? compareDigits(left, right) : compareCodeUnits(left, right);
      if (order !== 0) return order;
    }
    return 0;
  },
};

function stripTrailingZeros(segments: readonly string[]): string[] {
  const end = segments.findLastIndex((segment) => !/^0+$/.test(segment));
  return segments.slice(0, end + 1);
}
