import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sextant, temporaryFolder } from '../cli/command-line.ts';
import { startServe } from '../support/serve-process.ts';

/** The probe of the promise that no address, no query, no target is written down: a run, and then a look at every byte. */

const ADDRESSES = ['203.0.113.77', '198.51.100.213', '2001:db8:77:99:a:b:c:d'];
/** The same addresses as somebody might have written them. */
const FORMS = [
  ...ADDRESSES,
  '::ffff:203.0.113.77',
  'cb00:714d',
  'cb00714d',
  '2001:db8:77:99::/64',
  '2001:db8:77:99',
  '2001:0db8:0077:0099',
  '20010db800770099',
  ...ADDRESSES.map((address) => createHash('sha256').update(address).digest('hex')),
  ...ADDRESSES.map((address) => Buffer.from(address).toString('base64').replaceAll('=', '')),
];
/** Asked about; the starter catalog has none of them. */
const ASKED = ['CVE-2099-7777123', 'CVE-2099-7777124', 'zyxelquux', 'wvutproduct'];
const SAID = ['probe-agent/7.7', 'https://referrer.example/page', 'cookie-of-mine'];

test('no address, no query, no target and no key is in the data folder or the log after a run', async (t) => {
  const dataDir = join(temporaryFolder(), 'data');
  const settings = {
    SEXTANT_DATA_DIR: dataDir,
    SEXTANT_TRUSTED_PROXIES: '127.0.0.1',
    SEXTANT_LOG_LEVEL: 'trace',
    SEXTANT_QUOTA_KEYLESS: '20',
  };
  const service = await startServe(settings);
  t.after(() => service.stop('SIGKILL'));
  const { key } = JSON.parse((await sextant(['keys', 'issue', '--order', 'o-1', '--json'], settings)).stdout);
  const wrongKey = `sxt_${'7'.repeat(48)}`;
  const statuses = new Set<number>();
  for (const address of ADDRESSES) {
    const said = { 'x-forwarded-for': address, 'user-agent': SAID[0]!, referer: SAID[1]!, cookie: SAID[2]! };
    for (const headers of [said, { ...said, authorization: `Bearer ${key}` }, { ...said, 'x-api-key': wrongKey }]) {
      const ask = async (path: string, body?: string): Promise<void> => {
        const sent = body === undefined ? {} : { method: 'POST', body };
        const type = { 'content-type': 'application/json' };
        const { status } = await fetch(new URL(path, service.base), { ...sent, headers: { ...headers, ...type } });
        statuses.add(status);
      };
      for (let count = 0; count < 8; count++) await ask(`/v1/cve/${ASKED[0]}`);
      await ask(`/v1/cves?product=${ASKED[2]}&vendor=${ASKED[3]}`);
      await ask(`/v1/cves?product=${ASKED[2]}&unknown=${ASKED[3]}`);
      await ask(`/v1/cve/${ASKED[2]}`);
      await ask(`/v1/${ASKED[2]}`);
      const body = JSON.stringify({ cve_ids: ASKED.slice(0, 2) });
      for (let count = 0; count < 8; count++) {
        await ask('/v1/cves/bulk', body);
      }
      await ask('/v1/privacy/my-data');
    }
  }
  // A batch of usage is written within a second; some more goes on while the files are searched.
  await setTimeout(1200);
  for (const status of [200, 400, 401, 404, 422, 429]) assert.ok(statuses.has(status), `the run met no ${status}`);
  searchAll();
  await service.stop();
  searchAll();

  function searchAll(): void {
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map(({ name }) => name);
    for (const name of ['accounts.db', 'counters.db', 'secret'])
      assert.ok(names.includes(name), `${name} is not there`);
    const found: string[] = [];
    const places = files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))] as const);
    for (const [name, bytes] of [...places, ['the log', Buffer.from(service.log())] as const]) {
      const text = bytes.toString('latin1').toLowerCase();
      for (const secret of [...FORMS, ...ASKED, ...SAID, key, wrongKey]) {
        if (text.includes(secret.toLowerCase())) found.push(`${secret} in ${name}`);
      }
    }
    assert.deepEqual(found, []);
    const usage = places
      .filter(([name]) => name.startsWith('accounts.db'))
      .map(([, bytes]) => bytes.toString('latin1'))
      .join('');
    assert.ok(usage.includes('GET /v1/cve/{cve_id}'), 'the usage itself was written');
  }
});
