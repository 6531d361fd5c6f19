import { cpSync, rmSync } from 'node:fs';
import { makeChangedFeeds } from '../changed-feeds.ts';
import { type Figure, information } from '../figure.ts';
import { median } from '../statistics.ts';
import type { Usage } from '../usage.ts';

const ROUNDS = 3;
const RECORDS = 500;
const TITLE = `sync that brings ${RECORDS} changed records`;

/** What the sync of every other hour takes: all feeds asked, one file changed, 500 records of it new. Copying the data folder is not part of it. */
export const smallSync: Figure = {
  name: 'small-sync',
  withoutFeeds: [TITLE],
  async run(bench) {
    const full = await bench.full();
    const feeds = await makeChangedFeeds(bench.feeds!, bench.folder('changed-feeds'), RECORDS);
    const settled = bench.folder('settled');
    cpSync(full, settled, { recursive: true });
    // A data folder that was given may have been synced from another copy of the feeds.
    await bench.sync(bench.feeds!, settled);
    const runs: Usage[] = [];
    const unchanged: Usage[] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      bench.say(TITLE);
      const dataDir = bench.folder('synced');
      cpSync(settled, dataDir, { recursive: true });
      unchanged.push(await bench.sync(bench.feeds!, dataDir));
      runs.push(await bench.sync(feeds, dataDir));
      rmSync(dataDir, { recursive: true });
    }
    const of = (usages: readonly Usage[], part: keyof Usage): number => median(usages.map((usage) => usage[part]));
    const show = (usages: readonly Usage[]): string =>
      `${of(usages, 'wallSeconds').toFixed(1)} s, CPU ${of(usages, 'cpuSeconds').toFixed(1)} s, peak ${of(usages, 'peakMib').toFixed(0)} MiB`;
    return [
      information({
        figure: TITLE,
        measured: show(runs),
        reference: `nothing changed: ${show(unchanged)}`,
        result: `${of(runs, 'wallSeconds').toFixed(1)} s`,
      }),
    ];
  },
};
