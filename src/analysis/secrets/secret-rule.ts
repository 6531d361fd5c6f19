import type { Severity } from '../severity.ts';
import type { TextKind } from './text-kind.ts';

/** Text that a rule's pattern matched, for its judge. */
export interface SecretCandidate {
  /** What has to stay secret. */
  secret: string;
  /** The secret, without a prefix that all of its kind have. */
  body: string;
  /** What the match has before the secret. */
  textBeforeSecret: string;
  code: string;
  /** Where the match begins in `code`. */
  matchStart: number;
  /** As the caller named it, in lower case; `auto` where they did not. */
  language: string;
}

/** The severity, with a reason where it differs from the rule's own. Null: not a secret. */
export type SecretAssessment = { severity: Severity; note?: string } | null;

/** What a rule is called, and an example of what it finds. */
export interface SecretRuleTexts {
  /** The finding's `type`. */
  readonly id: string;
  /** Who issued the secret and can revoke it; null if unknown. */
  readonly issuer: string | null;
  /** What it is, after the issuer's name. */
  readonly secretName: string;
  readonly severity: Severity;
  /** A text that it must find, with stand-ins for random parts: `{n:36}`, see the test. Null: the path of the file decides. */
  readonly example: string | null;
}

/** A rule for secrets with a form of their own. */
export interface PatternRule extends SecretRuleTexts {
  /** The pattern is tried where one of these occurs. Lower case; they match in any case. */
  readonly keywords: readonly string[];
  /**
   * Sticky, beginning at the keyword. Every repeat has a bound, so that a try costs no more than a constant. The first group holds
   * what is random.
   */
  readonly pattern: RegExp;
  /** A quick test of the place before the pattern is tried, for keywords that many texts have. */
  readonly mayBeginAt?: (code: string, at: number) => boolean;
  /** The pattern begins as many characters before the keyword; default: at it. */
  readonly leadLength?: number;
  /** The text before the first group is part of the secret. */
  readonly includesPrefix?: true;
  /** Least Shannon entropy of what is random, in bits per character. */
  readonly minEntropy?: number;
  readonly assess?: (candidate: SecretCandidate) => SecretAssessment;
  /** For rules that bring their own notion of a placeholder. */
  readonly skipsPlaceholderCheck?: boolean;
}

/** A rule for secrets that are known by where they stand: readers find them, for one rule or for several. */
export interface ReadRule extends SecretRuleTexts {
  readonly readers: readonly SecretReader[];
}

export type SecretRule = PatternRule | ReadRule;

/** A text under examination. */
export interface ScannedText {
  readonly code: string;
  /** As the caller named it, in lower case; `auto` where they did not. */
  readonly language: string;
  /** With `/`; empty if it is not known. */
  readonly path: string;
  readonly kind: TextKind;
  /** Whether simple passwords in it are rather examples. */
  readonly isExample: boolean;
  /** Up to where readers have read that may not read the same text again, by their names. */
  readonly readUpTo: Map<string, number>;
}

/** A secret that a reader found, by the id of its rule. */
export interface LocatedSecret {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly severity: Severity;
  readonly note?: string;
}

export interface SecretReader {
  /** The reader is called where one of these occurs. Lower case; they match in any case. */
  readonly keywords: readonly string[];
  /** Costs no more than a constant. */
  readonly read: (text: ScannedText, keywordStart: number) => readonly LocatedSecret[];
  /** Reads a whole file of a kind that its path tells; called once for each text. */
  readonly readFile?: (text: ScannedText) => readonly LocatedSecret[];
}

interface TokenRuleOptions {
  minEntropy?: number;
  assess?: PatternRule['assess'];
  /** What may follow: default, no further character of a name. */
  endPattern?: string;
  /** The prefix is short or made of letters only, and would be met inside base64. */
  standsAlone?: boolean;
}

const NOT_AFTER_WORD = String.raw`(?<![\w-])`;
const NOT_INSIDE_BASE64 = String.raw`(?<![\w+/.-])`;
const NOT_BEFORE_WORD = String.raw`(?![\w-])`;

/** A rule for tokens that are known by how they begin. `body` is the pattern of what follows one of the prefixes. */
export function defineTokenRule(
  id: string,
  [issuer, what, severity]: readonly [string | null, string, Severity],
  prefix: string | readonly string[],
  body: string,
  example: string,
  { minEntropy = 2.8, assess, endPattern = NOT_BEFORE_WORD, standsAlone = false }: TokenRuleOptions = {},
): PatternRule {
  const prefixes = typeof prefix === 'string' ? [prefix] : prefix;
  const start = prefixes.map((text) => RegExp.escape(text)).join('|');
  return {
    id,
    issuer,
    secretName: what,
    severity,
    keywords: prefixes.map((text) => text.toLowerCase()),
    pattern: new RegExp(`${standsAlone ? NOT_INSIDE_BASE64 : NOT_AFTER_WORD}(?:${start})(${body})${endPattern}`, 'y'),
    includesPrefix: true,
    mayBeginAt: (code, at) => prefixes.some((text) => code.startsWith(text, at)),
    minEntropy,
    example,
    ...(assess === undefined ? null : { assess }),
  };
}

const QUOTE = String.raw`\\{0,2}["'\x60]`;
const SPACE = String.raw`[ \t]{0,20}`;

/** From the end of a name to the value given to it: `name: "`, `name = '`, `"name" => "`, `NAME=`, `get("name", "`. */
export const ASSIGNMENT_PATTERN = String.raw`(?:${QUOTE})?\]?${SPACE}(?:(?::[ \t]?[\w<>.|?]{1,30}|[ \t]string)${SPACE})?(?:[:?+]{0,3}={1,3}>?|:|,|<-|\|\||\?\?|>)${SPACE}(?:\[\]byte\()?`;
export const QUOTE_PATTERNS = { open: `[bBrRuU@]{0,2}${QUOTE}`, close: QUOTE };

/** A rule for values without a form of their own, recognised by the name of their issuer before them. */
export function defineNamedValueRule(
  id: string,
  [issuer, what, severity]: readonly [string, string, Severity],
  words: readonly string[],
  value: string,
  example: string,
  { minEntropy = 2.8, assess, endPattern = NOT_BEFORE_WORD }: Omit<TokenRuleOptions, 'alone'> = {},
): PatternRule {
  const start = words.map((text) => RegExp.escape(text)).join('|');
  return {
    id,
    issuer,
    secretName: what,
    severity,
    keywords: words,
    pattern: new RegExp(
      String.raw`(?:${start})(?![\w.-]{0,30}(?:app|org|organization|project|account|team|user|tenant|workspace|site|zone|cluster)[_.-]?(?:id|name|url)\b)[\w.-]{0,30}${ASSIGNMENT_PATTERN}(?:${QUOTE_PATTERNS.open})?(${value})${endPattern}`,
      'iy',
    ),
    minEntropy,
    example,
    ...(assess === undefined ? null : { assess }),
  };
}
