import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { serve } from '../net/servers.ts';
import { startService } from '../support/service.ts';

test('the first fifty prefixes are shown, or all of them; the counts are always of all', async (t) => {
  const prefixes = [
    ...Array.from({ length: 70 }, (_, at) => ({ prefix: `45.${at}.0.0/16` })),
    ...Array.from({ length: 60 }, (_, at) => ({ prefix: `2a0${(at % 10) + 0}:${at}::/32` })),
    { prefix: '45.0.0.0/16' },
  ];
  const { url } = await serve(t, (request, response) => {
    const data = request.url!.includes('announced-prefixes')
      ? { resource: '64500', prefixes }
      : { resource: '64500', holder: 'EXAMPLE', announced: true };
    response.end(JSON.stringify({ data }));
  });
  const net = openNetworkClient({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
  t.after(() => net.close());
  const service = await startService(t, { net, sources: { ripestat: url }, timeScale: 10 });
  const reply = await service.get('/v1/asn/AS64500');
  assert.equal(reply.status, 200, reply.text);
  const slim = reply.body;
  assert.deepEqual([slim.ipv4_prefixes.length, slim.ipv6_prefixes.length], [50, 50]);
  assert.deepEqual([slim.ipv4_count, slim.ipv6_count], [70, 60]);
  const full = (await service.get('/v1/asn/AS64500?include_full_prefixes=true')).body;
  assert.deepEqual([full.ipv4_prefixes.length, full.ipv6_prefixes.length], [70, 60]);
  assert.deepEqual([full.ipv4_count, full.ipv6_count], [70, 60]);
});
