import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { residentBytes, stop } from '../child.ts';
import { atMost, type Figure, judged } from '../figure.ts';
import { KeepAliveClient } from '../http-client.ts';
import { median } from '../statistics.ts';
import { countCves } from '../workbench.ts';

const ROUNDS = 3;
/** Until the service has given back what its start took. */
const IDLE_SECONDS = 15;
const ON_DISK = atMost(350, 250, ' MB');
const AT_REST = atMost(180, 120, ' MB');

/** What the service takes without doing anything: the catalog's file, and memory after the start, one look-up and some idle seconds. */
export const memory: Figure = {
  name: 'memory',
  async run(bench) {
    const dataDir = await bench.full();
    await bench.build();
    bench.say('memory at rest');
    const folder = join(dataDir, 'catalog');
    const bytesOnDisk = statSync(join(folder, readCurrentGeneration(folder)!.file)).size;
    const seen: { own: number; files: number }[] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      const { child, port } = await bench.serve(dataDir);
      const client = new KeepAliveClient(port);
      await client.ask('/v1/cve/CVE-2021-44228');
      client.close();
      await sleep(IDLE_SECONDS * 1000);
      const resident = residentBytes(child.pid);
      if (resident === null) throw new Error('/proc does not tell the resident memory');
      seen.push(resident);
      await stop(child);
    }
    const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
    const of = (part: 'own' | 'files'): number => median(seen.map((resident) => resident[part]));
    const total = median(seen.map(({ own, files }) => own + files));
    return [
      judged(
        {
          figure: `catalog on disk (${countCves(dataDir).toLocaleString('en')} CVEs)`,
          measured: mb(bytesOnDisk),
          result: mb(bytesOnDisk),
        },
        ON_DISK,
        bytesOnDisk / 1e6,
      ),
      judged(
        {
          figure: 'resident memory at rest, with its child processes',
          measured: `${mb(of('own'))} of its own, ${mb(of('files'))} of files`,
          result: mb(total),
        },
        AT_REST,
        total / 1e6,
      ),
    ];
  },
};
