import { setTimeout as pause } from 'node:timers/promises';
import type { Misbehaviour, Ports } from '../misbehaviours.ts';
import { askerAmong, httpApis, others, put } from '../source-table.ts';

/**
 * A process that does nothing but ask sources, so that its memory is what asking costs. Given the ways of misbehaving, with ports: all sources are
 * asked once in each, one after another; the first two load and compile what is needed, each of the others is measured. Sends the
 * resident set when idle before the first that is measured, and at its highest in each, in bytes.
 */
const worlds = JSON.parse(process.argv[2]!) as [Misbehaviour, Ports][];
const unmeasured = worlds.splice(0, 2);

/** How long the process has nothing to do before it counts as idle. */
const IDLE_MS = 200;
const SAMPLE_EVERY_MS = 5;

async function askAll([misbehaviour, ports]: [Misbehaviour, Ports]): Promise<void> {
  const ends: (() => Promise<void> | void)[] = [];
  const asker = await askerAmong({ after: (end) => ends.push(end) }, ports);
  for (const each of [...httpApis, ...others]) {
    await put(asker, each, misbehaviour);
    // What one source left is not counted to the next.
    gc!();
  }
  for (const end of ends) await end();
}

for (const world of unmeasured) await askAll(world);
await pause(IDLE_MS);
const idle = process.memoryUsage.rss();
const peaks: Partial<Record<Misbehaviour, number>> = {};
for (const world of worlds) {
  gc!();
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_EVERY_MS);
  await askAll(world);
  clearInterval(sampling);
  peaks[world[0]] = peak;
}
process.send!({ idle, peaks }, () => process.exit(0));
