import { compareDigits, compareCodeUnits, isDigits, type VersionOrder } from './version-order.ts';

export interface SemanticVersion {
  /** Major, minor, patch. */
  numbers: [string, string, string];
  /** Identifiers of the pre-release; [] of a release. */
  preRelease: string[];
  build: string;
}

/** With what people and older versions write: `v1.2`, `1.21rc2`, numbers beyond the third. */
const VERSION =
  /^[vV=]?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.\d+)*(?:-([0-9A-Za-z.\-_~]*)|([A-Za-z][0-9A-Za-z.\-_~]*))?(?:\+(.*))?$/;

/** Semantic Versioning 2.0.0, section 11: npm, crates.io, Hex, Go (whose pseudo-versions are pre-releases by time). */
export const semverOrder: VersionOrder<SemanticVersion> = {
  parse(text) {
    const [, major, minor, patch, hyphenated, glued, build] = VERSION.exec(text.replace(/^go(?=\d)/, '')) ?? [];
    if (major === undefined) return null;
    const pre = hyphenated ?? glued ?? '';
    return {
      numbers: [major, minor ?? '0', patch ?? '0'],
      preRelease: pre === '' ? [] : pre.split('.'),
      build: build ?? '',
    };
  },
  compare(a, b) {
    for (const [index, number] of a.numbers.entries()) {
      const order = compareDigits(number, b.numbers[index]!);
      if (order !== 0) return order;
    }
    return comparePreReleases(a.preRelease, b.preRelease);
  },
};

/** Pub's order: as above, and of two that are equal the one with the later build. */
export const pubOrder: VersionOrder<SemanticVersion> = {
  parse: (text) => semverOrder.parse(text),
  compare: (a, b) => semverOrder.compare(a, b) || compareCodeUnits(a.build, b.build),
};

/** A version without pre-release identifiers is the later one. */
export function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Number(a.length === 0) - Number(b.length === 0);
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareIdentifiers(a[index]!, b[index]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifiers(a: string, b: string): number {
  const [numberA, numberB] = [isDigits(a), isDigits(b)];
  if (numberA && numberB) return compareDigits(a, b);
  if (numberA !== numberB) return numberA ? -1 : 1;
  return compareCodeUnits(a, b);
}
