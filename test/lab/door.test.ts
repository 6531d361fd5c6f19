import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NetError } from '../../src/net/net-error.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { ALL_SITES, type Lab, openLab } from './lab.ts';
import { WHOIS_PLANS } from './whois.ts';

const TIMEOUT_MS = 2000;
const MAX_BYTES = 2_000_000;
/** For a machine that does other things as well. */
const GRACE_MS = 20_000;

/** Everything in the lab, asked through the service's own door: it ends in time, fails as announced, and leads nowhere else. */
describe('the lab through the door', () => {
  let lab: Lab;
  let net: NetworkClient;
  before(async () => {
    lab = await openLab();
    net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  });
  after(async () => {
    await net.close();
    await lab.close();
  });

  test('every page of every site', async () => {
    await Promise.all(
      ALL_SITES.map(async ({ host, on = 'both', pages }) => {
        for (const scheme of on === 'both' ? ['http', 'https'] : [on]) {
          for (const path of Object.keys(pages)) await fetched(new URL(`${scheme}://${host}${path.replace('*', '/')}`));
        }
      }),
    );
    assert.ok(lab.requests.count('http') > 100 && lab.requests.count('https') > 100);
    assert.deepEqual(lab.escapes, []);
  });

  test('every WHOIS server', async () => {
    const asking = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    await Promise.all(WHOIS_PLANS.map(({ host }) => bounded(net.sendLine({ host, port: 43 }, 'kept.lab', asking))));
    assert.equal(lab.requests.count('whois'), WHOIS_PLANS.length);
  });

  const refused = ['private', 'loopback', 'loopback6', 'mapped', 'nat64', 'link-local', 'mixed', 'alias-private'];
  for (const name of refused) {
    test(`${name}.lab is refused`, async () => {
      const asking = net.fetch(new URL(`http://${name}.lab/`), { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
      await assert.rejects(asking, { code: 'refused_address' });
      assert.deepEqual([lab.escapes, lab.trap.connections], [[], 0]);
    });
  }

  test('a name that leads to loopback the second time', async () => {
    const url = new URL('http://door.rebind.dns.lab/');
    const asking = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    // Its first address is one of the lab's that nobody has.
    await assert.rejects(net.fetch(url, asking), { code: 'refused' });
    await assert.rejects(net.fetch(url, asking), { code: 'refused_address' });
    assert.deepEqual([lab.escapes, lab.trap.connections], [[], 0]);
  });

  async function fetched(url: URL): Promise<void> {
    const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, truncate: true, anyCertificate: true };
    const found = await bounded(net.fetch(url, options));
    assert.ok((found?.body.length ?? 0) <= MAX_BYTES, url.href);
  }

  /** What came, or null for a failure of the kind that is announced. */
  async function bounded<T>(asking: Promise<T>): Promise<T | null> {
    const asked = performance.now();
    try {
      return await asking;
    } catch (error) {
      assert.ok(error instanceof NetError, String(error));
      return null;
    } finally {
      assert.ok(performance.now() - asked < TIMEOUT_MS + GRACE_MS);
    }
  }
});
