/**
 * How long the changes of a day take to be matched with 100,000 watches: `node bench/watches.ts <data folder> [watches] [changes]`. The data
 * folder is that of a full catalog into which earlier days were imported (`sextant history import`); it is only read. Without channels, which
 * would add a row for each hundred events. All draws are the same in each run.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { packageLabel } from '../src/analysis/packages/package-ref.ts';
import { watchKeys } from '../src/analysis/watch/watch-keys.ts';
import type { WatchSubject } from '../src/analysis/watch/watch.ts';
import { cveIdFromKey } from '../src/analysis/cve/cve-id.ts';
import { CatalogHandle } from '../src/catalog/catalog-handle.ts';
import { matchChanges } from '../src/watches/matching/match-changes.ts';
import { ChannelCipher } from '../src/watches/store/channel-cipher.ts';
import { openWatchStore, WATCHES_FILE } from '../src/watches/store/open-watch-store.ts';
import { loadOrCreateInstallationSecret } from '../src/access/installation-secret.ts';
import { watchOf } from '../test/support/memory-match-store.ts';
import { Dice } from './statistics.ts';

const [data, watchesText = '100000', changesText = '5000'] = process.argv.slice(2);
if (data === undefined) {
  console.error('usage: node bench/watches.ts <data folder> [watches] [changes]');
  process.exit(2);
}
const [watches, changes] = [Number(watchesText), Number(changesText)];
const WORDS = ['sql injection', 'buffer overflow', 'kernel', 'firmware', 'wordpress', 'router', 'apache', 'windows'];

const catalog = new CatalogHandle(join(data, 'catalog'), (problem) => {
  throw problem;
});
const { generation, changes: history } = catalog.current!;
const db = new DatabaseSync(join(data, 'catalog', generation.file), { readOnly: true });
const dice = new Dice(1);
/** One of a list, the first ones more often. */
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(dice.next() ** 2 * items.length)]!;
const column = (sql: string): any[] => db.prepare(sql).all();
const purls = column(
  "SELECT ecosystem, entry ->> 'name' AS name, count(*) AS n FROM package_advisory GROUP BY ecosystem, package ORDER BY n DESC",
)
  .map(({ ecosystem, name }) => packageLabel({ ecosystem, name, version: '' }))
  .filter((label) => label.startsWith('pkg:'));
const AFFECTED = "FROM posting WHERE kind IN (0, 3) AND vendor NOT IN ('', 'n/a') AND product NOT IN ('', 'n/a')";
const products = column(
  `SELECT vendor, product, sum(length(cves)) AS n ${AFFECTED} GROUP BY vendor, product ORDER BY n DESC LIMIT 20000`,
);
const vendors = column(
  `SELECT vendor, sum(length(cves)) AS n ${AFFECTED} GROUP BY vendor ORDER BY n DESC LIMIT 5000`,
).map(({ vendor }) => vendor);
const cves = column('SELECT DISTINCT cve FROM change ORDER BY seq DESC LIMIT 20000').map(({ cve }) =>
  cveIdFromKey(cve),
);
const version = (): string => [6, 20, 20].map((limit) => Math.floor(dice.next() * limit)).join('.');

function subjectOf(number: number): WatchSubject {
  const share = number % 100;
  if (share < 40) return { kind: 'package', purl: pick(purls), version: version() };
  if (share < 60) {
    const { vendor, product } = pick(products);
    return { kind: 'product', vendor, product, version: version() };
  }
  if (share < 80) return { kind: 'cve', cve_id: pick(cves) };
  if (share < 85) return { kind: 'vendor', vendor: pick(vendors) };
  if (share < 90) {
    const filters = {
      cvss_min: 7 + Math.round(dice.next() * 30) / 10,
      epss_min: Math.round(dice.next() * 1000) / 1000,
    };
    return {
      kind: 'search',
      filters: number % 4 === 0 ? { ...filters, q: pick(WORDS) } : { ...filters, vendor: pick(vendors) },
    };
  }
  const components = Array.from({ length: 50 + Math.floor(dice.next() * 251) }, () => ({
    purl: dice.next() < 0.3 ? pick(purls) : `pkg:npm/part-${Math.floor(dice.next() * 20_000)}`,
    cpe: null,
    version: version(),
  }));
  return { kind: 'components', components };
}

const folder = mkdtempSync(join(tmpdir(), 'sextant-watches-'));
const now = (): Date => new Date();
const store = await openWatchStore({ dataDir: folder, secret: null, databaseUrl: null }, now);
const cipher = new ChannelCipher(loadOrCreateInstallationSecret(folder, null));
const writer = new DatabaseSync(join(folder, WATCHES_FILE));
writer.exec('BEGIN');
const insert = writer.prepare(
  `INSERT INTO watch (id, owner, subject, conditions, channels, schedule, is_paused, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0)`,
);
const insertKey = writer.prepare('INSERT INTO watch_key (key, watch_id) VALUES (?, ?)');
let keys = 0;
for (let number = 0; number < watches; number++) {
  const id = `wat_${randomBytes(10).toString('hex')}`;
  const { subject, conditions, schedule } = watchOf(id, subjectOf(number));
  const json = [subject, conditions, schedule].map((part) => JSON.stringify(part));
  insert.run(id, `key:${number % 1000}`, json[0]!, json[1]!, cipher.encrypt(id, []), json[2]!);
  for (const key of watchKeys(subject)) {
    insertKey.run(key, id);
    keys++;
  }
}
writer.exec('COMMIT');
const { size } = writer
  .prepare('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size')
  .get()!;
writer.close();
const { historyId, last } = history;
await store.matches.commitMatches(null, { historyId, seq: Math.max(0, last - changes), seenAt: 0 }, []);

let peak = process.memoryUsage.rss();
const started = peak;
const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
const [cpu, from] = [process.cpuUsage(), performance.now()];
const ask = async () => {
  throw new Error('nothing is asked');
};
const result = await matchChanges({ store: store.matches, catalog, ask, now }, new AbortController().signal);
const { user, system } = process.cpuUsage(cpu);
clearInterval(sampler);
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
console.log(
  `${watches} watches with ${keys} keys (${megabytes(Number(size))}), ${result.changes} changes: ${result.events} events in ` +
    `${((performance.now() - from) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU; ` +
    `memory ${megabytes(started)} before, ${megabytes(peak)} at most`,
);
await store.close();
catalog.close();
rmSync(folder, { recursive: true });
