/** What a catalog says of an earlier day is what the catalog of that day said. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Catalog } from '../../src/catalog/catalog.ts';
import { dayNumber } from '../../src/catalog/epss-history.ts';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import {
  MAX_CHANGED_CVES,
  SearchAsOf,
  type SearchAsOfSource,
  TooManyChangesError,
} from '../../src/catalog/history/search-as-of.ts';
import type { CveFilters, CveQuery } from '../../src/catalog/search.ts';
import { epssFeed } from '../../src/feeds/epss.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { FEEDS_OF_MIRROR, makeMirror, nvdRecord } from '../support/nvd-mirror.ts';

const FEEDS = [...FEEDS_OF_MIRROR, epssFeed as unknown as Feed];
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'] as const;
const idOf = (number: number): string => `CVE-2002-${String(number).padStart(4, '0')}`;
const COUNT = 120;

/** Something of every third CVE is another one each day: which one depends on the numbers of the CVE and the day. */
function recordOf(number: number, day: number) {
  const isChanged = (number + day) % 3 === 0 && day > 0;
  const more: Record<string, unknown> = { lastModified: `2026-02-0${1 + day}T00:00:00.000` };
  if (!isChanged) return nvdRecord(idOf(number), number % 3 === 0 && day === 0 ? {} : more);
  const record = nvdRecord(idOf(number), more);
  const { cve } = record;
  const cpe = cve.configurations[0].nodes[0].cpeMatch[0];
  if (number % 7 === 0) cve.vulnStatus = 'Rejected';
  if (number % 5 === 0) cve.weaknesses[0].description[0].value = `CWE-${20 + day}`;
  if (number % 5 === 1) Object.assign(cve.metrics.cvssMetricV31[0].cvssData, LOW);
  if (number % 5 === 2) cve.metrics = {};
  if (number % 5 === 3) cpe.criteria = `cpe:2.3:a:acme:hammer_${day}:*:*:*:*:*:wordpress:*:*`;
  if (number % 5 === 4) cpe.versionEndExcluding = `3.${day}`;
  if (number % 4 === 0) cve.references[1].tags = ['Product'];
  return record;
}
const LOW = {
  vectorString: 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N',
  baseScore: 1.8,
  baseSeverity: 'LOW',
};

function scoresOf(day: number): string {
  const rows = Array.from({ length: COUNT }, (_, number) => {
    // Some get their first score, and some lose theirs.
    if (number % 10 === 0 && day === number % 3) return '';
    const score = ((number * 37 + (number % 4 === 0 ? day * 131 : 0)) % 1000) / 1000;
    return `${idOf(number)},${score},${score / 2}\n`;
  });
  return `#model_version:v1,score_date:${DAYS[day]}T12:00:00Z\ncve,epss,percentile\n${rows.join('')}`;
}

/** The data folder after each day. */
async function syncDays(t: TestContext): Promise<string[]> {
  const mirror = makeMirror(t);
  mkdirSync(join(mirror.root, 'epss'));
  const folders: string[] = [];
  for (const [day, date] of DAYS.entries()) {
    const numbers = Array.from({ length: COUNT - 20 + day * 10 }, (_, number) => number);
    mirror.now = () => new Date(`${date}T15:00:00Z`);
    mirror.kev(numbers.filter((number) => number % (9 + day) === 0).map(idOf));
    mirror.nvd(
      day === 0 ? 2002 : 'modified',
      numbers.map((number) => recordOf(number, day)),
    );
    mirror.raw('epss/epss_scores-current.csv.gz', gzipSync(scoresOf(day)));
    const { failed } = await mirror.sync(FEEDS);
    assert.deepEqual(failed, []);
    const folder = join(mirror.root, `day-${day}`);
    cpSync(mirror.data, folder, { recursive: true });
    folders.push(folder);
  }
  return folders;
}

const FILTERS: CveFilters[] = [
  {},
  { kev: true },
  { includeRejected: true },
  { severity: 'LOW' },
  { severityMin: 'HIGH' },
  { cvssMin: 9.8 },
  { cvssMax: 2 },
  { epssMin: 0.5 },
  { cweId: 'CWE-79' },
  { cweId: 'CWE-21' },
  { product: 'hammer_1' },
  { vendor: 'acme', product: 'anvil_3' },
  { product: 'wordpress', tagged: true },
  { product: 'anvil_4', severity: 'LOW', kev: true, includeRejected: true },
  { publishedFrom: Date.parse('2014-01-01') / 1000, publishedTo: Date.parse('2016-12-31') / 1000 },
  { words: 'anvil' },
];

suite('what is asked as of a day', () => {
  test('is what the catalog of that day said: searches by every filter, and single CVEs', async (t) => {
    const folders = await syncDays(t);
    const open = (folder: string): Catalog => {
      const catalog = new Catalog(folder, readCurrentGeneration(folder)!);
      t.after(() => catalog.close());
      return catalog;
    };
    const today = open(folders.at(-1)!);
    let corrected = 0;
    for (const [day, date] of DAYS.entries()) {
      const [then, asOf] = [open(folders[day]!), today.asOf(dayNumber(date))];
      await asOf.prepareSearch();
      for (const filters of FILTERS) {
        for (const sort of ['published_desc', 'epss_desc', 'cvss_desc'] as const) {
          const query: CveQuery = { ...filters, sort, limit: 200, offset: 0 };
          const [expected, actual] = [then.search(query), asOf.search(query)];
          const what = `${date} ${JSON.stringify(query)}`;
          const listed = ({ cves }: typeof expected) => cves.map(({ cve_id, epss }) => `${cve_id} ${epss?.score}`);
          assert.deepEqual(listed(actual), listed(expected), what);
          assert.equal(actual.total, expected.total, what);
          if (today.search(query).total !== expected.total) corrected++;
        }
      }
      for (let number = 0; number < COUNT; number++) {
        const [expected, actual] = [then.cve(idOf(number), true), asOf.cve(idOf(number), true)];
        assert.equal(actual === null, expected === null, `${date} ${idOf(number)}`);
        if (expected === null) continue;
        const facts = ({ record, kev, epss, patch_available }: typeof expected) => ({
          kev: kev?.date_added,
          score: epss?.score,
          status: record?.status,
          rejected: record?.rejected,
          metrics: record?.metrics,
          weaknesses: record?.weaknesses,
          patch_available,
          products: record?.products
            .map(({ cpe, ...range }) => ({ ...range, cpe }))
            .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
          tagged: record?.references
            .filter(({ tags }) => tags.includes('Patch'))
            .map(({ url }) => url)
            .sort(),
        });
        assert.deepEqual(facts(actual!), facts(expected), `${date} ${idOf(number)}`);
      }
    }
    // Else nothing is tested.
    assert.ok(corrected > 20, `${corrected} answers differ from those of today`);
  });

  test('is refused for a search where more CVEs changed than can be looked at', async (t) => {
    const folder = (await syncDays(t))[0]!;
    const catalog = new Catalog(folder, readCurrentGeneration(folder)!);
    t.after(() => catalog.close());
    const changes = {
      *keysSeenAfter(_day: number, after: number) {
        for (let key = after === 0 ? 0 : Infinity; key <= MAX_CHANGED_CVES; key++)
          yield { seq: key + 1, key, kind: 'score' as const, isLater: true };
      },
    };
    const source = { columns: catalog.cveColumns, changes } as unknown as SearchAsOfSource;
    await assert.rejects(SearchAsOf.make(source), TooManyChangesError);
  });
});
