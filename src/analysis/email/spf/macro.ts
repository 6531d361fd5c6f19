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

const MACRO = /^([a-z])(\d*)(r?)([-.+,/_=]*)$/i;
const LETTERS = 'slodiphv';
const ESCAPES: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' };
const MAX_NAME_LENGTH = 253;

/** The macro string of a term; null if its syntax is wrong. The letters `c`, `r`, `t` occur only in explanations (7.2). */
export function parseMacroString(text: string): MacroString | null {
  if (!/^[\x21-\x7e]*$/.test(text)) return null;
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
    const macro = text[percent + 1] === '{' && end !== -1 ? parseMacro(text.slice(percent + 2, end)) : null;
    if (macro === null) return null;
    parts.push(macro);
    at = end + 1;
  }
  return parts;
}

function parseMacro(text: string): Macro | null {
  const [, letter = '', digits = '', reversed = '', delimiters = ''] = MACRO.exec(text) ?? [];
  if (letter === '' || !LETTERS.includes(letter.toLowerCase())) return null;
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

/** The name that the macro string expands to in the record of `domain`; null: it has macros that depend on the message. */
export function expandWithoutMessage(string: MacroString, domain: string): string | null {
  if (string.some((part) => typeof part !== 'string' && part.letter !== 'd')) return null;
  let name = withoutFinalDot(
    string.map((part) => (typeof part === 'string' ? part : expandMacro(part, domain))).join(''),
  );
  // Labels are removed from the left of a name that is too long (7.3).
  while (name.length > MAX_NAME_LENGTH && name.includes('.')) name = name.slice(name.indexOf('.') + 1);
  return name;
}

function expandMacro({ parts, reversed, delimiters, escaped }: Macro, value: string): string {
  const pieces = splitAtAny(value, delimiters);
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
