import { compareDigits, compareCodeUnits, isDigits, type VersionOrder } from './version-order.ts';

interface MavenToken {
  separator: '.' | '-';
  value: string;
}

/** Qualifiers with a place of their own; others come after all of these, by the alphabet. `` is the release itself. */
const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const ALIASES: Readonly<Record<string, string>> = { cr: 'rc', ga: '', final: '', release: '' };
const ALIASES_BEFORE_NUMBER: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };
const ZERO = '0';

/** Maven: the version order of the POM reference ("Version Order Specification"). */
export const mavenOrder: VersionOrder<MavenToken[]> = {
  parse: (text) => trimNullTokens(tokenize(text.toLowerCase())),
  compare(a, b) {
    for (let index = 0; index < Math.max(a.length, b.length); index++) {
      const order = compareTokens(a[index] ?? paddingToken(b[index]!), b[index] ?? paddingToken(a[index]!));
      if (order !== 0) return order;
    }
    return 0;
  },
};

function tokenize(text: string): MavenToken[] {
  const tokens: MavenToken[] = [];
  let separator: MavenToken['separator'] = '.';
  for (const part of text.split(/([.-])/)) {
    if (part === '.' || part === '-') {
      separator = part;
      continue;
    }
    const runs = part === '' ? [ZERO] : part.match(/\d+|\D+/g)!;
    for (const [index, run] of runs.entries()) {
      // From digits to letters and back is as a hyphen.
      tokens.push({
        separator: index === 0 ? separator : '-',
        value: normalizeValue(run, isDigits(runs[index + 1] ?? '')),
      });
    }
  }
  return tokens;
}

function normalizeValue(run: string, beforeNumber: boolean): string {
  if (isDigits(run)) return run;
  if (beforeNumber && Object.hasOwn(ALIASES_BEFORE_NUMBER, run)) return ALIASES_BEFORE_NUMBER[run]!;
  return Object.hasOwn(ALIASES, run) ? ALIASES[run]! : run;
}

/** Zeros and empty qualifiers at the end, and at the end of each part before a hyphen, say nothing. */
function trimNullTokens(tokens: readonly MavenToken[]): MavenToken[] {
  const kept: MavenToken[] = [];
  for (const [index, token] of tokens.entries()) {
    if (index > 0 && token.separator === '-') dropTrailingNulls(kept);
    kept.push(token);
  }
  dropTrailingNulls(kept);
  return kept;
}

function dropTrailingNulls(tokens: MavenToken[]): void {
  while (tokens.length > 1 && isNullToken(tokens.at(-1)!)) tokens.pop();
}

function isNullToken({ value }: MavenToken): boolean {
  return value === '' || /^0+$/.test(value);
}

/** What the shorter version has at the place of a token. */
function paddingToken({ separator, value }: MavenToken): MavenToken {
  return { separator, value: separator === '.' && isDigits(value) ? ZERO : '' };
}

function compareTokens(a: MavenToken, b: MavenToken): number {
  const [numberA, numberB] = [isDigits(a.value), isDigits(b.value)];
  if (numberA && numberB)
    return Number(a.separator === '.') - Number(b.separator === '.') || compareDigits(a.value, b.value);
  if (numberA !== numberB) return numberA ? 1 : -1;
  return Number(b.separator === '.') - Number(a.separator === '.') || compareQualifiers(a.value, b.value);
}

function compareQualifiers(a: string, b: string): number {
  const [placeA, placeB] = [QUALIFIERS.indexOf(a), QUALIFIERS.indexOf(b)];
  if (placeA === -1 && placeB === -1) return compareCodeUnits(a, b);
  if (placeA === -1 || placeB === -1) return placeA === -1 ? 1 : -1;
  return placeA - placeB;
}
