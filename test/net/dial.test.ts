import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from './servers.ts';
import { netTo } from './site.ts';

const V4 = Array.from({ length: 8 }, (_, index) => `93.184.216.${index + 1}`);
const V6 = Array.from({ length: 8 }, (_, index) => `2606:2800:220:1::${index + 1}`);

/** A name with many dead addresses must not keep anybody for long. */
test('of many addresses three of each kind are tried, IPv4 first', { timeout: 20_000 }, async (t) => {
  const server = await serve(t, (_request, response) => response.end());
  const dead = { address: '127.0.0.1', port: 9 };
  const tried: string[] = [];
  const { net } = await netTo(t, server, {
    names: { 'many.example': [...V4, ...V6] },
    mapEndpoint({ address }) {
      tried.push(address);
      return dead;
    },
  });
  const url = new URL('http://many.example/');
  await assert.rejects(net.fetch(url, { timeoutMs: 10_000, maxBytes: 1000 }), { code: 'refused' });
  assert.equal(tried.length, 6);
  assert.deepEqual(
    tried.map((address) => address.includes(':')),
    [false, false, false, true, true, true],
  );
});
