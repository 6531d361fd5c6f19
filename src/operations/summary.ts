import { clip } from '../analysis/text.ts';

const LIMIT = 300;

/** Joins the parts that are there into one plain text of at most 300 characters, cut at a word. */
export function summarise(...parts: (string | null | false)[]): string {
  const text = parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  return clip(text.replace(/\s+/g, ' ').trim(), LIMIT);
}

/** `1 exploit`, `3 exploits`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A share as a reader says it: `94.4 %`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
