import { RedisConnection } from '../../../src/access/redis/redis-connection.ts';
import { RedisOrLocalCounters } from '../../../src/access/redis/redis-counters.ts';

/** Takes tokens one at a time, all at once, from counters in Redis; prints how many were granted, and what problems were met. */
const [url, tries, limit] = process.argv.slice(2) as [string, string, string];
const problems: string[] = [];
const onProblem = ({ message, cause }: Error): void => void problems.push(`${message}: ${String(cause)}`);
// Patient: on a machine however busy, this is about what is counted, not about how long it takes.
const link = new RedisConnection({ url, onProblem, timeoutMs: 20_000 });
await link.health.waitUntilUp(20_000);
const counters = new RedisOrLocalCounters(link);
const request = { amount: 1, allOrNothing: true, limit: Number(limit), windowSeconds: 3600 };
const taken = await Promise.all(
  Array.from({ length: Number(tries) }, async () => counters.consume('quota:shared', request)),
);
link.close();
process.stdout.write(JSON.stringify({ granted: taken.reduce((sum, { granted }) => sum + granted, 0), problems }));
