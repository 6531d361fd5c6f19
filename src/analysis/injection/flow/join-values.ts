import type { Span } from '../syntax-tree.ts';
import { mergeTaints, NO_TAINT, type Taint, taintOf } from '../taint.ts';
import { type Escape, listValue, MAX_TEXT_LENGTH, unfollowedPart, UNKNOWN, UNKNOWN_PART, type Value } from './value.ts';

/** The concatenation of the values. */
export function concatValues(values: readonly Value[], isBuilt = values.length > 1): Value {
  const taints: Taint[] = [];
  let hidden = NO_TAINT;
  let text = '';
  let begins: Taint | null = null;
  let hasBuilt = isBuilt;
  let unfollowed: Span | null = null;
  let escape: Escape | null = null;
  for (const value of values) {
    taints.push(value.taint);
    escape ??= value.escape;
    unfollowed ??= unfollowedPart(value);
    if (value.hidden !== NO_TAINT) hidden = mergeTaints([hidden, value.hidden]);
    if (value.elements !== null) for (const { taint } of value.elements) taints.push(taint);
    if (value.text !== '') begins ??= value.taint;
    if (text.length < MAX_TEXT_LENGTH) text += value.text ?? UNKNOWN_PART;
    hasBuilt ||= value.isBuilt;
  }
  const taint = mergeTaints(taints);
  return {
    ...UNKNOWN,
    // Only the first part can make an option of the text.
    taint: isBuilt && begins !== null && begins.option !== taint.option ? { ...taint, option: begins.option } : taint,
    hidden,
    text: text.slice(0, MAX_TEXT_LENGTH),
    isBuilt: hasBuilt,
    unfollowed,
    escape,
  };
}

/** The concatenation, in which an escaped value is tainted where the escape is of no use. */
export function concatWithQuotes(values: readonly Value[]): Value {
  const whole = concatValues(values);
  if (whole.escape === null) return whole;
  const taints: Taint[] = [whole.taint];
  let before = '';
  // What is no part of a statement yet may be put between quotes later.
  let open: Escape | null = null;
  for (const { escape, text } of values) {
    if (escape !== null) {
      const quote = before.length < MAX_TEXT_LENGTH ? openQuote(before) : null;
      if (quote !== null && isHarmful(escape, quote)) {
        if (!STATEMENT_PART.test(before)) open = escape;
        else taints.push(taintOf(escape.source, [escape.kind]));
      }
    }
    before += text ?? UNKNOWN_PART;
  }
  return { ...whole, taint: mergeTaints(taints), escape: open };
}

/** Has an operator, a quote or a word of SQL. */
const STATEMENT_PART = /['"=<>(]|\b(?:select|where|and|or|order|by|limit|offset|set|from|in|like|values|having)\b/i;

/** Whether the value does harm behind this open quote, or without one. */
function isHarmful({ place }: Escape, quote: string): boolean {
  if (place === 'quoted') return quote === '';
  return place === 'bare' ? quote !== '' : quote === "'";
}

/** The quote that is open at the end of the text, or none. */
function openQuote(text: string): string {
  let open = '';
  for (const letter of text) {
    if (open === '' && (letter === "'" || letter === '"')) open = letter;
    else if (letter === open) open = '';
  }
  return open;
}

/** A list with further elements, or a text with more text. */
export function appendValues(before: Value, added: readonly Value[]): Value {
  if (before.elements !== null) {
    return { ...listValue([...before.elements, ...added]), typeName: before.typeName, identity: before.identity };
  }
  return {
    ...concatWithQuotes([before, ...added]),
    isBuilt: true,
    typeName: before.typeName,
    names: before.names,
    identity: before.identity,
  };
}
