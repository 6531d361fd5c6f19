import { compareDigits, isDigits, type VersionOrder } from './version-order.ts';

interface DebianVersion {
  epoch: string;
  upstream: string;
  revision: string;
}

/** Debian and its relatives: Debian Policy, section 5.6.12. */
export const debianOrder: VersionOrder<DebianVersion> = {
  parse(text) {
    const colon = text.indexOf(':');
    const epoch = colon === -1 ? '0' : text.slice(0, colon);
    const rest = text.slice(colon + 1);
    const hyphen = rest.lastIndexOf('-');
    const upstream = hyphen === -1 ? rest : rest.slice(0, hyphen);
    if (upstream === '' || !isDigits(epoch)) return null;
    return { epoch, upstream, revision: hyphen === -1 ? '0' : rest.slice(hyphen + 1) };
  },
  compare: (a, b) =>
    compareDigits(a.epoch, b.epoch) || compareParts(a.upstream, b.upstream) || compareParts(a.revision, b.revision),
};

/** Alternating runs of other characters and runs of digits. */
function compareParts(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigitAt(a, i)) || (j < b.length && !isDigitAt(b, j))) {
      const order = weightAt(a, i) - weightAt(b, j);
      if (order !== 0) return order;
      i++;
      j++;
    }
    const [left, right] = [digitsAt(a, i), digitsAt(b, j)];
    const order = compareDigits(left === '' ? '0' : left, right === '' ? '0' : right);
    if (order !== 0) return order;
    i += left.length;
    j += right.length;
  }
  return 0;
}

/** A tilde comes before the end, the end before letters, letters before everything else. */
function weightAt(text: string, at: number): number {
  if (at >= text.length || isDigitAt(text, at)) return 0;
  const character = text[at]!;
  if (character === '~') return -1;
  return text.charCodeAt(at) + (/[A-Za-z]/.test(character) ? 0 : 256);
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function digitsAt(text: string, at: number): string {
  let end = at;
  while (end < text.length && isDigitAt(text, end)) end++;
  return text.slice(at, end);
}
