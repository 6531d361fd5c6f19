import { compareDigits, compareTexts, isDigits, type VersionOrder } from './order.ts';

interface Token {
  separator: '.' | '-';
  value: string;
}

/** Qualifiers with a place of their own; others come after all of these, by the alphabet. `` is the release itself. */
const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const ALIASES: Readonly<Record<string, string>> = { cr: 'rc', ga: '', final: '', release: '' };
const BEFORE_A_NUMBER: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };
const NUMBER = '0';

/** Maven: the version order of the POM reference ("Version Order Specification"). */
export const mavenOrder: VersionOrder<Token[]> = {
  parse: (text) => withoutNulls(tokensOf(text.toLowerCase())),
  compare(a, b) {
    for (let index = 0; index < Math.max(a.length, b.length); index++) {
      const order = compareTokens(a[index] ?? padding(b[index]!), b[index] ?? padding(a[index]!));
      if (order !== 0) return order;
    }
    return 0;
  },
};

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let separator: Token['separator'] = '.';
  for (const part of text.split(/([.-])/)) {
    if (part === '.' || part === '-') {
      separator = part;
      continue;
    }
    const runs = part === '' ? [NUMBER] : part.match(/\d+|\D+/g)!;
    for (const [index, run] of runs.entries()) {
      // From digits to letters and back is as a hyphen.
      tokens.push({ separator: index === 0 ? separator : '-', value: valueOf(run, isDigits(runs[index + 1] ?? '')) });
    }
  }
  return tokens;
}

function valueOf(run: string, beforeNumber: boolean): string {
  if (isDigits(run)) return run;
  if (beforeNumber && Object.hasOwn(BEFORE_A_NUMBER, run)) return BEFORE_A_NUMBER[run]!;
  return Object.hasOwn(ALIASES, run) ? ALIASES[run]! : run;
}

/** Zeros and empty qualifiers at the end, and at the end of each part before a hyphen, say nothing. */
function withoutNulls(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    if (index > 0 && token.separator === '-') dropNulls(kept);
    kept.push(token);
  }
  dropNulls(kept);
  return kept;
}

function dropNulls(tokens: Token[]): void {
  while (tokens.length > 1 && isNull(tokens.at(-1)!)) tokens.pop();
}

function isNull({ value }: Token): boolean {
  return value === '' || /^0+$/.test(value);
}

/** What the shorter version has at the place of a token. */
function padding({ separator, value }: Token): Token {
  return { separator, value: separator === '.' && isDigits(value) ? NUMBER : '' };
}

function compareTokens(a: Token, b: Token): number {
  const [numberA, numberB] = [isDigits(a.value), isDigits(b.value)];
  if (numberA && numberB)
    return Number(a.separator === '.') - Number(b.separator === '.') || compareDigits(a.value, b.value);
  if (numberA !== numberB) return numberA ? 1 : -1;
  return Number(b.separator === '.') - Number(a.separator === '.') || compareQualifiers(a.value, b.value);
}

function compareQualifiers(a: string, b: string): number {
  const [placeA, placeB] = [QUALIFIERS.indexOf(a), QUALIFIERS.indexOf(b)];
  if (placeA === -1 && placeB === -1) return compareTexts(a, b);
  if (placeA === -1 || placeB === -1) return placeA === -1 ? 1 : -1;
  return placeA - placeB;
}
