import type { IrNode } from '../ir/ir.ts';
import { patternParts } from './pattern-text.ts';
import { concatValues } from './join-values.ts';
import type { Value } from './value.ts';

/** The values with lists replaced by their elements. */
export function flattenLists(values: readonly Value[]): Value[] {
  const flat: Value[] = [];
  for (const value of values) {
    if (value.elements === null || value.elements.length === 0) flat.push(value);
    else flat.push(...value.elements);
  }
  return flat;
}

/** The result of a propagator: as tainted as its operands, but not built from them. */
export function propagate(operands: readonly Value[]): Value {
  const isNormalizedPath = operands.some((value) => value.isNormalizedPath);
  return { ...concatValues(operands, false), isNormalizedPath, elements: null };
}

/** Whether the replacement makes a text safe between the single quotes of a shell: each quote is closed, escaped and opened again. */
export function quotesForShell(values: readonly Value[]): boolean {
  return values.some(({ text }, index) => {
    return /^(?:'|\/'\/g)$/.test(text ?? '') && /^'(?:\\{1,2}'|\\?"'\\?")'$/.test(values[index + 1]?.text ?? '');
  });
}

const REMOVER = /^(?:replaceAll|replace_all|ReplaceAll|Replace|replace|str_replace|gsub|delete|tr)$/;
const ALL_SEPARATORS = /^(?:[\\/]|\/(?:\\\/|\[(?!\^)[^\]]*\/[^\]]*\])\+?\/[a-z]*)$/;

/** Whether the call replaces each `/` of a text by something else: what is left names no other folder. */
export function removesSeparators(name: string, values: readonly Value[], replacesAll: boolean): boolean {
  const [searched, replacement] = values;
  if (searched === undefined || !REMOVER.test(name)) return false;
  if (!replacesAll && name === 'replace' && !searched.text?.endsWith('g')) return false;
  if (replacement?.text?.includes('/') === true) return false;
  const all = searched.elements ?? [searched];
  return all.some(({ text }) => text !== null && ALL_SEPARATORS.test(text) && text !== '\\');
}

/** Tests of one character by the standard library: a letter or digit. */
const CHARACTER_TEST =
  /(?:^|\.)(?:[iI]s(?:AsciiLetterOr|LetterOr|Ascii)?(?:Digit|Letter)|isalnum|isalpha|isdigit|isdecimal|ctype_(?:alnum|alpha|digit))$/;

/** Whether a test of one character that has these names accepts letters and digits alone. */
export function isCharacterTest(names: readonly string[]): boolean {
  return names.some((name) => CHARACTER_TEST.test(name));
}

/** Whether a function that is passed keeps letters and digits alone: `Where(char.IsLetterOrDigit)`. */
export function keepsLetters({ names, text }: Value): boolean {
  return [...names, text ?? ''].some((name) => CHARACTER_TEST.test(name));
}

/** Whether a function of one character accepts letters, digits and few others alone. */
export function keepsNames(body: IrNode): boolean {
  if (body.op === 'block') return body.statements.length === 1 && keepsNames(body.statements[0]!);
  if (body.op === 'jump') return keepsNames(body.value);
  if (body.op === 'logical') {
    const [left, right] = [keepsNames(body.left), keepsNames(body.right)];
    return body.operator === 'or' ? left && right : left || right;
  }
  if (body.op === 'call') return body.callee.op === 'member' && CHARACTER_TEST.test(body.callee.name);
  return body.op === 'compare' && /^={2,3}$/.test(body.operator) && isNameCharacter(body.right);
}

function isNameCharacter(node: IrNode): boolean {
  return (node.op === 'constant' || node.op === 'string') && /^'?[-A-Za-z\d_.@]'?$/.test(node.text);
}

/** Whether a function of one character decides by ranges of letters or digits: `r >= 'a' && r <= 'z'`. */
export function keepsRanges(body: IrNode): boolean {
  if (body.op === 'block') return body.statements.some(keepsRanges);
  if (body.op === 'jump') return keepsRanges(body.value);
  if (body.op === 'conditional') return keepsRanges(body.test);
  if (body.op === 'not') return keepsRanges(body.value);
  if (body.op === 'logical') return keepsRanges(body.left) || keepsRanges(body.right);
  if (body.op === 'call') return body.callee.op === 'member' && CHARACTER_TEST.test(body.callee.name);
  return body.op === 'compare' && /^[<>]=$/.test(body.operator) && isLetterOrDigit(body.right);
}

function isLetterOrDigit(node: IrNode): boolean {
  return (node.op === 'constant' || node.op === 'string') && /^'?[A-Za-z\d]'?$/.test(node.text);
}

/**
 * Whether the pattern matches all characters but letters, digits and few others: what is left when its matches are removed is
 * harmless.
 */
export function keepsOnlyWordCharacters(text: string): boolean {
  // `tr('^a-z', '')` has the class alone.
  const pattern = text.startsWith('^') ? `[${text}]` : patternParts(text).body;
  if (ALL_OTHERS.test(pattern)) return true;
  const kept = /^\[\^([\w\\. :@,-]+)\]\+?$/.exec(pattern)?.[1];
  if (kept === undefined || /\\(?![wds.-])/.test(kept)) return false;
  // `A-z` includes the characters between the cases.
  const ranges = kept.matchAll(/([^\\])-([^\\])/g);
  return [...ranges].every(([range]) => /^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)$/.test(range));
}

/** All characters but letters and digits, or but digits. */
const ALL_OTHERS = /^(?:\\+[WD]|\[(?!\^)(?:[^\]\\]|\\+[^WD])*\\+[WD](?:[^\]\\]|\\.)*\])\+?$/;
