import { styleText } from 'node:util';
import { truncateText, displayWidth, toOneLine, padText, wrapText } from './terminal-text.ts';

export interface Column {
  title: string;
  align?: 'left' | 'right';
  /** Long cells go on over several lines instead of being cut. */
  wrap?: boolean;
  /** Applied to a finished cell; must not change what is seen of it. */
  style?: (cell: string) => string;
}

const COLUMN_GAP = 2;
/** Columns give way down to this width before whole ones are left out; what wraps must stay readable. */
const MIN_COLUMN_WIDTHS = { cut: 12, wrap: 28 };

/**
 * A table of at most `width` columns of text. The first column is never cut; others are narrowed, the widest first, and
 * then left out from the right: a last line names those.
 */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const cells = rows.map((row) => row.map(toOneLine));
  const widths = columnWidths(columns, cells, width);
  const shown = columns.slice(0, countFittingColumns(widths, width));
  const lines = [...headerLines(shown, widths), ...cells.flatMap((row) => rowLines(shown, row, widths))];
  const hiddenTitles = columns.slice(shown.length).map(({ title }) => title);
  if (hiddenTitles.length === 0) return lines;
  const note = `not shown at this width: ${hiddenTitles.join(', ')}`;
  return [...lines, ...wrapText(note, width).map((line) => styleText('dim', line))];
}

function columnWidths(columns: readonly Column[], cells: readonly string[][], width: number): number[] {
  const widest = columns.map((_, index) => Math.max(0, ...cells.map((row) => displayWidth(row[index] ?? ''))));
  const widthsWithTitles = (titleWidth: (title: string) => number) =>
    columns.map(({ title }, index) => Math.max(widest[index]!, titleWidth(title)));
  for (const titleWidth of [displayWidth, twoLineWidth]) {
    const candidate = widthsWithTitles(titleWidth);
    if (totalWidth(candidate) <= width) return candidate;
  }
  const widths = widthsWithTitles(longestWordWidth);
  narrowColumns(widths, columns, width);
  return widths;
}

function longestWordWidth(title: string): number {
  return Math.max(...title.split(' ').map(displayWidth));
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
      const minWidth = columns[index]!.wrap === true ? MIN_COLUMN_WIDTHS.wrap : MIN_COLUMN_WIDTHS.cut;
      if (widths[index]! > minWidth && widths[index]! > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) return;
    widths[widest]!--;
  }
}

function countFittingColumns(widths: readonly number[], width: number): number {
  let count = widths.length;
  while (count > 1 && totalWidth(widths.slice(0, count)) > width) count--;
  return count;
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
    return column.wrap === true ? wrapBreakingWords(text, widths[index]!) : [truncateText(text, widths[index]!)];
  });
  return layOutCells(columns, cells, widths, ({ style }, cell) => style?.(cell) ?? cell);
}

/** One line of text for each line of the tallest cell. */
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

/** Within a cell even a long word is broken: it would push the next cells aside. */
function wrapBreakingWords(text: string, width: number): string[] {
  return wrapText(text, width).flatMap((line) => {
    const parts: string[] = [];
    for (let rest = Array.from(line); rest.length > 0; rest = rest.slice(width)) {
      parts.push(rest.slice(0, width).join(''));
    }
    return parts.length === 0 ? [''] : parts;
  });
}
