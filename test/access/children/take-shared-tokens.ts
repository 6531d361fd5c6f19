import { RedisLink } from '../../../src/access/redis/link.ts';
import { RedisCounters } from '../../../src/access/redis/redis-counters.ts';

/** Takes tokens one at a time, all at once, from counters in Redis; prints how many were granted, and how many problems were met. */
const [url, tries, limit] = process.argv.slice(2) as [string, string, string];
let problems = 0;
const link = new RedisLink({ url, onProblem: () => problems++ });
await link.presence.started(10_000);
const counters = new RedisCounters(link);
const request = { amount: 1, whole: true, limit: Number(limit), windowSeconds: 3600 };
const taken = await Promise.all(Array.from({ length: Number(tries) }, () => counters.take('quota:shared', request)));
link.close();
process.stdout.write(`${taken.reduce((sum, { granted }) => sum + granted, 0)} ${problems}`);
