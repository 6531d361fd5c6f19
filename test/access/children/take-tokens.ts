import { EmbeddedCounters } from '../../../src/access/embedded-counters.ts';

/** Takes one token after another from one window; prints how many it got. */
const [file = '', times = '', limit = ''] = process.argv.slice(2);
const counters = new EmbeddedCounters(file, () => new Date());
let granted = 0;
for (let count = 0; count < Number(times); count++) {
  granted += counters.consume('one', {
    amount: 1,
    limit: Number(limit),
    windowSeconds: 3600,
    allOrNothing: true,
  }).granted;
}
await counters.close();
process.stdout.write(String(granted));
