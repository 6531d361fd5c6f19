import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { formatCsv } from '../../src/pages/csv.ts';

test('is read back by another program, with commas, quotes and line breaks inside', () => {
  const rows = [
    ['a,b', 'say "x"', 'two\r\nlines', 'plain', 'ünïcode 🦀'],
    ['', '1', '-', ' ', 'x;y'],
  ];
  const [, ...read] = parse(formatCsv(['a', 'b', 'c', 'd', 'e'], rows)) as string[][];
  assert.deepEqual(read, [rows[0], ['', '1', "'-", ' ', 'x;y']]);
});

test('ends every line with CR LF, and quotes only what needs it (RFC 4180)', () => {
  assert.equal(formatCsv(['id', 'text'], [['x', 'a "b"']]), 'id,text\r\nx,"a ""b"""\r\n');
});

test('leaves nothing that a spreadsheet takes for a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://evil.example")']) {
    const [, [cell]] = parse(formatCsv(['a'], [[text]])) as [string[], [string]];
    assert.equal(cell, `'${text}`);
  }
  assert.equal(formatCsv(['a'], [[-1.5], [true], [null]]), 'a\r\n-1.5\r\ntrue\r\n\r\n');
});
