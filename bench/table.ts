import type { Row } from './figure.ts';

const COLUMNS = ['figure', 'measured', 'reference', 'result', 'target', 'verdict'] as const;

/** The rows as one table of plain text, columns aligned. */
export function table(rows: readonly Row[]): string {
  const title = (column: string): string => (column === 'verdict' ? '' : column);
  const lines = [COLUMNS.map(title), ...rows.map((row) => COLUMNS.map((column) => row[column]))];
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const text = lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
  return [text[0], widths.map((width) => '-'.repeat(width)).join('  '), ...text.slice(1)].join('\n');
}
