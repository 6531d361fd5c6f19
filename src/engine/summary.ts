import { displayLine } from '../analysis/display-text.ts';

const MAX_CHARACTERS = 300;

/** Joins the non-empty parts into one plain text of at most 300 characters, cut at a word. */
export function joinSummary(...parts: (string | null | false)[]): string {
  const text = parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  return displayLine(text, MAX_CHARACTERS);
}

/** `First: a, b, c.`; null for an empty list. */
export function firstThree(label: string, items: readonly string[]): string | null {
  return items.length === 0 ? null : `${label}: ${items.slice(0, 3).join(', ')}.`;
}

/** Made once: a formatter for each number would cost more than the rest of a row. */
const numberFormat = new Intl.NumberFormat('en');

/** `1,234` */
export function formatNumber(number: number): string {
  return numberFormat.format(number);
}

/** `1 exploit`, `3 exploits`, `2 addresses`, `4 technologies`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** With a capital first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A share (0 to 1) as `94.4 %`; a share between 0 and 1 is never shown as 0 % or 100 % (`over 99.9 %`, `under 0.1 %`). */
export function formatPercent(share: number): string {
  const text = (share * 100).toFixed(1);
  if (share < 1 && text === '100.0') return 'over 99.9 %';
  if (share > 0 && text === '0.0') return 'under 0.1 %';
  return `${text} %`;
}

/** `85 of 100, higher is better`: a score with its scale and its direction. */
export function describeScore(score: number, better: 'higher' | 'lower', max = 100): string {
  return `${formatNumber(score)} of ${formatNumber(max)}, ${better} is better`;
}

export function sumCounts(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** `45 seconds`, `36 hours`, `12 days`: in the largest unit of which there are at least two. */
export function formatAge(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ];
  const [size, noun] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'second'];
  return formatCount(Math.floor(seconds / size), noun);
}
