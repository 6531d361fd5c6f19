import { Agent, get } from 'node:http';
import { cpuSeconds, stop } from '../child.ts';
import { atMost, type Figure, judged, type Row } from '../figure.ts';
import { drawQueries } from '../search-queries.ts';
import { percentile } from '../statistics.ts';
import { drawCveIds } from '../workbench.ts';

const CVES = 400;
const SEARCHES = 200;
const AIM = atMost(20, 10, ' ms');
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
    const searches = await drawQueries(port, ids.slice(CVES), SEARCHES);
    const kinds: Record<string, string[]> = {
      CVE: ids.slice(0, CVES).map((id) => `/cve/${id}`),
      search: searches.map((query) => query.replace('/v1/cves', '/search').replace(/&?include=full/, '')),
      other: OTHERS.flatMap((path) => Array.from({ length: 10 }, () => path)),
    };
    const agent = new Agent({ keepAlive: true });
    const ask = (paths: readonly string[]) => askPages(port, agent, paths);
    // The first pages compile what all of them run.
    await ask([...OTHERS, ...ids.slice(CVES, CVES + 50).map((id) => `/cve/${id}`)]);
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
