import { cpuSeconds, stop } from '../child.ts';
import { atMost, type Figure, judged, type Row, skipped } from '../figure.ts';
import { KeepAliveClient } from '../http-client.ts';
import { drawQueries } from '../search-queries.ts';
import { median, percentile } from '../statistics.ts';
import { countCves, drawCveIds } from '../workbench.ts';

const QUERIES = 200;
const ROUNDS = 9;
const DRAWN_FROM = 400;
const AIM = atMost(10, 5, ' ms');
const TARGET_RATIO = 1.5;
const TENTH = 'search p99, full against a tenth of the catalog';

/** Searches over HTTP, one at a time: time to answer at full size and at a tenth, each query on both in turn. */
export const search: Figure = {
  name: 'search',
  async run(bench) {
    const sizes = [await bench.full(), ...(bench.feeds === null ? [] : [await bench.tenth()])];
    bench.say('searches');
    const services = await Promise.all(sizes.map((dataDir) => bench.serve(dataDir)));
    const queries = await drawQueries(services[0]!.port, drawCveIds(sizes[0]!, DRAWN_FROM), QUERIES);
    const clients = services.map(({ port }) => new KeepAliveClient(port));
    await ask(clients, queries);
    const cpuBefore = cpuSeconds(services[0]!.child) ?? Number.NaN;
    const rounds: number[][][] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) rounds.push(await ask(clients, queries));
    const cpu = cpuSeconds(services[0]!.child) ?? Number.NaN;
    for (const client of clients) client.close();
    for (const { child } of services) await stop(child);

    const cpuMillis = ((cpu - cpuBefore) / (rounds.length * queries.length)) * 1000;
    const counts = sizes.map((dataDir) => `${countCves(dataDir).toLocaleString('en')} CVEs`);
    const [full, tenth] = sizes.map((_, size) => joinSummary(rounds.map((round) => round[size]!)));
    const ratio = full!.p99 / (tenth?.p99 ?? Number.NaN);
    const show = ({ p50, p99 }: Times): string => `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
    return [
      judged(
        {
          figure: `search p99, ${queries.length} queries over every filter and sort`,
          measured: `${show(full!)}, CPU ${cpuMillis.toFixed(1)} ms each (${counts[0]})`,
          reference: `of all answers, noise included: p99 ${full!.allP99.toFixed(1)} ms`,
          result: `${full!.p99.toFixed(1)} ms`,
        },
        AIM,
        full!.p99,
      ),
      tenth === undefined
        ? skipped(TENTH)
        : (judged(
            {
              figure: TENTH,
              measured: show(full!),
              reference: `${show(tenth)} (${counts[1]})`,
              result: ratio.toFixed(2),
            },
            atMost(TARGET_RATIO),
            ratio,
          ) satisfies Row),
    ];
  },
};

interface Times {
  p50: number;
  p99: number;
  /** Of every single answer. */
  allP99: number;
}

/** A query's time is the median of its rounds: its own time, without other load of the machine. */
function joinSummary(rounds: readonly number[][]): Times {
  const typical = rounds[0]!.map((_, query) => median(rounds.map((round) => round[query]!)));
  return { p50: percentile(typical, 0.5), p99: percentile(typical, 0.99), allP99: percentile(rounds.flat(), 0.99) };
}

/** Milliseconds of every query, one list for each client. Throws when one is refused: it would measure nothing. */
async function ask(clients: readonly KeepAliveClient[], queries: readonly string[]): Promise<number[][]> {
  const times: number[][] = clients.map(() => []);
  for (const query of queries) {
    for (const [at, client] of clients.entries()) {
      const started = performance.now();
      const { status, body } = await client.ask(query);
      times[at]!.push(performance.now() - started);
      if (status !== 200) throw new Error(`${query} is answered with ${status}: ${body.toString()}`);
    }
  }
  return times;
}
