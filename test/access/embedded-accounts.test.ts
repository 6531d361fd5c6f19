import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { openAccounts } from '../../src/access/access.ts';
import { openEmbeddedAccounts } from '../../src/access/embedded-accounts.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { accountsSuite } from './accounts-suite.ts';
import { runChild } from './children/run-child.ts';

accountsSuite('embedded', async () => {
  const file = join(temporaryFolder(), 'accounts.db');
  return { one: openEmbeddedAccounts(file, 'normal'), other: openEmbeddedAccounts(file, 'full') };
});

describe('embedded accounts', () => {
  test('six processes that open a new folder at once: every key of theirs is there', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const printed = await Promise.all(Array.from({ length: 6 }, () => runChild('add-keys.ts', [dataDir, '20'])));
    const accounts = await openAccounts({ dataDir }, 'normal');
    const ids = (await accounts.listKeys()).map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), printed.flatMap((line) => line.split(' ')).toSorted());
    assert.equal(ids.length, 120);
    assert.deepEqual(await accounts.countUsage(['c'], new Date(0)), [{ endpoint: 'GET /v1/status', count: 6 }]);
    await accounts.close();
  });

  test('are for their owner only', async () => {
    const dataDir = temporaryFolder();
    await (await openAccounts({ dataDir }, 'full')).close();
    assert.equal(statSync(join(dataDir, 'accounts.db')).mode & 0o777, 0o600);
  });

  test('a damaged file is refused, not replaced: it holds what must not be lost', async () => {
    const dataDir = temporaryFolder();
    const file = join(dataDir, 'accounts.db');
    writeFileSync(file, 'not a database, but long enough to be taken for one'.repeat(20));
    await assert.rejects(openAccounts({ dataDir }, 'full'));
    assert.match(readFileSync(file, 'utf8'), /^not a database/);
  });

  test('those of a newer version are refused', async () => {
    const dataDir = temporaryFolder();
    await (await openAccounts({ dataDir }, 'full')).close();
    const db = new DatabaseSync(join(dataDir, 'accounts.db'));
    db.exec('UPDATE accounts_version SET version = 99');
    db.close();
    await assert.rejects(openAccounts({ dataDir }, 'full'), /newer version/);
  });
});
