import { styleText } from 'node:util';
import { cut, displayWidth, oneLine, pad, wrap } from './text.ts';

export interface Column {
  title: string;
  align?: 'left' | 'right';
  /** Long cells go on over several lines instead of being cut. */
  wrap?: boolean;
  /** Applied to a finished cell; must not change what is seen of it. */
  style?: (cell: string) => string;
}

const GAP = 2;
/** Columns give way down to this width before whole ones are left out. */
const NARROW = 12;

/**
 * A table of at most `width` columns of text. The first column is never cut; others are narrowed, the widest first, and
 * then left out from the right: a last line names those.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = columns.map(({ title }, index) =>
    Math.max(longestWord(title), ...cells.map((row) => displayWidth(row[index] ?? ''))),
  );
  narrow(widths, width);
  const shown = columns.slice(0, countFitting(widths, width));
  const lines = [...headLines(shown, widths), ...cells.flatMap((row) => rowLines(shown, row, widths))].map((line) =>
    line.trimEnd(),
  );
  const left = columns.slice(shown.length).map(({ title }) => title);
  if (left.length === 0) return lines;
  const note = `not shown at this width: ${left.join(', ')}`;
  return [...lines, ...wrap(note, width).map((line) => styleText('dim', line))];
}

function longestWord(title: string): number {
  return Math.max(...title.split(' ').map(displayWidth));
}

function narrow(widths: number[], width: number): void {
  let excess = totalOf(widths) - width;
  while (excess > 0) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= NARROW || widths.length === 1) return;
    // Down to the next one that is as wide, and no further than needed.
    const next = Math.max(NARROW, ...widths.slice(1).filter((one) => one < widest));
    const by = Math.min(widest - next, excess);
    widths[widths.indexOf(widest, 1)] = widest - by;
    excess -= by;
  }
}

function countFitting(widths: readonly number[], width: number): number {
  let count = widths.length;
  while (count > 1 && totalOf(widths.slice(0, count)) > width) count--;
  return count;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + GAP, -GAP);
}

function headLines(columns: readonly Column[], widths: readonly number[]): string[] {
  const titles = columns.map(({ title }, index) => wrap(title, widths[index]!));
  const height = Math.max(...titles.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    joined(
      columns,
      widths,
      (index) => titles[index]![line - height + titles[index]!.length] ?? '',
      (_, cell) => styleText('dim', cell),
    ),
  );
}

function rowLines(columns: readonly Column[], row: readonly string[], widths: readonly number[]): string[] {
  const cells = columns.map((column, index) => {
    const text = row[index] ?? '';
    if (index === 0) return [text];
    return column.wrap === true ? wrapTight(text, widths[index]!) : [cut(text, widths[index]!)];
  });
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    joined(
      columns,
      widths,
      (index) => cells[index]![line] ?? '',
      (column, cell) => column.style?.(cell) ?? cell,
    ),
  );
}

/** Within a cell even a long word is broken: it would push the next cells aside. */
function wrapTight(text: string, width: number): string[] {
  return wrap(text, width).flatMap((line) => {
    const parts: string[] = [];
    for (let rest = Array.from(line); rest.length > 0; rest = rest.slice(width))
      parts.push(rest.slice(0, width).join(''));
    return parts.length === 0 ? [''] : parts;
  });
}

function joined(
  columns: readonly Column[],
  widths: readonly number[],
  cellOf: (index: number) => string,
  style: (column: Column, cell: string) => string,
): string {
  return columns
    .map((column, index) => style(column, pad(cellOf(index), widths[index]!, column.align)))
    .join(' '.repeat(GAP));
}
