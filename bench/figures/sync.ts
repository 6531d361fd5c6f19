import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFile } from '../child.ts';
import { feedFiles } from '../feed-files.ts';
import { atMost, type Figure, information, judged, worse } from '../figure.ts';
import { median } from '../statistics.ts';
import { measureRun, type Usage } from '../usage.ts';

const ROUNDS = 3;
/** Of wall-clock time and CPU time: a reference that waited for a core makes the time look good. */
const TIME = atMost(2.5, 1.5);
const PEAK = atMost(450, 400, ' MiB');

/** All feeds into an empty data folder, against gunzip and JSON.parse alone of the same files. */
export const sync: Figure = {
  name: 'sync',
  withoutFeeds: ['sync of all feeds: time', 'sync of all feeds: CPU', 'sync of all feeds: peak memory'],
  async run(bench) {
    const feeds = bench.feeds!;
    const list = join(bench.folder('list'), 'files.json');
    writeFileSync(list, JSON.stringify(await feedFiles(feeds)));
    const pairs: [own: Usage, reference: Usage][] = [];
    for (let round = bench.rounds(ROUNDS); round > 0; round--) {
      bench.say('syncing all feeds, then gunzip and JSON.parse alone');
      const dataDir = bench.folder('synced');
      const own = await bench.sync(feeds, dataDir);
      const usageFile = join(bench.folder('usage'), 'usage.json');
      pairs.push([own, await measureRun([projectFile('children/parse-alone.ts'), list], process.env, usageFile)]);
      if (round === 1) bench.offerFull(dataDir);
      else rmSync(dataDir, { recursive: true });
    }
    const own = (of: keyof Usage): number => median(pairs.map(([usage]) => usage[of]));
    const reference = (of: keyof Usage): number => median(pairs.map(([, usage]) => usage[of]));
    const ratio = (of: keyof Usage): number => median(pairs.map(([a, b]) => a[of] / b[of]));
    const peak = Math.max(...pairs.map(([usage]) => usage.peakMib));
    return [
      judged(
        {
          figure: 'sync of all feeds: time',
          measured: `${own('wallSeconds').toFixed(1)} s`,
          reference: `gunzip + JSON.parse ${reference('wallSeconds').toFixed(1)} s`,
          result: ratio('wallSeconds').toFixed(2),
        },
        TIME,
        worse(TIME.judge(ratio('wallSeconds')), TIME.judge(ratio('cpuSeconds'))),
      ),
      information({
        figure: 'sync of all feeds: CPU',
        measured: `${own('cpuSeconds').toFixed(1)} s`,
        reference: `gunzip + JSON.parse ${reference('cpuSeconds').toFixed(1)} s`,
        result: ratio('cpuSeconds').toFixed(2),
      }),
      judged(
        {
          figure: 'sync of all feeds: peak memory',
          measured: `${peak.toFixed(0)} MiB`,
          reference: `gunzip + JSON.parse ${reference('peakMib').toFixed(0)} MiB`,
          result: `${peak.toFixed(0)} MiB`,
        },
        PEAK,
        peak,
      ),
    ];
  },
};
