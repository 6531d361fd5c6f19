import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { cleanText } from '../analysis/display-text.ts';

/** Columns of a line of prose at most, also in a wider terminal: longer lines are hard to read. */
const MAX_PROSE_WIDTH = 110;

const graphemeSegmenter = new Intl.Segmenter();

/** The text, or its beginning with an ellipsis, in at most `width` terminal columns. */
export function truncateText(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemeSegmenter.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The text filled with blanks to `width` terminal columns. */
export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const padding = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'left' ? text + padding : padding + text;
}

/** Lines of at most `width` columns, broken between words; a longer word stays whole. Line ends of the text stay. */
export function wrapText(text: string, width: number): string[] {
  const paragraphs = cleanText(text)
    .trim()
    .replace(/\s*\n\s*/g, '\n')
    .replace(/[^\S\n]+/g, ' ');
  return wrapAnsi(paragraphs, Math.max(1, Math.min(width, MAX_PROSE_WIDTH))).split('\n');
}

/** `2024-10-24 22:00Z` for a time in UTC (ISO 8601); any other text as it is. */
export function formatMinute(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/, '$1 $2Z');
}

/** `12.3 MB`, in powers of ten. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let amount = bytes;
  let unit = 0;
  for (; amount >= 999.95 && unit < units.length - 1; unit++) amount /= 1000;
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`;
}
