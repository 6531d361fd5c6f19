import { NO_REDIS, startRedis } from '../../test/support/engines.ts';
import { compare } from '../against-bare.ts';
import { stop } from '../child.ts';
import { type Aim, atLeast, type Figure, type Row, skipped } from '../figure.ts';
import { Load } from '../load.ts';
import { drawCveIds } from '../workbench.ts';

const REPEATED_IDS = 5000;
const ROUNDS = 3;
const ON_REDIS = 'look-up, quota counted in Redis';

/** What counting quota costs: the same look-ups with and without, counted in the data folder and in Redis. */
export const gate: Figure = {
  name: 'gate',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('the cost of the gate');
    const paths = drawCveIds(dataDir, REPEATED_IDS).map((id) => `/v1/cve/${id}`);
    const asked = () => paths;
    const load = new Load();
    // In a folder of its own: as soon as two processes use one folder, both count in its file.
    const open = await bench.serve(await bench.copyOf(dataDir), { SEXTANT_QUOTA_KEYLESS: '0' });
    const against = async (title: string, aim: Aim | null, settings: NodeJS.ProcessEnv): Promise<Row[]> => {
      const counted = await bench.serve(dataDir, settings);
      const comparison = { title, aim, against: 'without quota' };
      const rows = await compare(comparison, [counted, asked], [open, asked], load, bench.rounds(ROUNDS));
      await stop(counted.child);
      return rows;
    };
    const rows = await against('look-up, quota counted in the data folder', atLeast(0.9, 0.95), {});
    const neighbour = await bench.serve(dataDir);
    rows.push(...(await against('look-up, quota counted in a data folder of two processes', null, {})));
    await stop(neighbour.child);
    const ends: (() => Promise<void>)[] = [];
    if (NO_REDIS === false) {
      const redis = await startRedis({ after: (end) => ends.push(end) });
      const settings = { SEXTANT_REDIS_URL: redis.url, SEXTANT_SECRET: 'of a bench, and of no installation' };
      rows.push(...(await against(ON_REDIS, null, settings)));
    } else rows.push(skipped(ON_REDIS, 'skipped: no redis-server'));
    for (const end of ends) await end();
    for (const { child } of [open, load]) await stop(child);
    return rows;
  },
};
