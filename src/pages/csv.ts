/** A cell of a table: unknown is empty. */
export type CsvCell = string | number | boolean | null;

/** How a cell begins that spreadsheets would take for a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/**
 * A table as CSV (RFC 4180). Texts of others that spreadsheets would run as a formula get an apostrophe before them, which spreadsheets
 * take as "this is text".
 */
export function formatCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA_START.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) || text !== cell ? `"${text.replaceAll('"', '""')}"` : text;
}
