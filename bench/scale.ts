/**
 * Arithmetic and simulation behind docs/scale.md: `node bench/scale.ts`. The inputs are figures of `npm run bench`; all draws are the same in each run.
 */
import { Dice, percentile } from './statistics.ts';
import { table } from './table.ts';

/** CPU of the service for one request, in microseconds. */
const CPU_MICROS = {
  'look-up, repeated': 22,
  'look-up, each id once': 250,
  'tools/call, repeated': 33,
  search: 1800,
  'domain report, full': 64_000,
};
const REPLICAS = 100;
/** Tokens an hour: of a caller without a key, of one with a Pro key, and of one with a very large limit. */
const LIMITS = [30, 500, 100_000];
/** Of a core: above that, queues grow faster than the load. */
const BUSY = 0.7;

console.log('One core, and a million requests\n');
console.log(
  table(
    { kind: 'kind', cpu: 'CPU each', rate: `requests/s at ${BUSY * 100} %`, cost: 'core hours a million' },
    Object.entries(CPU_MICROS).map(([kind, micros]) => ({
      kind,
      cpu: `${micros.toLocaleString('en')} us`,
      rate: Math.round((BUSY * 1e6) / micros).toLocaleString('en'),
      cost: (micros / 3600).toFixed(2),
    })),
  ),
);

console.log('\nQuota in Redis: operations for each request of one process\n');
console.log(
  table(
    {
      load: 'requests/s',
      callers: 'callers',
      operations: 'operations a request',
      rate: `operations/s, ${REPLICAS} processes`,
    },
    [500, 2000, 8000].flatMap((perSecond) =>
      [1, 10, 1000].map((callers) => {
        const share = simulateJoining({ perSecond, callers, serviceMicros: CPU_MICROS['look-up, repeated'] });
        return {
          load: perSecond.toLocaleString('en'),
          callers: callers.toLocaleString('en'),
          operations: share.toFixed(2),
          rate: Math.round(share * perSecond * REPLICAS).toLocaleString('en'),
        };
      }),
    ),
  ),
);

console.log(
  '\nIf each process took tokens of a caller in batches: what a caller gets of its limit before it is first refused\n',
);
console.log(
  table(
    { limit: 'limit', batch: 'batch', operations: 'operations a request', granted: 'of the limit granted' },
    LIMITS.flatMap((limit) =>
      [1, 4, 16, 64].map((batch) => {
        const { operations, granted } = simulateBatches(limit, batch);
        return {
          limit: limit.toLocaleString('en'),
          batch: `${batch}`,
          operations: operations.toFixed(2),
          granted: `${(granted * 100).toFixed(0)} %`,
        };
      }),
    ),
  ),
);

console.log(`\n${REPLICAS} replicas restarted at once: minutes until the last one has synced\n`);
console.log(
  table(
    { work: 'a sync takes', locked: 'one after the other', free: '8 at a time' },
    [7, 15, 42].map((seconds) => ({
      work: `${seconds} s`,
      locked: `median ${waitForSync(seconds, 1, 0.5)}, last ${waitForSync(seconds, 1, 1)}`,
      free: `median ${waitForSync(seconds, 8, 0.5)}, last ${waitForSync(seconds, 8, 1)}`,
    })),
  ),
);

const FOLLOWERS = 1_000_000;
const CHECK_SECONDS = 3600;
/** As `CATALOG_UPDATE` has it. */
const CHECK_JITTER = 0.25;

console.log('\nA million followers of a published catalog: checks in the busiest second of each hour\n');
console.log(
  table(
    { hour: 'hour', together: 'all started in one minute', spread: 'started over a day' },
    checksByHour(60).map((together, hour) => ({
      hour: String(hour + 1),
      together: together.toLocaleString('en'),
      spread: Math.ceil(FOLLOWERS / CHECK_SECONDS).toLocaleString('en'),
    })),
  ),
);

/** Checks in the busiest second of each of eight hours, where all followers start within so many seconds. */
function checksByHour(startSeconds: number): number[] {
  const dice = new Dice(7);
  const hours = 8;
  const checks = new Uint32Array(hours * CHECK_SECONDS);
  // A tenth of them is enough to know the rate.
  for (let follower = 0; follower < FOLLOWERS / 10; follower++) {
    let at = dice.next() * startSeconds;
    while (at < checks.length) {
      checks[Math.floor(at)]!++;
      at += CHECK_SECONDS * (1 + CHECK_JITTER * (2 * dice.next() - 1));
    }
  }
  return Array.from({ length: hours }, (_, hour) => {
    const of = checks.subarray(hour * CHECK_SECONDS, (hour + 1) * CHECK_SECONDS);
    return 10 * of.reduce((most, count) => Math.max(most, count), 0);
  });
}

/**
 * Redis operations for each request, where requests of one caller that arrive in one turn of the event loop are counted together
 * (src/access/redis/joined-consumption.ts). Requests arrive at random (Poisson); a turn takes all that have arrived since the last one
 * began, and lasts as long as their work.
 */
function simulateJoining(given: { perSecond: number; callers: number; serviceMicros: number }): number {
  const REQUESTS = 200_000;
  const dice = new Dice(14);
  let [arrival, now, requests, operations] = [0, 0, 0, 0];
  const next = (): number => (-Math.log(1 - dice.next()) / given.perSecond) * 1e6;
  arrival += next();
  while (requests < REQUESTS) {
    now = Math.max(now, arrival);
    const callersOfTurn = new Set<number>();
    let inTurn = 0;
    for (; arrival <= now; arrival += next()) {
      callersOfTurn.add(dice.between(1, given.callers));
      inTurn++;
    }
    requests += inTurn;
    operations += callersOfTurn.size;
    now += inTurn * given.serviceMicros;
  }
  return operations / requests;
}

/**
 * One caller whose requests a proxy spreads at random over all replicas, each of which takes `batch` tokens of the shared window at a
 * time. The caller is first refused where a replica has none left and the window is empty; what others hold then is lost to it.
 */
function simulateBatches(limit: number, batch: number): { operations: number; granted: number } {
  const dice = new Dice(100);
  const held = Array.from({ length: REPLICAS }, () => 0);
  let [left, operations, granted] = [limit, 0, 0];
  for (;;) {
    const replica = dice.between(0, REPLICAS - 1);
    if (held[replica] === 0) {
      operations++;
      held[replica] = Math.min(batch, left);
      left -= held[replica]!;
    }
    if (held[replica] === 0) return { operations: operations / granted, granted: granted / limit };
    held[replica]!--;
    granted++;
  }
}

/** Minutes until `share` of the replicas have synced, `atOnce` of them at a time; each looks for its turn twice a second. */
function waitForSync(seconds: number, atOnce: number, share: number): string {
  const dice = new Dice(31);
  const free = Array.from({ length: atOnce }, () => 0);
  const ends = Array.from({ length: REPLICAS }, () => {
    const at = free.indexOf(Math.min(...free));
    free[at]! += dice.next() * 0.5 + seconds;
    return free[at]! / 60;
  });
  return percentile(ends, share).toFixed(1);
}
