import { cleanText } from '../analysis/display-text.ts';

/**
 * An answer whose strings and names have no control, bidirectional or invisible characters, whatever a feed, a source or the caller wrote. Most
 * readers clean as they read; this is where every surface gets its answers from. The same value, where nothing is to be removed.
 */
export function cleanAnswer<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? cleanList(value) : cleanFields(value as Record<string, unknown>);
}

function cleanList(items: unknown[]): unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < items.length; index++) {
    const cleaned = clean(items[index]);
    if (cleaned !== items[index]) (copy ??= [...items])[index] = cleaned;
  }
  return copy ?? items;
}

function cleanFields(fields: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | null = null;
  for (const name in fields) {
    if (cleanText(name) !== name) return withCleanNames(fields);
    const cleaned = clean(fields[name]);
    if (cleaned !== fields[name]) (copy ??= { ...fields })[name] = cleaned;
  }
  return copy ?? fields;
}

function withCleanNames(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [cleanText(name), clean(value)]));
}
