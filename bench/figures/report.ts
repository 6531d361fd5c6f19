import { readFileSync } from 'node:fs';
import { cpuSeconds, stop } from '../child.ts';
import { atMost, type Figure, information, judged } from '../figure.ts';
import { type BenchLab, serveInLab, setMode, startLab } from '../lab.ts';
import { median, percentile } from '../statistics.ts';
import type { Service, Workbench } from '../workbench.ts';

const UPSTREAM_MS = 50;
const LITE_MS = 250;
const OVER_SLOWEST_MS = 100;
const DEADLINE_MS = 12_000;
/** What a deadline may be passed by: writing the answer, on a busy machine. */
const GRACE_MS = 1000;
const CONCURRENT = 200;
const OVER_SLOWEST = atMost(OVER_SLOWEST_MS, null, ' ms more');
const CROWD = atMost(DEADLINE_MS + GRACE_MS, 8000, ' ms');
const MEANWHILE = atMost(2, 1.5);
/** One of some ten that a full report asks. */
const HANGING = 'crtsh';
const OTHER = '/v1/cve/CVE-2021-44228';
const OTHER_DURING = 200;
/** Each is asked once only: nothing is remembered of it. */
const DOMAINS = ['kept.lab', 'poor.lab', 'wordpress.lab', 'next.lab', 'cors.lab', 'trace.lab', 'bare.lab', 'cdn.lab'];
const PARTS = ['dns', 'whois', 'ssl', 'certs', 'threat', 'email/security-posture', 'seo'];

/** Domain reports over the lab, whose servers all take 50 ms to answer. */
export const report: Figure = {
  name: 'report',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('domain reports over the lab');
    const lab = await startLab(UPSTREAM_MS);
    const { ms: lite, cpuMs: liteCpu } = await fresh(bench, dataDir, lab, (domain) => `/v1/domain/${domain}?lite=true`);
    const { ms: full, cpuMs: fullCpu } = await fresh(bench, dataDir, lab, (domain) => `/v1/domain/${domain}`);
    const alone: [string, number][] = [];
    for (const part of PARTS) {
      alone.push([part, (await fresh(bench, dataDir, lab, (domain) => `/v1/${part}/${domain}`)).ms]);
    }
    const [slowest, slowestMs] = alone.toSorted(([, one], [, other]) => other - one)[0]!;
    const crowd = await crowded(bench, dataDir, lab);
    await stop(lab.child);
    const ms = (value: number): string => `${Math.round(value)} ms`;
    return [
      judged(
        {
          figure: 'domain report, lite, each domain once',
          measured: `median ${ms(lite)}, CPU ${ms(liteCpu)}`,
          reference: `upstreams take ${UPSTREAM_MS} ms`,
          result: ms(lite),
        },
        atMost(LITE_MS, null, ' ms'),
        lite,
      ),
      judged(
        {
          figure: 'domain report, full, each domain once',
          measured: `median ${ms(full)}, CPU ${ms(fullCpu)}`,
          reference: `slowest part alone: ${slowest} ${ms(slowestMs)}`,
          result: `+${ms(full - slowestMs)}`,
        },
        OVER_SLOWEST,
        full - slowestMs,
      ),
      judged(
        {
          figure: `${CONCURRENT} full reports at once, ${HANGING} hanging: the slowest`,
          measured: `${crowd.answered} answered, median ${ms(median(crowd.times))}`,
          reference: `deadline ${ms(DEADLINE_MS)}`,
          result: ms(Math.max(...crowd.times)),
        },
        CROWD,
        Math.max(...crowd.times),
      ),
      judged(
        {
          figure: 'the same: p99 of look-ups meanwhile',
          measured: ms(crowd.during),
          reference: `before ${crowd.before.toFixed(1)} ms`,
          result: (crowd.during / crowd.before).toFixed(1),
        },
        MEANWHILE,
        crowd.during / crowd.before,
      ),
      information({
        figure: 'the same: memory after a second round against the first',
        measured: `${crowd.memory[1]} MiB`,
        reference: `${crowd.memory[0]} MiB`,
        result: (crowd.memory[1] / crowd.memory[0]).toFixed(2),
      }),
    ];
  },
};

interface Fresh {
  /** The median. */
  ms: number;
  /** CPU time of the service and its child processes for each question. */
  cpuMs: number;
}

/** One question about each domain, to a service that knows nothing of them yet; the first one warms it up. */
async function fresh(
  bench: Workbench,
  dataDir: string,
  lab: BenchLab,
  pathOf: (domain: string) => string,
): Promise<Fresh> {
  const service = await serveInLab(bench, dataDir, lab);
  for (const domain of ['forbidden.lab', 'failing.lab']) await timed(service, pathOf(domain));
  const before = cpuSeconds(service.child) ?? Number.NaN;
  const times: number[] = [];
  for (const domain of DOMAINS) times.push(await timed(service, pathOf(domain)));
  const cpu = (cpuSeconds(service.child) ?? Number.NaN) - before;
  await stop(service.child);
  return { ms: median(times), cpuMs: (cpu / DOMAINS.length) * 1000 };
}

export async function timed({ port }: Service, path: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${path} is answered with ${response.status}`);
  return performance.now() - started;
}

async function crowded(bench: Workbench, dataDir: string, lab: BenchLab) {
  const service = await serveInLab(bench, dataDir, lab);
  await setMode(lab, HANGING, 'hang');
  const before = percentile(await others(service), 0.99);
  // As many names as the lab has, and further ones below a public suffix: each is a target of its own.
  const names = Array.from({ length: CONCURRENT }, (_, at) => lab.plan.hosts[at] ?? `n${at}.github.io`);
  const rounds: { times: number[]; during: number; memory: number }[] = [];
  for (const _ of [1, 2]) {
    const all = Promise.allSettled(names.map((domain) => timed(service, `/v1/domain/${domain}`)));
    const during = percentile(await others(service), 0.99);
    const times = (await all).flatMap((report) => (report.status === 'fulfilled' ? [report.value] : []));
    rounds.push({ times, during, memory: residentMib(service) });
  }
  await setMode(lab, HANGING, 'ok');
  await stop(service.child);
  const [first, second] = rounds as [(typeof rounds)[0], (typeof rounds)[0]];
  return {
    before,
    during: first.during,
    times: first.times,
    answered: first.times.length,
    memory: [first.memory, second.memory] as const,
  };
}

async function others(service: Service): Promise<number[]> {
  const times: number[] = [];
  for (let asked = 0; asked < OTHER_DURING; asked++) times.push(await timed(service, OTHER));
  return times;
}

/** Of the service and its processes. */
function residentMib({ child }: Service): number {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
  const kib = [String(child.pid), ...children.filter(Boolean)].map(
    (pid) => /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN,
  );
  return Math.round(kib.reduce<number>((sum, each) => sum + Number(each), 0) / 1024);
}
