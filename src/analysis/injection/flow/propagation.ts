import { concatValues, type Value } from './value.ts';

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
    return text === "'" && /^'(?:\\{1,2}'|\\?"'\\?")'$/.test(values[index + 1]?.text ?? '');
  });
}

/**
 * Whether the pattern matches all characters but letters, digits and few others: what is left when its matches are removed is
 * harmless.
 */
export function keepsOnlyWordCharacters(text: string): boolean {
  // `tr('^a-z', '')` has the class alone.
  const pattern = text.startsWith('^') ? `[${text}]` : text;
  const kept = /^\/?\[\^([\w\\. :@,-]+)\]\+?(?:\/[a-z]*)?$/.exec(pattern)?.[1];
  if (kept === undefined || /\\(?![wds.-])/.test(kept)) return false;
  // `A-z` includes the characters between the cases.
  const ranges = kept.matchAll(/([^\\])-([^\\])/g);
  return [...ranges].every(([range]) => /^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)$/.test(range));
}
