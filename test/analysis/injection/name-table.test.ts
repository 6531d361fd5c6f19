import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameIndex, NameTable } from '../../../src/analysis/injection/rules/name-table.ts';

const index = new NameIndex();
const sinks = new NameTable(
  [
    ['*.query fs.{readFile,stat} open new ZipFile', 'first'],
    ['a.*.c db.query', 'second'],
  ],
  index,
);
const sources = new NameTable([['request.args', 'source']], index);

const CASES: readonly (readonly [name: string, rows: readonly string[]])[] = [
  ['db.query', ['first', 'second']],
  ['app.db.query', ['first', 'second']],
  ['mydb.query', ['first']],
  ['query', []],
  ['fs.readFile', ['first']],
  ['node.fs.stat', ['first']],
  ['xfs.stat', []],
  ['stat', []],
  ['open', ['first']],
  ['file.open', []],
  ['new:ZipFile', ['first']],
  ['ZipFile', []],
  ['a.b.c', ['second']],
  ['x.a.b.c', ['second']],
  ['a.c', []],
  ['request.args', []],
];

test('names are compared from their end', () => {
  for (const [name, rows] of CASES) {
    assert.deepEqual(sinks.find([name]), rows, name);
    assert.equal(sinks.has([name]), rows.length > 0, name);
  }
});

test('tables with one index do not find what only the other one knows', () => {
  const names = ['flask.request.args'];
  assert.deepEqual([sinks.find(names), sources.find(names), sinks.find(names)], [[], ['source'], []]);
});

test('several names: the rows of each, once', () => {
  assert.deepEqual(sinks.find(['x', 'conn.query', 'db.query']), ['first', 'second']);
});

test('without patterns for any method', () => {
  assert.deepEqual(sinks.find(['db.query'], false), ['second']);
});
