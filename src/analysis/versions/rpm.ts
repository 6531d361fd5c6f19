import { compareDigits, compareCodeUnits, isDigits, type VersionOrder } from './version-order.ts';

interface RpmVersion {
  epoch: string;
  version: string[];
  release: string[] | null;
}

/** RPM: epoch, version and release, each by `rpmvercmp`. */
export const rpmOrder: VersionOrder<RpmVersion> = {
  parse(text) {
    const [, epoch, rest] = /^(?:(\d+):)?(.+)$/.exec(text) ?? [];
    if (rest === undefined) return null;
    const hyphen = rest.indexOf('-');
    return {
      epoch: epoch ?? '0',
      version: splitSegments(hyphen === -1 ? rest : rest.slice(0, hyphen)),
      release: hyphen === -1 ? null : splitSegments(rest.slice(hyphen + 1)),
    };
  },
  compare(a, b) {
    const order = compareDigits(a.epoch, b.epoch) || compareSegments(a.version, b.version);
    if (order !== 0) return order;
    if (a.release === null || b.release === null) return Number(a.release !== null) - Number(b.release !== null);
    return compareSegments(a.release, b.release);
  },
};

function splitSegments(text: string): string[] {
  return text.match(/\d+|[A-Za-z]+|~|\^/g) ?? [];
}

function compareSegments(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = compareSegment(a[index], b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

/** A tilde comes before the end, the end before a caret, a caret before the rest; a number after letters. */
function compareSegment(a: string | undefined, b: string | undefined): number {
  const place = rankOf(a) - rankOf(b);
  if (place !== 0 || a === undefined || b === undefined) return place;
  return isDigits(a) ? compareDigits(a, b) : compareCodeUnits(a, b);
}

function rankOf(segment: string | undefined): number {
  if (segment === '~') return 0;
  if (segment === undefined) return 1;
  if (segment === '^') return 2;
  return isDigits(segment) ? 4 : 3;
}
