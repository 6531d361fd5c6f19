import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sextant, temporaryFolder } from './command-line.ts';

const settings = { SEXTANT_DATA_DIR: temporaryFolder() };
const keys = (...words: string[]) => sextant(['keys', ...words], settings);
const json = async (...words: string[]) => JSON.parse((await keys(...words, '--json')).stdout);
const DAY_MS = 86_400_000;

describe('sextant keys', () => {
  it('issues a key that is shown once, for the days asked for', async () => {
    const { status, stdout, stderr } = await keys('issue', '--order', 'order-7', '--days', '3');
    assert.deepEqual([status, stderr], [0, '']);
    const [key = ''] = stdout.split('\n');
    assert.match(key, /^sxt_[0-9a-f]{48}$/);
    const listed = await keys('list');
    assert.match(listed.stdout, /order-7/);
    assert.ok(!listed.stdout.includes(key));
    const [record] = (await json('list')).keys;
    assert.equal(Date.parse(record.expires_at) - Date.parse(record.created_at), 3 * DAY_MS);
    assert.deepEqual([record.order_id, record.state, record.last_used_at], ['order-7', 'active', null]);
    assert.ok(!JSON.stringify(record).includes(key));
  });

  it('issues for 30 days by default', async () => {
    const { created_at, expires_at } = await json('issue', '--order', 'x');
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * DAY_MS);
  });

  it('renews a key from its expiry on', async () => {
    const { id, expires_at } = await json('issue', '--order', 'x', '--days', '10');
    const renewed = await json('renew', id, '--days', '5');
    assert.equal(Date.parse(renewed.expires_at) - Date.parse(expires_at), 5 * DAY_MS);
  });

  it('revokes a key for good', async () => {
    const { id } = await json('issue', '--order', 'x');
    assert.equal((await keys('revoke', id)).status, 0);
    const record = (await json('list')).keys.find((one: { id: string }) => one.id === id);
    assert.equal(record.state, 'revoked');
    for (const words of [
      ['revoke', id],
      ['renew', id],
      ['renew', 'nobody'],
      ['revoke', 'nobody'],
    ]) {
      const { status, stderr } = await keys(...words);
      assert.equal(status, 3);
      assert.match(stderr, /no key/);
    }
  });

  for (const words of [
    ['issue'],
    ['issue', '--order', ''],
    ['issue', '--order', 'a\nb'],
    ['issue', '--order', 'x'.repeat(129)],
    ['issue', '--order', 'x', '--days', '0'],
    ['issue', '--order', 'x', '--days', '3651'],
    ['issue', '--order', 'x', '--days', '1.5'],
    ['renew'],
    ['revoke'],
    ['steal'],
  ]) {
    it(`${words.map((word) => JSON.stringify(word.slice(0, 12))).join(' ')} is wrong usage`, async () => {
      assert.equal((await keys(...words)).status, 2);
    });
  }
});
