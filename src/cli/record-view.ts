import { styleText } from 'node:util';
import { formatNumber } from '../engine/summary.ts';
import { toOneLine } from '../analysis/display-text.ts';
import stringWidth from 'string-width';
import { isJsonObject } from '../analysis/bounded-json.ts';
import { styleValue } from './styles.ts';
import { renderTable } from './table.ts';
import { padText, wrapText, formatMinute } from './terminal-text.ts';

type Fields = Record<string, unknown>;
type Scalar = string | number | boolean | null;

/** Rows with longer texts are shown as blocks, not as a table. */
const PROSE_LENGTH = 120;
/** Longer items of a list get a line each. */
const SHORT_ITEM_LENGTH = 40;
const INDENT_WIDTH = 2;
/** If one block is taller, blocks are separated by empty lines. */
const TALL_BLOCK_LINES = 6;
/** Columns with longer texts are wrapped. */
const WRAPPED_TEXT_LENGTH = 28;

/** Rows of a list, where not all is to be shown. */
const MAX_ROWS = 20;

/**
 * Any record for people, `width` terminal columns wide: first single values, then lists and nested objects. Unless `all`: without
 * fields that have no value, and lists as tables of their first rows.
 */
export function recordLines(record: Fields, width: number, all = true): string[] {
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && (all || !isEmpty(value)));
  const rows = fields.filter(([, value]) => fitsOneRow(value, width));
  const sections = fields.filter(([, value]) => !fitsOneRow(value, width));
  return [
    ...rowLines(rows, width),
    ...sections.flatMap(([name, value]) => [
      '',
      styleText('bold', labelOf(name)),
      ...indentLines(sectionLines(value, width - INDENT_WIDTH, all)),
    ]),
  ];
}

function fitsOneRow(value: unknown, width: number): boolean {
  if (isScalar(value)) return true;
  if (Array.isArray(value)) return value.every(isScalar);
  return isJsonObject(value) && Object.values(value).every(isScalar) && stringWidth(inlineFields(value)) < width / 2;
}

function rowLines(rows: readonly [string, unknown][], width: number): string[] {
  const labelWidth = Math.max(0, ...rows.map(([name]) => stringWidth(labelOf(name))));
  return rows.flatMap(([name, value]) =>
    valueLines(value, width - labelWidth - 2).map((line, index) => {
      const label = padText(index === 0 ? labelOf(name) : '', labelWidth);
      return `${styleText('dim', label)}  ${line}`;
    }),
  );
}

function valueLines(value: unknown, width: number): string[] {
  if (isScalar(value)) return wrapText(scalarText(value), width).map(styleValue);
  if (!Array.isArray(value)) return wrapText(inlineFields(value as Fields), width);
  const items = value.map(scalarText);
  if (items.length === 0) return [styleText('dim', 'none')];
  return items.some((item) => item.length > SHORT_ITEM_LENGTH)
    ? items.flatMap((item) => wrapText(item, width))
    : wrapText(items.join(', '), width);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  const values: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return Array.isArray(value) ? values.length === 0 : values.every(isEmpty);
}

function sectionLines(value: unknown, width: number, all: boolean): string[] {
  if (Array.isArray(value)) return listLines(value, width, all);
  const fields = value as Fields;
  const rows = mapToRows(fields);
  return rows === null ? recordLines(fields, width, all) : listLines(rows, width, all);
}

/** A list: as a table if all items are flat and short, else as blocks. Unless `all`: as a table of the first rows. */
export function listLines(items: readonly unknown[], width: number, all = true, maxRows = MAX_ROWS): string[] {
  if (items.length === 0) return [styleText('dim', 'none')];
  if (!all && items.every(isJsonObject)) return briefTableLines(items, width, maxRows);
  const rows = items.map((item) => (isJsonObject(item) ? flattenItem(item) : null));
  const flatRows = rows.filter((row) => row !== null);
  if (flatRows.length === rows.length && !flatRows.some(hasProse)) return rowsAsTable(flatRows, width);
  const blocks = items.map((item) => blockLines(item, width));
  const needsBlankLines = blocks.some(({ length }) => length > TALL_BLOCK_LINES);
  return blocks.flatMap((block, index) => (needsBlankLines && index > 0 ? ['', ...block] : block));
}

/** What is nested deeper than a table can show is left out. */
function briefTableLines(items: readonly Fields[], width: number, maxRows: number): string[] {
  const shown = items.slice(0, maxRows).map((item) => {
    const fields = Object.entries(item).filter(([, value]) => flattenItem({ value }) !== null);
    return flattenItem(Object.fromEntries(fields))!;
  });
  const more = items.length - shown.length;
  return [...rowsAsTable(shown, width), ...(more > 0 ? [styleText('dim', `and ${formatNumber(more)} more`)] : [])];
}

/** One item as a block with a bullet; fields that are null are left out. */
function blockLines(item: unknown, width: number): string[] {
  if (!isJsonObject(item)) return wrapText(inlineValue(item), width - INDENT_WIDTH).map((line) => `  ${line}`);
  const { verdict: _, ...rest } = item;
  const knownFields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return recordLines(knownFields, width - INDENT_WIDTH).map((line, index) =>
    `${index === 0 ? '• ' : '  '}${line}`.trimEnd(),
  );
}

function rowsAsTable(rows: readonly Map<string, Scalar>[], width: number): string[] {
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const knownNames = names.filter((name) => rows.some((row) => (row.get(name) ?? '') !== ''));
  const columns = knownNames.map((name) => ({
    title: labelOf(name),
    align: rows.every((row) => typeof (row.get(name) ?? 0) === 'number') ? ('right' as const) : ('left' as const),
    wrap: rows.some((row) => needsWrapping(row.get(name))),
    style: styleValue,
  }));
  return renderTable(
    columns,
    rows.map((row) => knownNames.map((name) => cellText(row.get(name) ?? null))),
    width,
  );
}

/** Fields of an item and of its nested objects as cells; null if it is nested deeper. A row's own verdict is left out: people read the answer's. */
function flattenItem(item: Fields): Map<string, Scalar> | null {
  const cells = new Map<string, Scalar>();
  for (const [name, value] of Object.entries(item)) {
    if (name === 'verdict' || (name === 'summary' && 'verdict' in item)) continue;
    if (isScalar(value)) cells.set(name, value);
    else if (Array.isArray(value) && value.every(isScalar)) cells.set(name, value.map(scalarText).join(', '));
    else if (isJsonObject(value) && Object.values(value).every(isScalar)) {
      for (const [inner, scalar] of Object.entries(value)) // `in_kev` of `kev` needs no second "kev".
        cells.set(inner.includes(name) ? inner : `${name}_${inner}`, scalar as Scalar);
    } else if (value !== undefined) return null;
  }
  return cells;
}

/** A map of objects with the same keys (sources by id) as rows that begin with the name; null for any other object. */
function mapToRows(fields: Fields): Fields[] | null {
  const entries = Object.entries(fields);
  const keyLists = entries.map(([, value]) => (isJsonObject(value) ? Object.keys(value).join() : ''));
  if (entries.length < 2 || keyLists[0] === '' || keyLists.some((key) => key !== keyLists[0])) return null;
  return entries.map(([name, value]) => ({ name, ...(value as Fields) }));
}

function needsWrapping(value: Scalar | undefined): boolean {
  return typeof value === 'string' && value.length > WRAPPED_TEXT_LENGTH && value.includes(' ');
}

function hasProse(row: Map<string, Scalar>): boolean {
  return [...row.values()].some((value) => typeof value === 'string' && value.length > PROSE_LENGTH);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value !== 'object';
}

function labelOf(name: string): string {
  // That a text is of third parties is for models to know.
  return toOneLine(name.replace(/_untrusted$/, '').replaceAll('_', ' '));
}

function inlineFields(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${labelOf(name)} ${inlineValue(value)}`)
    .join(' · ');
}

function inlineValue(value: unknown): string {
  return isScalar(value) ? scalarText(value) : toOneLine(JSON.stringify(value));
}

function scalarText(value: Scalar): string {
  if (value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return formatMinute(String(value));
}

function cellText(value: Scalar): string {
  return scalarText(value).replace(/^(\d{4}-\d\d-\d\d) \d\d:\d\dZ$/, '$1');
}

function indentLines(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(INDENT_WIDTH)}${line}`));
}
