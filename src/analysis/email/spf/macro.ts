import { withoutFinalDot } from '../../domain-name.ts';

/** Macro strings of SPF (RFC 7208, section 7). */
export type MacroString = readonly (string | Macro)[];

interface Macro {
  letter: string;
  /** Right-hand parts to keep; null: all. */
  parts: number | null;
  reversed: boolean;
  delimiters: string;
  /** Written in upper case: URL-escaped. */
  escaped: boolean;
}

/** What each macro letter stands for (7.2, 7.3). */
export type MacroValues = Readonly<Record<'s' | 'l' | 'o' | 'd' | 'i' | 'p' | 'v' | 'h' | 'c' | 'r' | 't', string>>;

const EMPTY_MACRO_VALUES: MacroValues = { s: '', l: '', o: '', d: '', i: '', p: '', v: '', h: '', c: '', r: '', t: '' };
const MACRO = /^([a-z])(\d*)(r?)([-.+,/_=]*)$/i;
const IN_DOMAINS = 'slodiphv';
const IN_EXPLANATIONS = `${IN_DOMAINS}crt`;
const ESCAPES: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' };
const MAX_NAME_LENGTH = 253;

/** The macro string of a term; null if its syntax is wrong. `explanation`: spaces and the letters `c`, `r`, `t` are allowed too (7.2). */
export function parseMacroString(text: string, { explanation = false } = {}): MacroString | null {
  const allowed = explanation ? IN_EXPLANATIONS : IN_DOMAINS;
  if (!(explanation ? /^[\x20-\x7e]*$/ : /^[\x21-\x7e]*$/).test(text)) return null;
  const parts: (string | Macro)[] = [];
  let at = 0;
  while (at < text.length) {
    const percent = text.indexOf('%', at);
    if (percent !== at) parts.push(text.slice(at, percent === -1 ? undefined : percent));
    if (percent === -1) break;
    const escape = ESCAPES[text[percent + 1] ?? ''];
    if (escape !== undefined) {
      parts.push(escape);
      at = percent + 2;
      continue;
    }
    const end = text.indexOf('}', percent);
    const macro = text[percent + 1] === '{' && end !== -1 ? parseMacro(text.slice(percent + 2, end), allowed) : null;
    if (macro === null) return null;
    parts.push(macro);
    at = end + 1;
  }
  return parts;
}

function parseMacro(text: string, allowed: string): Macro | null {
  const [, letter = '', digits = '', reversed = '', delimiters = ''] = MACRO.exec(text) ?? [];
  if (letter === '' || !allowed.includes(letter.toLowerCase())) return null;
  if (digits !== '' && Number(digits) === 0) return null;
  return {
    letter: letter.toLowerCase(),
    parts: digits === '' ? null : Number(digits),
    reversed: reversed !== '',
    delimiters: delimiters === '' ? '.' : delimiters,
    escaped: letter !== letter.toLowerCase(),
  };
}

/** Whether the string ends in `macro-expand`: a macro or an escape. */
export function endsInMacro(string: MacroString): boolean {
  const last = string.at(-1);
  return last !== undefined && (typeof last !== 'string' || Object.values(ESCAPES).includes(last));
}

/** Whether the string has a macro of this letter. */
export function usesMacro(string: MacroString, letter: string): boolean {
  return string.some((part) => typeof part !== 'string' && part.letter === letter);
}

/** The name that the macro string expands to in the record of `domain`; null: it has macros that depend on the message. */
export function expandWithoutMessage(string: MacroString, domain: string): string | null {
  const known = string.every((part) => typeof part === 'string' || part.letter === 'd');
  return known ? expandMacrosToName(string, { ...EMPTY_MACRO_VALUES, d: domain }) : null;
}

/** The text that the string expands to. */
export function expandMacros(string: MacroString, values: MacroValues): string {
  return string.map((part) => (typeof part === 'string' ? part : macroValue(part, values))).join('');
}

/** The name that the string expands to, without a final dot; of one that is too long, labels are removed from the left (7.3). */
export function expandMacrosToName(string: MacroString, values: MacroValues): string {
  let name = withoutFinalDot(expandMacros(string, values));
  while (name.length > MAX_NAME_LENGTH) {
    const dot = name.indexOf('.');
    if (dot === -1) break;
    name = name.slice(dot + 1);
  }
  return name;
}

function macroValue({ letter, parts, reversed, delimiters, escaped }: Macro, values: MacroValues): string {
  const pieces = splitAtAny(values[letter as keyof MacroValues], delimiters);
  if (reversed) pieces.reverse();
  const text = (parts === null ? pieces : pieces.slice(-parts)).join('.');
  // RFC 3986 escapes all but the unreserved characters; `encodeURIComponent` leaves five more.
  return escaped ? encodeURIComponent(text).replace(/[!'()*]/g, percentEncoded) : text;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function splitAtAny(text: string, delimiters: string): string[] {
  const pieces = [''];
  for (const character of text) {
    if (delimiters.includes(character)) pieces.push('');
    else pieces[pieces.length - 1] += character;
  }
  return pieces;
}
