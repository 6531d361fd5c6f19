/** Rows as one table of plain text, a column for each of `columns`. A title that is empty is not written. */
export function table<Column extends string>(
  columns: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<Column, string>>[],
): string {
  const names = Object.keys(columns) as Column[];
  const lines = [columns, ...rows].map((row) => names.map((name) => row[name]));
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const text = lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
  return [text[0], widths.map((width) => '-'.repeat(width)).join('  '), ...text.slice(1)].join('\n');
}
