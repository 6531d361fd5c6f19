import { formatCount } from '../engine/summary.ts';
import { cleanText } from '../analysis/display-text.ts';

/** Prose is not set wider than this, however wide the terminal. */
const MAX_PROSE_WIDTH = 110;

const graphemeSegmenter = new Intl.Segmenter();
/** East Asian wide and full-width characters (UAX #11) and emoji take two columns. */
const WIDE_CHARACTER =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]|\p{Emoji_Presentation}/u;
const PLAIN_ASCII = /^[\x20-\x7e]*$/;

/** Columns that a text takes in a terminal. */
export function displayWidth(text: string): number {
  if (PLAIN_ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemeSegmenter.segment(text)) width += WIDE_CHARACTER.test(segment) ? 2 : 1;
  return width;
}

/** A text of any origin as one line that a terminal only shows: no control, invisible or direction-changing characters. */
export function toOneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** At most `width` columns, with an ellipsis where something was cut. */
export function truncateText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemeSegmenter.segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + padding : padding + text;
}

/** Lines of at most `width` columns, cut between words; a longer word stays whole. Line ends of the text stay. */
export function wrapText(text: string, width: number): string[] {
  const maxWidth = Math.min(width, MAX_PROSE_WIDTH);
  return cleanText(text)
    .trim()
    .split(/\n+/)
    .flatMap((paragraph) => wrapParagraph(paragraph, maxWidth));
}

function wrapParagraph(paragraph: string, maxWidth: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(/\s+/)) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > maxWidth) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** `12.3 MB`, in powers of ten. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let amount = bytes;
  let unit = 0;
  for (; amount >= 999.95 && unit < units.length - 1; unit++) amount /= 1000;
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`;
}

/** `45 seconds`, `3 hours`, `12 days`: the largest unit alone. */
export function formatAge(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ];
  // From two on: "36 hours" says more than "1 day".
  const [size, noun] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'second'];
  return formatCount(Math.floor(seconds / size), noun);
}
