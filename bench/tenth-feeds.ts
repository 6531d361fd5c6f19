import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip, gzipSync } from 'node:zlib';
import { splitRecords } from '../src/feeds/nvd/split-records.ts';

const ONE_IN = 10;
const REDUCED = ['nvd', 'kev', 'ghsa'];
const MAX_RECORD_BYTES = 32 * 1024 * 1024;
const NVD_FILE = /^nvdcve-2\.0-.*\.json\.gz$/;
const KEV_FILE = 'known_exploited_vulnerabilities.json';

/**
 * A copy of the feeds with every tenth record of the NVD and of the known-exploited catalog and every tenth page of
 * GitHub's advisories. The others are linked whole: searches read little of them.
 */
export async function makeTenthFeeds(feeds: string, folder: string): Promise<string> {
  const others = readdirSync(feeds).filter((name) => !REDUCED.includes(name));
  for (const name of others) symlinkSync(join(feeds, name), join(folder, name));
  await reduceNvd(join(feeds, 'nvd'), made(folder, 'nvd'));
  reduceKev(join(feeds, 'kev'), made(folder, 'kev'));
  reducePages(join(feeds, 'ghsa'), made(folder, 'ghsa'));
  return folder;
}

async function reduceNvd(from: string, to: string): Promise<void> {
  for (const name of readdirSync(from).filter((file) => NVD_FILE.test(file))) {
    const kept: string[] = [];
    let head: Record<string, unknown> = {};
    let seen = 0;
    for await (const parts of splitRecords(createReadStream(join(from, name)).pipe(createGunzip()), MAX_RECORD_BYTES)) {
      for (const { kind, json } of parts) {
        if (kind === 'head') head = JSON.parse(json.toString());
        else if (seen++ % ONE_IN === 0) kept.push(json.toString());
      }
    }
    const emptied = JSON.stringify({
      ...head,
      totalResults: kept.length,
      resultsPerPage: kept.length,
      vulnerabilities: [],
    });
    const content = Buffer.from(emptied.replace('"vulnerabilities":[]', () => `"vulnerabilities":[${kept.join(',')}]`));
    const sha256 = createHash('sha256').update(content).digest('hex').toUpperCase();
    writeFileSync(join(to, name), gzipSync(content, { level: 1 }));
    writeFileSync(join(to, name.replace('.json.gz', '.meta')), `size:${content.length}\r\nsha256:${sha256}\r\n`);
  }
}

function reduceKev(from: string, to: string): void {
  const catalog = JSON.parse(readFileSync(join(from, KEV_FILE), 'utf8')) as { vulnerabilities: unknown[] };
  const vulnerabilities = catalog.vulnerabilities.filter((_, index) => index % ONE_IN === 0);
  writeFileSync(join(to, KEV_FILE), JSON.stringify({ ...catalog, count: vulnerabilities.length, vulnerabilities }));
}

function reducePages(from: string, to: string): void {
  const pages = readdirSync(from).filter((name) => name.endsWith('.json'));
  for (const name of pages.filter((_, index) => index % ONE_IN === 0)) symlinkSync(join(from, name), join(to, name));
}

function made(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
