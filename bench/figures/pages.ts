import { Agent, get } from 'node:http';
import { cpuSeconds, stop } from '../child.ts';
import { atMost, type Figure, judged, type Row } from '../figure.ts';
import { drawQueries } from '../search-queries.ts';
import { percentile } from '../statistics.ts';
import { drawCveIds } from '../workbench.ts';

const CVES = 400;
const SEARCHES = 200;
/** Of each kind before the clock runs: the first pages compile what all of them run. */
const WARM_UP = 50;
const NAMES = 10;
const AIM = atMost(20, 10, ' ms');
/** Products with a version, and with another one after it: some that many CVEs name, and the largest. */
const VERSIONS: readonly (readonly [product: string, first: string, other: string])[] = [
  ['apache/log4j', '2.14.1', '2.17.0'],
  ['openssl/openssl', '1.0.1f', '3.0.6'],
  ['apache/http_server', '2.4.49', '2.4.57'],
  ['microsoft/windows_10_22h2', '10.0.19045.3000', '10.0.19045.4000'],
  ['microsoft/windows_server_2019', '10.0.17763.1', '10.0.17763.5000'],
  ['google/chrome', '100.0.4896.60', '126.0.6478.55'],
  ['google/android', '13.0', '12.0'],
  ['linux/linux_kernel', '5.10.3', '6.6.30'],
];
/** Pages without a question of their own. */
const OTHERS = ['/', '/kev', '/status', '/docs', '/attack', '/check'];

/** Pages from the catalog over HTTP, one at a time, each once: the time to the first byte. Parts that are asked live come after it. */
export const pages: Figure = {
  name: 'pages',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('pages');
    const { port, child } = await bench.serve(dataDir);
    const ids = drawCveIds(dataDir, CVES * 2);
    const searches = await drawQueries(port, ids.slice(CVES), SEARCHES + WARM_UP);
    const { vendors, products } = await busiestNames(port);
    const cvePages = ids.map((id) => `/cve/${id}`);
    const searchPages = searches.map((query) => query.replace('/v1/cves', '/search').replace(/&?include=full/, ''));
    const kinds: Record<string, string[]> = {
      CVE: cvePages.slice(0, CVES),
      search: searchPages.slice(0, SEARCHES),
      vendor: vendors.slice(0, NAMES),
      product: products.slice(0, NAMES),
      'product with a version': VERSIONS.map(([product, first]) => `/product/${product}?version=${first}`),
      'another version of it': VERSIONS.map(([product, , other]) => `/product/${product}?version=${other}`),
      other: OTHERS.flatMap((path) => Array.from({ length: 10 }, () => path)),
    };
    const agent = new Agent({ keepAlive: true });
    const ask = (paths: readonly string[]) => askPages(port, agent, paths);
    await ask([...OTHERS, ...cvePages.slice(CVES, CVES + WARM_UP), ...searchPages.slice(SEARCHES)]);
    await ask([...vendors.slice(NAMES), ...products.slice(NAMES)]);
    const before = cpuSeconds(child) ?? Number.NaN;
    const rows: Row[] = [];
    let count = 0;
    const all: number[] = [];
    const texts: string[] = [];
    for (const [kind, paths] of Object.entries(kinds)) {
      const { times, largest } = await ask(paths);
      count += paths.length;
      all.push(...times);
      texts.push(
        `${kind} p50 ${percentile(times, 0.5).toFixed(1)}, p99 ${percentile(times, 0.99).toFixed(1)} ms, largest ${Math.round(largest / 1024)} KB`,
      );
    }
    const cpuMillis = (((cpuSeconds(child) ?? Number.NaN) - before) / count) * 1000;
    agent.destroy();
    await stop(child);
    const p99 = percentile(all, 0.99);
    rows.push(
      judged(
        {
          figure: `pages from the catalog, p99 to the first byte of ${count}`,
          measured: texts.join('; '),
          reference: `CPU ${cpuMillis.toFixed(1)} ms each`,
          result: `${p99.toFixed(1)} ms`,
        },
        AIM,
        p99,
      ),
    );
    return rows;
  },
};

/** Pages of the vendors and products with most CVEs, which cost most. */
async function busiestNames(port: number): Promise<Record<'vendors' | 'products', string[]>> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/cves/facets`);
  const { facets } = (await response.json()) as {
    facets: { vendor: { value: string }[]; product: { vendor: string; product: string }[] };
  };
  return {
    vendors: facets.vendor.map(({ value }) => `/vendor/${encodeURIComponent(value)}`),
    products: facets.product.map(
      ({ vendor, product }) => `/product/${encodeURIComponent(vendor)}/${encodeURIComponent(product)}`,
    ),
  };
}

/** Milliseconds to the first byte of every page, and the bytes of the largest. Throws when one is refused. */
async function askPages(
  port: number,
  agent: Agent,
  paths: readonly string[],
): Promise<{ times: number[]; largest: number }> {
  const times: number[] = [];
  let largest = 0;
  for (const path of paths) {
    const { firstByteMs, bytes } = await askPage(port, agent, path);
    times.push(firstByteMs);
    largest = Math.max(largest, bytes);
  }
  return { times, largest };
}

function askPage(port: number, agent: Agent, path: string): Promise<{ firstByteMs: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const request = get({ host: '127.0.0.1', port, path, agent, headers: { accept: 'text/html' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} is answered with ${response.statusCode}`));
      let firstByteMs: number | null = null;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        firstByteMs ??= performance.now() - started;
        bytes += chunk.byteLength;
      });
      response.on('end', () => resolve({ firstByteMs: firstByteMs ?? Number.NaN, bytes }));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
