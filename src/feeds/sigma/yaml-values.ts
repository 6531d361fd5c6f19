import { cleanText } from '../../analysis/display-text.ts';

/** Whether a value from js-yaml is a mapping. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A scalar as clean text of at most `limit` characters (truncated texts end with `...`); null for an empty text or another value. */
export function boundedText(value: unknown, limit: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = cleanText(String(value)).trim();
  if (text === '') return null;
  return text.length <= limit ? text : `${text.slice(0, limit - 3).replace(/[\uD800-\uDBFF]$/, '')}...`;
}

/** A list of scalars, or a single scalar, as clean texts. */
export function boundedTexts(value: unknown, limits: { items: number; characters: number }): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list
    .slice(0, limits.items)
    .map((item) => boundedText(item, limits.characters))
    .filter((text) => text !== null);
}
