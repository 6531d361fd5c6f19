/** A door whose every public address leads to one server on loopback. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { IpEndpoint, NetworkClient, NetworkClientOptions } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import type { SourceContext } from '../../src/sources/source.ts';
import { serveDns, zone } from './dns-server.ts';
import type { TestServer } from './servers.ts';

export const SITE = '93.184.216.34';

/** `site.example` and its subdomains are at `SITE`, which is `server`. `dialled`: where connections went. */
export async function netTo(
  t: TestContext,
  server: Pick<TestServer, 'url'>,
  options: Partial<NetworkClientOptions> & { names?: Readonly<Record<string, readonly string[]>> } = {},
): Promise<{ net: NetworkClient; dialled: IpEndpoint[] }> {
  const { names = {}, ...given } = options;
  const dns = await serveDns(t, zone({ 'site.example': [SITE], 'www.site.example': [SITE], ...names }));
  const dialled: IpEndpoint[] = [];
  const port = Number(new URL(server.url).port);
  const net = openNetworkClient({
    dnsServers: [dns.address],
    allowedPrivate: [],
    proxy: null,
    extraCa: [],
    mapEndpoint: (to) => {
      dialled.push(to);
      return { address: '127.0.0.1', port };
    },
    ...given,
  });
  t.after(() => net.close());
  return { net, dialled };
}

/** What a source that is asked by itself is given: this way out, and no other source. */
export function contextOver(net: NetworkClient): SourceContext {
  return {
    net,
    baseUrl: '',
    trusted: false,
    apiKey: null,
    now: () => new Date(),
    timeoutMs: 30_000,
    maxBytes: 1e6,
    signal: new AbortController().signal,
    countVisit: async () => {},
    ask: () => assert.fail('no other source is asked'),
  };
}
