import { compare as comparePep440, valid } from '@renovatebot/pep440';
import semver from 'semver';

/** One event of a raw OSV range. */
export type RawEvent = Partial<Record<'introduced' | 'fixed' | 'last_affected' | 'limit', string>>;

export interface RawAffected {
  package?: { ecosystem: string; name: string };
  ranges?: { type: string; events: RawEvent[] }[];
  versions?: string[];
}

/** Orders of versions, apart from those under test: libraries where there are some, else plain readings of the rules. */
const COMPARE: Record<string, (a: string, b: string) => number> = {
  npm: compareSemver,
  Go: compareSemver,
  'crates.io': compareSemver,
  PyPI: comparePython,
  RubyGems: compareGem,
  Maven: compareMaven,
};

/** What was published before PEP 440 is older than all that keeps to it. */
function comparePython(a: string, b: string): number {
  const [left, right] = [valid(a), valid(b)];
  if (left === null || right === null) return a === b ? 0 : Number(left !== null) - Number(right !== null);
  return comparePep440(a, b);
}

function compareSemver(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => semver.parse(text, { loose: true }) ?? semver.coerce(text)!);
  return semver.compare(left!, right!);
}

function compareGem(a: string, b: string): number {
  const parts = (text: string): (bigint | string)[] =>
    [...text.replaceAll('-', '.pre.').matchAll(/\d+|[a-z]+/gi)].map(([part]) =>
      /\d/.test(part) ? BigInt(part) : part,
    );
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [x, y] = [left[at] ?? 0n, right[at] ?? 0n];
    if (x === y) continue;
    if (typeof x !== typeof y) return typeof x === 'string' ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

const QUALIFIERS = 'alpha beta milestone rc snapshot . sp'.split(' ');

/** Enough of Maven's order for versions that are numbers, and a qualifier with a number after them. */
function compareMaven(a: string, b: string): number {
  const parts = (text: string) => {
    const [, numbers = '', rest = ''] = /^([\d.]*\d)?[.-]?(.*)$/.exec(text.toLowerCase())!;
    const [, word = '', number = ''] = /^([a-z]*)[.-]?(\d*)/.exec(rest)!;
    const long: Record<string, string> = {
      a: 'alpha',
      b: 'beta',
      m: 'milestone',
      cr: 'rc',
      final: '',
      ga: '',
      release: '',
    };
    const name = (number !== '' || word.length > 1 ? long[word] : undefined) ?? word;
    return { numbers: numbers.split('.').map(BigInt), name: name === '' ? '.' : name, number: BigInt(number || 0) };
  };
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at++) {
    const [x, y] = [left.numbers[at] ?? 0n, right.numbers[at] ?? 0n];
    if (x !== y) return x < y ? -1 : 1;
  }
  const place = ({ name }: { name: string }): number => (QUALIFIERS.includes(name) ? QUALIFIERS.indexOf(name) : 99);
  if (place(left) !== place(right)) return place(left) - place(right);
  if (left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
}

/** Whether a version is affected, by the algorithm that the OSV schema prints ("Evaluation"), step for step. */
export function isAffected(version: string, { package: named, ranges = [], versions = [] }: RawAffected): boolean {
  const compare = COMPARE[named!.ecosystem]!;
  if (versions.includes(version)) return true;
  return ranges.some(({ type, events }) => {
    if (type === 'GIT') return false;
    const limits = events.flatMap(({ limit }) => limit ?? []);
    if (limits.length > 0 && !limits.some((limit) => limit === '*' || compare(version, limit) < 0)) return false;
    const at = (event: RawEvent): string => event.introduced ?? event.fixed ?? event.last_affected ?? event.limit!;
    const order = (a: RawEvent, b: RawEvent): number => {
      if (at(a) === '0' || at(b) === '0') return Number(at(a) !== '0') - Number(at(b) !== '0');
      return compare(at(a), at(b));
    };
    let vulnerable = false;
    for (const event of events.toSorted(order)) {
      if (event.introduced !== undefined && (event.introduced === '0' || compare(version, event.introduced) >= 0)) {
        vulnerable = true;
      }
      if (event.fixed !== undefined && compare(version, event.fixed) >= 0) vulnerable = false;
      if (event.last_affected !== undefined && compare(version, event.last_affected) > 0) vulnerable = false;
    }
    return vulnerable;
  });
}

/** Of a version: itself, one just before it, and one just after it. */
export function around(version: string, ecosystem: string): string[] {
  const plain = version.replace(/[-+].*$/, '');
  switch (ecosystem) {
    case 'PyPI':
      return /^[\d.]+$/.test(version) ? [version, `${version}.dev0`, `${version}.post1`, `${version}.1`] : [version];
    case 'RubyGems':
      return [version, `${version}.a`, `${version}.0.1`];
    case 'Maven':
      return /^[\d.]+$/.test(version) ? [version, `${version}-alpha-1`, `${version}.0.1`] : [version];
    default: {
      const release = semver.parse(plain, { loose: true }) ?? semver.coerce(plain);
      if (release === null) return [version];
      const next = semver.inc(release.version, 'patch')!;
      return version === plain
        ? [version, `${release.version}-0`, `${next}-0`, next]
        : [version, `${version}.0`, release.version];
    }
  }
}
