import { serveMcpOverStdio } from '../../src/cli/serve-mcp-over-stdio.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { openLab } from '../lab/lab.ts';

/** `sextant mcp`, with the lab as its whole world: for clients that start a server of their own. */
const lab = await openLab();
for (const [id, url] of lab.sourceUrls) process.env[`SEXTANT_SOURCE_${id.toUpperCase()}_URL`] = url;
await serveMcpOverStdio(
  { tools: '', mode: '' },
  openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null }),
);
await lab.close();
