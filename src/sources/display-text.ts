import { displayLine } from '../analysis/display-text.ts';

/** One line of foreign text, cleaned for display and cut at `limit` characters; null: nothing is left of it. */
export function displayLineOrNull(text: string | null | undefined, limit = 200): string | null {
  const plain = displayLine(text ?? '', limit);
  return plain === '' ? null : plain;
}

/** The first `most` texts of a list, cleaned for display, each once. */
export function displayLines(texts: readonly string[] | null | undefined, most: number, limit = 200): string[] {
  const plain = (texts ?? []).slice(0, most).map((text) => displayLineOrNull(text, limit));
  return [...new Set(plain.filter((text) => text !== null))];
}
