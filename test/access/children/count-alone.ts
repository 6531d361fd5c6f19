import { WriteBehindCounters } from '../../../src/access/write-behind-counters.ts';
import { EmbeddedCounters } from '../../../src/access/embedded-counters.ts';

/**
 * Takes tokens from one window for as long as it gets any, yielding between them, and prints how many it got. `crash`: takes `times`
 * tokens, prints that and kills itself, as soon as they can have been written if `wait` milliseconds are given.
 */
const [file = '', times = '', limit = '', end = '', waitMs = '0'] = process.argv.slice(2);
const now = () => new Date();
const counters = await WriteBehindCounters.open(file, new EmbeddedCounters(file, now), now);
const request = { amount: 1, limit: Number(limit), windowSeconds: 3600, allOrNothing: true };
let granted = 0;
for (let count = 0; count < Number(times); count++) {
  granted += counters.consume('one', request).granted;
  if (count % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
process.stdout.write(String(granted));
if (end === 'crash') {
  await new Promise((resolve) => setTimeout(resolve, Number(waitMs)));
  process.kill(process.pid, 'SIGKILL');
}
await counters.close();
