import { compareDigits, compareCodeUnits, isDigits, type VersionOrder } from './version-order.ts';

interface Pep440Version {
  epoch: string;
  release: string[];
  /** Its phase within the release (dev, a, b, rc, final, post), and the number of the phase. */
  preReleasePhase: [phase: number, number: string];
  post: string | null;
  dev: string | null;
  local: string[] | null;
}

/** What was published before PEP 440: older than everything else, among themselves by parts. */
type LegacyVersion = string[];

const VERSION =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/;
const PHASES: Readonly<Record<string, number>> = { alpha: 1, a: 1, beta: 2, b: 2, preview: 3, pre: 3, c: 3, rc: 3 };
const DEV_ONLY_PHASE = 0;
const FINAL_PHASE = 4;

/** Python packages: PEP 440, and the order of setuptools for other versions. */
export const pep440Order: VersionOrder<Pep440Version | LegacyVersion> = {
  parse(text) {
    const lower = text.toLowerCase();
    return parseRelease(lower) ?? parseLegacy(lower);
  },
  compare(a, b) {
    if (Array.isArray(a)) return Array.isArray(b) ? compareLegacy(a, b) : -1;
    return Array.isArray(b) ? 1 : compareReleases(a, b);
  },
};

function parseRelease(text: string): Pep440Version | null {
  const [, epoch, release, preWord, preNumber, dashed, postWord, postNumber, devWord, devNumber, local] =
    VERSION.exec(text) ?? [];
  if (release === undefined) return null;
  const post = dashed ?? (postWord === undefined ? null : postNumber || '0');
  const dev = devWord === undefined ? null : devNumber || '0';
  return {
    epoch: epoch ?? '0',
    release: release.split('.'),
    preReleasePhase:
      preWord === undefined
        ? [post === null && dev !== null ? DEV_ONLY_PHASE : FINAL_PHASE, '0']
        : [PHASES[preWord]!, preNumber || '0'],
    post,
    dev,
    local: local?.split(/[-_.]/) ?? null,
  };
}

function compareReleases(a: Pep440Version, b: Pep440Version): number {
  return (
    compareDigits(a.epoch, b.epoch) ||
    compareNumbers(a.release, b.release) ||
    a.preReleasePhase[0] - b.preReleasePhase[0] ||
    compareDigits(a.preReleasePhase[1], b.preReleasePhase[1]) ||
    compareOptional(a.post, b.post, -1) ||
    compareOptional(a.dev, b.dev, 1) ||
    compareLocal(a.local, b.local)
  );
}

function compareNumbers(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = compareDigits(a[index] ?? '0', b[index] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

/** `absent`: whether a missing number sorts before or after all numbers. */
function compareOptional(a: string | null, b: string | null, absent: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? absent : -absent;
  return compareDigits(a, b);
}

function compareLocal(a: readonly string[] | null, b: readonly string[] | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [left, right] = [a[index]!, b[index]!];
    const numbers = Number(isDigits(left)) - Number(isDigits(right));
    const order = numbers || (isDigits(left) ? compareDigits(left, right) : compareCodeUnits(left, right));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const LEGACY_PART = /(\d+|[a-z]+|\.|-)/;
const LEGACY_WORDS: Readonly<Record<string, string>> = { pre: 'c', preview: 'c', '-': 'final-', rc: 'c', dev: '@' };

function parseLegacy(text: string): LegacyVersion {
  const parts: string[] = [];
  const kept = text
    .split(LEGACY_PART)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (isDigits(part) ? part : `*${Object.hasOwn(LEGACY_WORDS, part) ? LEGACY_WORDS[part] : part}`));
  for (const part of [...kept, '*final']) {
    if (part.startsWith('*')) {
      if (part < '*final') while (parts.at(-1) === '*final-') parts.pop();
      while (/^0+$/.test(parts.at(-1) ?? '')) parts.pop();
    }
    parts.push(part);
  }
  return parts;
}

/** A word comes before a number. */
function compareLegacy(a: LegacyVersion, b: LegacyVersion): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [left, right] = [a[index]!, b[index]!];
    const [numberA, numberB] = [isDigits(left), isDigits(right)];
    const order = numberA && numberB ? compareDigits(left, right) : compareCodeUnits(left, right);
    if (order !== 0) return numberA === numberB ? order : numberA ? 1 : -1;
  }
  return a.length - b.length;
}
