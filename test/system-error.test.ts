import assert from 'node:assert/strict';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { describeSystemError, isSqliteDamage, isSystemError, sqliteCode } from '../src/system-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-errors-'));
after(() => rmSync(folder, { recursive: true }));

/** Errors as the system and SQLite really throw them. */
const thrown: Record<string, { by: () => unknown; says: string }> = {
  'a file that is not there': {
    by: () => readFileSync(join(folder, 'missing')),
    says: 'there is no such file or folder',
  },
  'a folder in the place of a file': { by: () => readFileSync(folder), says: 'it is a folder, not a file' },
  'a file in the place of a folder': {
    by: () => openSync(join(import.meta.filename, 'x'), 'r'),
    says: 'a part of the path is not a folder',
  },
  'a file that exists': { by: () => openSync(import.meta.filename, 'wx'), says: 'it exists already' },
  'a database in a folder that is not there': {
    by: () => new DatabaseSync(join(folder, 'missing', 'x.db')),
    says: 'a database file cannot be opened',
  },
  'a database that is none': {
    by() {
      writeFileSync(join(folder, 'x.db'), 'x'.repeat(10_000));
      return new DatabaseSync(join(folder, 'x.db')).prepare('SELECT * FROM sqlite_schema').all();
    },
    says: 'a file is not a database',
  },
};

describe('an error of the system is told without path, address and errno text', () => {
  for (const [what, { by, says }] of Object.entries(thrown)) {
    test(what, () => {
      assert.throws(by, (error) => {
        assert.ok(isSystemError(error));
        assert.equal(describeSystemError(error), says);
        return true;
      });
    });
  }

  test('one that is not known by name: its code, no path', () => {
    const error = Object.assign(new Error("EXYZ: it broke, open '/secret/path'"), {
      code: 'EXYZ',
      path: '/secret/path',
    });
    assert.equal(describeSystemError(error), 'the system reports EXYZ');
  });

  test('other errors keep their message, and are no damage', () => {
    const error = new TypeError('it is not a function');
    assert.equal(describeSystemError(error), 'it is not a function');
    assert.deepEqual([isSystemError(error), sqliteCode(error), isSqliteDamage(error)], [false, null, false]);
    assert.equal(describeSystemError('words'), 'words');
  });
});
