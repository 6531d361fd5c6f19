import { readQuotedValue, skipWrapper, type ValueRange } from './read-value.ts';

const MAX_ARGUMENTS = 6;
const MAX_LENGTH = 600;
const OPEN = '([{';
const CLOSE = ')]}';
/** What makes characters or bytes of a string literal. */
const CONVERSION = /\.(?:toCharArray|getBytes|encode|bytes|chars|to_vec|as_bytes|Sha256|clone)\([^()]{0,40}\)/y;

export interface TextArgument extends ValueRange {
  /** Whether the literal is turned into characters or bytes. */
  isCharacters: boolean;
}

/**
 * The arguments of a call, from behind its `(`: where the text of those is that are string literals, null for the others. Those that were read, if the
 * call goes on too long.
 */
export function readArguments(code: string, at: number): (TextArgument | null)[] {
  const found: (TextArgument | null)[] = [];
  const limit = Math.min(code.length, at + MAX_LENGTH);
  let begin = at;
  while (found.length < MAX_ARGUMENTS && begin < limit) {
    while (begin < limit && /\s/.test(code[begin]!)) begin++;
    const end = argumentEnd(code, begin, limit);
    found.push(literalIn(code, begin, end));
    if (code[end] !== ',') break;
    begin = end + 1;
  }
  return found;
}

/** Where the next `,` or the closing bracket stands. */
function argumentEnd(code: string, from: number, limit: number): number {
  let depth = 0;
  for (let at = from; at < limit; at++) {
    const char = code[at]!;
    if (char === '"' || char === "'" || char === '`') {
      const text = readQuotedValue(code, at);
      at = text === null ? at + (code[at + 1] === char ? 1 : 0) : text.end;
    } else if (OPEN.includes(char)) depth++;
    else if (CLOSE.includes(char)) {
      if (depth === 0) return at;
      depth--;
    } else if (char === ',' && depth === 0) return at;
  }
  return limit;
}

function literalIn(code: string, start: number, end: number): TextArgument | null {
  const text = readQuotedValue(code, skipWrapper(code, start));
  if (text === null || text.end >= end) return null;
  CONVERSION.lastIndex = text.end + 1;
  const conversion = CONVERSION.exec(code);
  const rest = code
    .slice(text.end + 1 + (conversion?.[0].length ?? 0), end)
    .replace(/\/\*.*?\*\//s, '')
    .trim();
  return rest === '' || rest === ')' ? { ...text, isCharacters: conversion !== null } : null;
}
