import { displayLine } from '../analysis/display-text.ts';

/** A word or a line of a third party, fit to be shown; null where nothing is left of it. */
export function displayLineOrNull(text: string | null | undefined, limit = 200): string | null {
  const plain = displayLine(text ?? '', limit);
  return plain === '' ? null : plain;
}

/** Those that are left of a list, each once. */
export function displayLines(texts: readonly string[] | null | undefined, most: number, limit = 200): string[] {
  const plain = (texts ?? []).slice(0, most).map((text) => displayLineOrNull(text, limit));
  return [...new Set(plain.filter((text) => text !== null))];
}

/** ISO 8601 of `2021-04-06 19:47:13`, with or without ` UTC` after it (abuse.ch); null for what is no such time. */
export function parseAbusechTime(text: string | null | undefined): string | null {
  const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(?: UTC|Z)?$/.exec(text ?? '');
  const parsed = time === null ? Number.NaN : Date.parse(`${time[1]}T${time[2]}Z`);
  return Number.isNaN(parsed) ? null : new Date(parsed).toISOString();
}
