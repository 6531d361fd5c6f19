import { nameAndParents, parseDomainName, registrableDomain } from '../domain-name.ts';
import { parseIpNetwork } from '../ip-network.ts';
import { detectHashType, type Indicator } from './parse-indicator.ts';

/**
 * What it means to be in a warning list. `false_positive`: a report about it is likely to be a mistake. `known`: many share it or it changes
 * hands (clouds, dynamic DNS, scanners), so that a report may be about somebody else.
 */
export const WARNING_CATEGORIES = ['false_positive', 'known'] as const;
export type WarningCategory = (typeof WARNING_CATEGORIES)[number];

/** A list of MISP warninglists, without its values. */
export interface WarningListFacts {
  readonly name: string;
  readonly description: string;
  readonly category: WarningCategory;
  /** The day of its values, YYYY-MM-DD; null: the list does not say. */
  readonly as_of: string | null;
}

/** A list that an indicator is in, with the value that says so. */
export interface Warning extends WarningListFacts {
  readonly value: string;
}

/** A text to be found in an indicator of one of these kinds, for what is no name, address or hash. */
export interface WarningPattern {
  readonly kind: 'substring' | 'regex';
  readonly text: string;
}

/** A value of a list, in the form by which it is looked up. */
export type WarningValue =
  | { readonly type: 'network'; readonly value: string }
  | { readonly type: 'hash'; readonly value: string }
  /** `below`: it stands for all names below, too. */
  | { readonly type: 'name'; readonly value: string; readonly below: boolean };

const MAX_REGEX_CHARACTERS = 200;

/**
 * The value of a list as what an indicator can be; null: it can be none (a top-level domain, a mail address). A name that begins with a
 * dot, or is in a list of the types `hostname` and `substring`, stands for the names below, too.
 */
export function readWarningValue(text: string, listType: string): WarningValue | null {
  const value = text.trim().toLowerCase();
  if (detectHashType(value) !== null) return { type: 'hash', value };
  if (parseIpNetwork(value) !== null) return { type: 'network', value };
  const name = parseDomainName(value.replace(/^\*?\./, ''));
  if (name === null) return null;
  return { type: 'name', value: name, below: listType !== 'string' || /^\*?\./.test(value) };
}

/** Whether an entry that stands for all names below `entry` concerns a name of somebody else's below a public suffix, such as `x.github.io`. */
export function isSharedSuffix(entry: string): boolean {
  return registrableDomain(entry) === null;
}

/** The names under which a host is looked up: itself exactly, then itself and its parents as what stands for all below. */
export function warningNamesOf(host: string): { name: string; below: boolean }[] {
  return [{ name: host, below: false }, ...nameAndParents(host).map((name) => ({ name, below: true }))];
}

/** Whether the pattern is in the indicator. Patterns come from `readWarningPattern`. */
export function matchesWarningPattern({ kind, text }: WarningPattern, { value }: Indicator): boolean {
  return kind === 'substring' ? value.includes(text) : (compileRegex(text)?.test(value) ?? false);
}

/**
 * A value of a `substring` or `regex` list that is matched by reading the indicator; null: it is not taken. A regular expression is taken
 * where its work is bounded: no group is repeated, nothing refers back, and at most two parts repeat without a limit.
 */
export function readWarningPattern(text: string, listType: string): WarningPattern | null {
  if (listType === 'substring') return text.length < 4 ? null : { kind: 'substring', text: text.toLowerCase() };
  if (listType !== 'regex' || text.length > MAX_REGEX_CHARACTERS || compileRegex(text) === null) return null;
  const unbounded = text.match(/(?<!\\)(?:[*+]|\{\d+,\})/g) ?? [];
  const isCheap = unbounded.length <= 2 && !/\)(?:[*+?]|\{)|\\[1-9k]|\(\?[<!=]/.test(text);
  return isCheap ? { kind: 'regex', text } : null;
}

/** `/pattern/i` as PHP writes it, or a pattern alone; null where it is none for us. */
function compileRegex(text: string): RegExp | null {
  const [, body = text, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  try {
    return new RegExp(body, flags.includes('i') ? 'i' : '');
  } catch {
    return null;
  }
}
