import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadOrCreateInstallationSecret } from '../../src/access/installation-secret.ts';
import { Pseudonyms } from '../../src/access/pseudonyms.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { runChild } from './children/run-child.ts';

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('the secret of an installation', () => {
  test('is made once: 32 random bytes, for its owner only', () => {
    const folder = temporaryFolder();
    const secret = loadOrCreateInstallationSecret(folder, null);
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.equal(loadOrCreateInstallationSecret(folder, null), secret);
    assert.equal(modeOf(join(folder, 'secret')), 0o600);
    assert.deepEqual(readdirSync(folder), ['secret']);
    assert.notEqual(loadOrCreateInstallationSecret(temporaryFolder(), null), secret);
  });

  test('is one, however many processes start at once in a folder that is not there yet', async () => {
    const folder = join(temporaryFolder(), 'new', 'data');
    const secrets = await Promise.all(Array.from({ length: 6 }, () => runChild('read-secret.ts', [folder])));
    assert.equal(new Set(secrets).size, 1);
    assert.equal(readFileSync(join(folder, 'secret'), 'utf8').trim(), secrets[0]);
    assert.deepEqual(readdirSync(folder), ['secret']);
  });

  test('that others may read is closed to them', () => {
    const folder = temporaryFolder();
    const secret = loadOrCreateInstallationSecret(folder, null);
    chmodSync(join(folder, 'secret'), 0o644);
    assert.equal(loadOrCreateInstallationSecret(folder, null), secret);
    assert.equal(modeOf(join(folder, 'secret')), 0o600);
  });

  test('given by configuration leaves no file', () => {
    const folder = temporaryFolder();
    assert.equal(loadOrCreateInstallationSecret(folder, 'x'.repeat(32)), 'x'.repeat(32));
    assert.deepEqual(readdirSync(folder), []);
  });

  test('that is something else is refused, not replaced', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secret'), 'hello');
    assert.throws(() => loadOrCreateInstallationSecret(folder, null), /is not a secret of this service/);
    assert.equal(readFileSync(join(folder, 'secret'), 'utf8'), 'hello');
  });
});

describe('a pseudonym', () => {
  const names = new Pseudonyms('key'.repeat(11));

  test('is the HMAC-SHA-256 of kind and text', () => {
    const expected = createHmac('sha256', 'key'.repeat(11)).update('address:203.0.113.7').digest('hex');
    assert.equal(names.pseudonymOf('address', '203.0.113.7'), expected);
  });

  test('differs by kind, text and secret', () => {
    const others = new Pseudonyms('another secret of this kind, long enough');
    const all = [
      names.pseudonymOf('address', 'a'),
      names.pseudonymOf('key', 'a'),
      names.pseudonymOf('target', 'a'),
      names.pseudonymOf('address', 'b'),
      others.pseudonymOf('address', 'a'),
    ];
    assert.equal(new Set(all).size, all.length);
  });
});
