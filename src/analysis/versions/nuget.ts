import { compareDigits, type VersionOrder } from './version-order.ts';
import { comparePreReleases } from './semver.ts';

interface NugetVersion {
  numbers: string[];
  preRelease: string[];
}

const VERSION = /^[vV]?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.\-_]+))?(?:\+.*)?$/;

/** NuGet: Semantic Versioning with a fourth number, and pre-release identifiers that ignore case. */
export const nugetOrder: VersionOrder<NugetVersion> = {
  parse(text) {
    const [, numbers, pre] = VERSION.exec(text) ?? [];
    return numbers === undefined
      ? null
      : { numbers: numbers.split('.'), preRelease: pre === undefined ? [] : pre.toLowerCase().split('.') };
  },
  compare(a, b) {
    for (let index = 0; index < Math.max(a.numbers.length, b.numbers.length); index++) {
      const order = compareDigits(a.numbers[index] ?? '0', b.numbers[index] ?? '0');
      if (order !== 0) return order;
    }
    return comparePreReleases(a.preRelease, b.preRelease);
  },
};
