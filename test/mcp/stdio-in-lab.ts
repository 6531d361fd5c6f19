import { serveMcp } from '../../src/cli/mcp.ts';
import { openNet } from '../../src/net/open-net.ts';
import { openLab } from '../lab/lab.ts';

/** `sextant mcp`, with the lab as its whole world: for clients that start a server of their own. */
const lab = await openLab();
for (const [id, url] of lab.sourceUrls) process.env[`SEXTANT_SOURCE_${id.toUpperCase()}_URL`] = url;
await serveMcp('', openNet({ ...lab.netOptions, allowedPrivate: [], proxy: null }));
await lab.close();
