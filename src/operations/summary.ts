const LIMIT = 300;

/** Joins the parts that are there into one plain text of at most 300 characters, cut at a word. */
export function summarise(...parts: (string | null | false)[]): string {
  const text = parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  return clip(text.replace(/\s+/g, ' ').trim(), LIMIT);
}

/** At most `limit` UTF-16 units, cut at a word and marked. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 3);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}...`;
}

/** `1 exploit`, `3 exploits`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A share as a reader says it: `94.4 %`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
