import { setTimeout as pause } from 'node:timers/promises';
import type { Misbehaviour, Ports } from '../misbehaviours.ts';
import { askerAmong, httpApis, others, put } from '../source-table.ts';

/**
 * A process that does nothing but ask sources, so that its memory is what asking costs. Given the ways of misbehaving, with ports: all sources are
 * asked once in each, one after another; the last is measured, those before load and compile what is needed. Sends the
 * resident set before and at its highest, in bytes.
 */
const worlds = JSON.parse(process.argv[2]!) as [Misbehaviour, Ports][];
const measured = worlds.pop()!;

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

for (const world of worlds) await askAll(world);
await pause(IDLE_MS);
const idle = process.memoryUsage.rss();
let peak = idle;
const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_EVERY_MS);
await askAll(measured);
clearInterval(sampling);
process.send!({ idle, peak }, () => process.exit(0));
