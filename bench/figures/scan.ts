import { openNetworkClient } from '../../src/net/open-network-client.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import type { Context } from '../../src/engine/context.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { fetchSite } from '../../src/operations/web/lib/fetch-site.ts';
import { lookUpScanDnsFacts } from '../../src/operations/web/lib/scan-dns-facts.ts';
import { runScan, SCAN_QUESTION } from '../../src/operations/web/lib/run-scan.ts';
import { SourceClient } from '../../src/sources/source-client.ts';
import { dnssec } from '../../src/sources/dnssec.ts';
import { tls } from '../../src/sources/tls/tls.ts';
import { stop } from '../child.ts';
import { atMost, type Figure, judged } from '../figure.ts';
import { Load } from '../load.ts';
import { netOptionsOf } from '../../test/lab/lab-plan.ts';
import { type BenchLab, serveInLab, startLab } from '../lab.ts';
import { median, percentile } from '../statistics.ts';
import type { Workbench } from '../workbench.ts';
import { timed } from './report.ts';

const UPSTREAM_MS = 50;
const OVER_SLOWEST = atMost(100, null, ' ms more');
const MEANWHILE = atMost(2, 1.5);
const CONCURRENT = 100;
const CROWD_SECONDS = 4;
const LOOK_UP = '/v1/cve/CVE-2021-44228';
const DOMAINS = [
  'kept.lab',
  'poor.lab',
  'wordpress.lab',
  'next.lab',
  'cors.lab',
  'trace.lab',
  'cdn.lab',
  'example.com',
];

type Look = (context: Context, domain: string) => Promise<unknown>;

/** The parts of a full scan, each measured separately. */
const ALONE: Readonly<Record<string, Look>> = {
  'page and probes': (context, domain) => fetchSite(context, domain, SCAN_QUESTION),
  tls: (context, domain) => context.ask(tls, { host: domain, port: 443, detail: 'suites' }),
  dnssec: (context, domain) => context.ask(dnssec, { name: domain }),
  dns: lookUpScanDnsFacts,
};

/** Full scans over the lab, whose servers all take 50 ms to answer. */
export const scan: Figure = {
  name: 'scan',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('full scans over the lab');
    const lab = await startLab(UPSTREAM_MS);
    const net = openNetworkClient(netOptionsOf(lab.plan));
    // The lab makes its certificates when they are first asked for.
    await medianOf(net, runScan);
    await crowded(bench, dataDir, lab);
    const alone: [string, number][] = [];
    for (const [name, look] of Object.entries(ALONE)) alone.push([name, await medianOf(net, look)]);
    const full = await medianOf(net, runScan);
    await net.close();
    const [slowest, slowestMs] = alone.toSorted(([, one], [, other]) => other - one)[0]!;
    const crowd = await crowded(bench, dataDir, lab);
    await stop(lab.child);
    const ms = (value: number): string => `${Math.round(value)} ms`;
    return [
      judged(
        {
          figure: 'full scan of a site, each site once',
          measured: `median ${ms(full)}`,
          reference: `slowest module alone: ${slowest} ${ms(slowestMs)}`,
          result: `${full < slowestMs ? '' : '+'}${ms(full - slowestMs)}`,
        },
        OVER_SLOWEST,
        full - slowestMs,
      ),
      judged(
        {
          figure: `p99 of look-ups during ${CONCURRENT} full scans at once`,
          measured: `${crowd.during.toFixed(1)} ms, scans median ${ms(median(crowd.times))}`,
          reference: `before ${crowd.before.toFixed(1)} ms`,
          result: (crowd.during / crowd.before).toFixed(1),
        },
        MEANWHILE,
        crowd.during / crowd.before,
      ),
    ];
  },
};

/** Milliseconds of one look at each site, nothing being remembered of it. */
async function medianOf(net: NetworkClient, look: Look): Promise<number> {
  const times: number[] = [];
  for (const domain of DOMAINS) {
    const context = contextOver(net);
    const started = performance.now();
    await look(context, domain);
    times.push(performance.now() - started);
  }
  return median(times);
}

/** As much of a context as looks at sites ask for. */
function contextOver(net: NetworkClient): Context {
  const now = new Date();
  const asker = new SourceClient(net, { baseUrlOf: () => null, keyOf: () => null }, () => now);
  const { signal } = new AbortController();
  const ask: Context['ask'] = (source, question) => asker.ask(source, question, signal);
  const asked: Pick<Context, 'ask' | 'askUnrecorded' | 'now' | 'evidence' | 'signal'> = {
    ask,
    askUnrecorded: ask,
    now,
    evidence: new Evidence({}, now),
    signal,
  };
  return asked as Context;
}

async function crowded(bench: Workbench, dataDir: string, lab: BenchLab) {
  // Those that never end would only be waited for; beside the sites of the lab there are names below a public suffix.
  const sites = lab.plan.hosts.filter((host) => host.endsWith('.lab') && !/slow|endless|whois/.test(host));
  const domains = Array.from({ length: CONCURRENT }, (_, at) => sites[at] ?? `n${at}.github.io`);
  const load = new Load();
  const service = await serveInLab(bench, dataDir, lab);
  const { port } = service;
  const lookUps = { port, questions: [LOOK_UP], connections: 4, seconds: CROWD_SECONDS, pauseMs: 10 };
  await timed(service, '/v1/scan/kept.lab');
  const before = (await load.run(lookUps)).latencies;
  const during = load.run(lookUps);
  const scans = await Promise.all(domains.map((domain) => timed(service, `/v1/scan/${domain}`)));
  const p99 = async (latencies: Promise<number[]> | number[]) => percentile(await latencies, 0.99);
  const result = {
    before: await p99(before),
    during: await p99(during.then(({ latencies }) => latencies)),
    times: scans,
  };
  for (const { child } of [service, load]) await stop(child);
  return result;
}
