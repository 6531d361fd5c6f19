import { serveMcpOverStdio } from '../../src/cli/mcp.ts';
import { openNetworkClient } from '../../src/net/open-net.ts';
import { openLab } from '../lab/lab.ts';

/** `sextant mcp`, with the lab as its whole world: for clients that start a server of their own. */
const lab = await openLab();
for (const [id, url] of lab.sourceUrls) process.env[`SEXTANT_SOURCE_${id.toUpperCase()}_URL`] = url;
await serveMcpOverStdio('', openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null }));
await lab.close();
