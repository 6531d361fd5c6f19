import { memoize } from '../memoize.ts';
import type { VersionRange } from '../cve/cve-facts.ts';
import type { VersionOrder } from '../versions/version-order.ts';
import type { Truth, UnknownCause } from './truth.ts';

/** What a rule says about a version. */
export interface VersionTest {
  truth: Truth;
  unknown: UnknownCause | null;
}

const YES: VersionTest = { truth: true, unknown: null };
const NO: VersionTest = { truth: false, unknown: null };
const UNREADABLE: VersionTest = { truth: null, unknown: 'unreadable' };
const NO_VERSION: VersionTest = { truth: null, unknown: 'no_version' };
const NO_UPDATE: VersionTest = { truth: null, unknown: 'condition' };

const MAX_VERSION_LENGTH = 256;
/** A release of Windows by its half-year: it cannot be compared with a build number. */
const HALF_YEAR = /^\d\dh[12]$/i;
const isHalfYear = (version: string): boolean => version.length === 4 && HALF_YEAR.test(version);

/** `Exchange Server 2019` and its build `15.2.986.5`: a release by its year, and a version that is counted. */
function isYearAndBuild(named: string, version: string): boolean {
  return /^(?:19|20)\d\d$/.test(named) && /^\d{1,2}\.\d+\.\d+/.test(version);
}

/** The hash of a commit, which some records give in place of a version; numbers of so many digits alone are builds or days. */
const COMMIT = /^(?=[0-9a-f]*[a-f])(?=[a-f]*\d)[0-9a-f]{7,40}$/i;
const isDay = (version: string): boolean => version.length === 10 && /^\d{4}-\d\d-\d\d$/.test(version);
const isCommit = (version: string): boolean => version.length >= 7 && COMMIT.test(version);

/** Numbers, and after them the words that CPE has in its update component; a letter alone is part of the version (`1.0.2a`). */
const VERSION_WITH_UPDATE =
  /^(v?\d+(?:\.\d+)*)[-_.+~]?(?:(?:alpha|beta|canary|cr|dev|final|ga|milestone|nightly|patch|pl|post|pre|preview|rc|snapshot|sp|update)(?![a-z])|[abmpru](?=\d))[\w.-]*$/i;

export function hasRange(range: VersionRange): boolean {
  const { start_including, start_excluding, end_including, end_excluding } = range;
  return start_including !== null || start_excluding !== null || end_including !== null || end_excluding !== null;
}

/** Whether the range holds the version. A bound that decides alone does so, also where the other one cannot be read. */
export function testRange(range: VersionRange, version: string | null, order: VersionOrder): VersionTest {
  if (version === null) return NO_VERSION;
  let isUnreadable = false;
  for (const [end, holds] of ENDS) {
    const bound = range[end];
    if (bound === null) continue;
    const sign = compareTexts(version, bound, order);
    if (sign === null) isUnreadable = true;
    else if (!holds(sign)) return NO;
  }
  return isUnreadable ? UNREADABLE : YES;
}

/** The ends of a range, and the order of a version to each that lies within it. */
const ENDS: readonly (readonly [end: keyof VersionRange, holds: (sign: number) => boolean])[] = [
  ['end_excluding', (sign) => sign < 0],
  ['end_including', (sign) => sign <= 0],
  ['start_including', (sign) => sign >= 0],
  ['start_excluding', (sign) => sign > 0],
];

/**
 * Whether a version is the one that a rule names. `update` is the CPE attribute: null takes in every update of the version
 * (NISTIR 7696, section 6.2, table 6-2), `-` none.
 */
export function testExactVersion(
  named: string,
  update: string | null,
  version: string | null,
  order: VersionOrder,
): VersionTest {
  if (version === null) return NO_VERSION;
  const whole = update === null || update === '-' ? named : `${named}-${update}`;
  if (isYearAndBuild(named, version)) return UNREADABLE;
  const sign = compareTexts(version, whole, order);
  if (sign === 0) return YES;
  if (update !== null && update !== '-') {
    if (normalizeUpdate(version) === normalizeUpdate(whole)) return YES;
    // The version alone may be the one with this update; a release is not its release candidate.
    if (!PRERELEASE.test(update) && compareTexts(version, named, order) === 0) return NO_UPDATE;
  }
  const plain = update === null ? withoutUpdate(version) : '';
  if (plain !== '' && compareTexts(plain, named, order) === 0) return YES;
  return sign === null ? UNREADABLE : NO;
}

const PRERELEASE = /^(?:alpha|beta|cr|dev|m\d|milestone|nightly|pre|preview|rc|release_candidate|snapshot)/i;

/** Words of updates as CPE names and makers write them: `patch1` is `p1`, `cumulative_update_21` is `cu21`. */
const UPDATE_WORDS: readonly [RegExp, string][] = [
  [/cumulative_?update/g, 'cu'],
  [/service_?pack/g, 'sp'],
  [/hot_?fix/g, 'hf'],
  [/patch(?:_?level)?|(?<![a-z])pl(?=\d)/g, 'p'],
  [/update/g, 'u'],
];

/** The versions of a product are compared with those of all its rows. */
const MAX_KEPT_VERSIONS = 4096;

const normalizeUpdate = memoize((version: string): string => {
  const text = version.toLowerCase().replaceAll(/[\s+~-]+/g, '_');
  return UPDATE_WORDS.reduce((known, [word, short]) => known.replaceAll(word, short), text).replaceAll('_', '');
}, MAX_KEPT_VERSIONS);

/** The version before its update; '' where it has none. */
const withoutUpdate = memoize((version: string) => VERSION_WITH_UPDATE.exec(version)?.[1] ?? '', MAX_KEPT_VERSIONS);

/** Versions whose comparisons an order remembers. */
const MAX_COMPARED = 8;

/** The sign of their order; equal texts are equal in any scheme. Null where one cannot be read. */
function compareTexts(a: string, b: string, order: VersionOrder): number | null {
  if (order.known === undefined) return compareOnce(a, b, order);
  let signs = order.known.get(a);
  if (signs === undefined) {
    if (order.known.size >= MAX_COMPARED) order.known.clear();
    order.known.set(a, (signs = new Map()));
  }
  let sign = signs.get(b);
  if (sign === undefined) signs.set(b, (sign = compareOnce(a, b, order)));
  return sign;
}

function compareOnce(a: string, b: string, order: VersionOrder): number | null {
  if (a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase())) return 0;
  if (a.length > MAX_VERSION_LENGTH || b.length > MAX_VERSION_LENGTH) return null;
  if (!areComparable(a, b)) return null;
  const [left, right] = [order.parse(a), order.parse(b)];
  return left === null || right === null ? null : order.compare(left, right);
}

/** Whether two texts are versions of one kind: a half-year, a day or the hash of a commit has no order among numbers. */
export function areComparable(a: string, b: string): boolean {
  return isHalfYear(a) === isHalfYear(b) && isDay(a) === isDay(b) && !isCommit(a) && !isCommit(b);
}

/** `from 2.13.0 and before 2.15.0`; empty for a range without ends. */
export function describeRange(range: VersionRange): string {
  const { start_including, start_excluding, end_including, end_excluding } = range;
  return [
    start_including === null ? null : `from ${start_including}`,
    start_excluding === null ? null : `after ${start_excluding}`,
    end_including === null ? null : `up to ${end_including}`,
    end_excluding === null ? null : `before ${end_excluding}`,
  ]
    .filter((part) => part !== null)
    .join(' and ');
}
