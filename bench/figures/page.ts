import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '../../src/analysis/page/read-page.ts';
import { type Figure, information } from '../figure.ts';
import { median } from '../statistics.ts';

const PAGE_BYTES = 5_000_000;
const ROUNDS = 9;

/** Analysis of a page of 5 MB: what it takes, and the memory that it holds in between. Real pages, one after the other. */
export const page: Figure = {
  name: 'page',
  withoutFeeds: ['page analysis, 5 MB'],
  run(bench) {
    bench.say('page analysis');
    const bytes = largePage(join(bench.feeds!, 'html'));
    const times: number[] = [];
    let highest = 0;
    const before = process.memoryUsage().rss;
    for (let round = 0; round < Math.max(2, bench.rounds(ROUNDS)); round++) {
      const started = performance.now();
      readPage({ bytes, url: 'https://www.example.com/', contentType: 'text/html; charset=utf-8', truncated: false });
      times.push(performance.now() - started);
      highest = Math.max(highest, process.memoryUsage().rss);
    }
    const ms = median(times);
    return Promise.resolve([
      information({
        figure: 'page analysis, 5 MB',
        measured: `${ms.toFixed(0)} ms, first ${times[0]!.toFixed(0)} ms`,
        reference: `memory +${((highest - before) / 1e6).toFixed(0)} MB over ${times.length} pages`,
        result: `${(bytes.length / 1000 / ms).toFixed(0)} MB/s`,
      }),
    ]);
  },
};

function largePage(folder: string): Buffer {
  const pages = Buffer.concat(readdirSync(folder).map((file) => readFileSync(join(folder, file))));
  const times = Math.ceil(PAGE_BYTES / pages.length);
  return Buffer.concat(Array.from({ length: times }, () => pages)).subarray(0, PAGE_BYTES);
}
