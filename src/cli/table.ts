import { styleText } from 'node:util';
import { truncateText, padText, wrapText } from './terminal-text.ts';
import { toOneLine } from '../analysis/display-text.ts';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

export interface Column {
  title: string;
  align?: 'left' | 'right';
  /** Wraps long cells instead of truncating them. */
  wrap?: boolean;
  /** Is left out rather than made narrower than this; Infinity: than its longest cell. */
  min?: number;
  /** The columns with the highest ranks are left out first. Default: the place of the column. */
  rank?: number;
  /** Colours a padded cell; must not change its width. */
  style?: (cell: string) => string;
}

const COLUMN_GAP = 2;
/** A column is narrowed to this width at most; if that is not enough, columns are left out. Wrapped text needs more to stay readable. */
const MIN_COLUMN_WIDTHS = { truncated: 12, wrapped: 28 };

/**
 * Lines of a table, at most `width` terminal columns wide. The first column is never truncated. The others are narrowed, the widest
 * first; if that is not enough, those of the highest rank are left out, and a last line names them.
 */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const cells = rows.map((row) => row.map(toOneLine));
  const shown = columns.map((_, index) => index);
  const select = <Item>(items: readonly Item[]): Item[] => shown.map((index) => items[index]!);
  const widthsOfShown = (): number[] => columnWidths(select(columns), cells.map(select), width);
  let widths = widthsOfShown();
  while (shown.length > 1 && totalWidth(widths) > width) {
    shown.splice(placeToLeaveOut(select(columns)), 1);
    widths = widthsOfShown();
  }
  const lines = [
    ...headerLines(select(columns), widths),
    ...cells.flatMap((row) => rowLines(select(columns), select(row), widths)),
  ];
  const hiddenTitles = columns.filter((_, index) => !shown.includes(index)).map(({ title }) => title);
  if (hiddenTitles.length === 0) return lines;
  const note = `not shown at this width: ${hiddenTitles.join(', ')}`;
  return [...lines, ...wrapText(note, width).map((line) => styleText('dim', line))];
}

/** The place of the column that is missed least; never the first. */
function placeToLeaveOut(columns: readonly Column[]): number {
  let place = columns.length - 1;
  for (let index = place - 1; index > 0; index--) {
    if ((columns[index]!.rank ?? index) > (columns[place]!.rank ?? place)) place = index;
  }
  return place;
}

function columnWidths(columns: readonly Column[], cells: readonly string[][], width: number): number[] {
  const widest = columns.map((_, index) => Math.max(0, ...cells.map((row) => stringWidth(row[index] ?? ''))));
  const widthsWithTitles = (titleWidth: (title: string) => number) =>
    columns.map(({ title }, index) => Math.max(widest[index]!, titleWidth(title)));
  for (const titleWidth of [stringWidth, twoLineWidth]) {
    const candidate = widthsWithTitles(titleWidth);
    if (totalWidth(candidate) <= width) return candidate;
  }
  const widths = widthsWithTitles(longestWordWidth);
  narrowColumns(widths, columns, width);
  return widths;
}

function longestWordWidth(title: string): number {
  return Math.max(...title.split(' ').map((word) => stringWidth(word)));
}

function twoLineWidth(title: string): number {
  let width = longestWordWidth(title);
  while (wrapText(title, width).length > 2) width++;
  return width;
}

function narrowColumns(widths: number[], columns: readonly Column[], width: number): void {
  const excess = totalWidth(widths) - width;
  for (let step = 0; step < excess; step++) {
    let widest = -1;
    for (let index = 1; index < widths.length; index++) {
      const { wrap, min = wrap === true ? MIN_COLUMN_WIDTHS.wrapped : MIN_COLUMN_WIDTHS.truncated } = columns[index]!;
      if (widths[index]! > min && widths[index]! > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) return;
    widths[widest]!--;
  }
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + COLUMN_GAP, -COLUMN_GAP);
}

function headerLines(columns: readonly Column[], widths: readonly number[]): string[] {
  const titles = columns.map(({ title }, index) => wrapText(title, widths[index]!));
  const height = Math.max(...titles.map(({ length }) => length));
  const bottomAligned = titles.map((lines) => [...Array<string>(height - lines.length).fill(''), ...lines]);
  return layOutCells(columns, bottomAligned, widths, (_, cell) => styleText('dim', cell));
}

function rowLines(columns: readonly Column[], row: readonly string[], widths: readonly number[]): string[] {
  const cells = columns.map((column, index) => {
    const text = row[index] ?? '';
    if (index === 0) return [text];
    return column.wrap === true
      ? wrapAnsi(text, widths[index]!, { hard: true }).split('\n')
      : [truncateText(text, widths[index]!)];
  });
  return layOutCells(columns, cells, widths, ({ style }, cell) => style?.(cell) ?? cell);
}

/** Puts cells, each given as its lines, side by side: as many lines as the tallest cell has. */
function layOutCells(
  columns: readonly Column[],
  cells: readonly string[][],
  widths: readonly number[],
  style: (column: Column, cell: string) => string,
): string[] {
  const height = Math.max(...cells.map(({ length }) => length));
  const last = columns.length - 1;
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, index) => {
        const text = cells[index]![line] ?? '';
        const unpadded = index === last && column.align !== 'right';
        return text === '' && unpadded
          ? ''
          : style(column, unpadded ? text : padText(text, widths[index]!, column.align));
      })
      .join(' '.repeat(COLUMN_GAP))
      .trimEnd(),
  );
}
