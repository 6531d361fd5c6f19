import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { advisories, cvelistRecords } from './raw/parts.ts';

const skip = noFeeds;

/** Some 1,000 advisories in the feeds give the year 1 where they do not know the date: `0001-01-01T00:00:00Z`. */
const UNKNOWN = '0001-';

test('no CVE is dated before the first of all CVEs, or after the feeds end', { skip }, async () => {
  const { catalog } = await fullCatalog();
  // CVE-1999-0095 was published on 1988-10-01; the newest record of the feeds is of November 2025.
  const [first, last] = [Date.UTC(1988, 9, 1), Date.UTC(2025, 11, 1)].map((time) => time / 1000);
  const { published, size } = catalog.cveColumns;
  const wrong: string[] = [];
  for (let ordinal = 0; ordinal < size; ordinal++) {
    const seconds = published[ordinal]!;
    if (seconds !== 0 && (seconds < first! || seconds > last!)) wrong.push(new Date(seconds * 1000).toISOString());
  }
  assert.deepEqual([...new Set(wrong)], [], `${wrong.length} rows`);
});

test('a time that an advisory does not know is unknown, not the year 1', { skip }, async () => {
  const { ask } = await fullCatalog();
  const undated = advisories().filter(
    ({ cve_id, published_at }) => cve_id !== null && published_at.startsWith(UNKNOWN),
  );
  assert.ok(undated.length > 900);
  const wrong: string[] = [];
  for (const { cve_id } of undated) {
    const { published, modified } = await ask('cve_lookup', { cve_id });
    if ([published, modified].some((time) => time?.startsWith(UNKNOWN)))
      wrong.push(`${cve_id}: ${published}, ${modified}`);
  }
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} CVEs`);
});

test('who had a CVE first, and when, is by the dates that its sources give', { skip }, async () => {
  const { catalog } = await fullCatalog();
  const times = new Map<string, { ghsa: string[]; cvelist: string[] }>();
  const add = (id: string | null, source: 'ghsa' | 'cvelist', time: string): void => {
    if (id === null || time.startsWith(UNKNOWN)) return;
    const known = times.get(id) ?? { ghsa: [], cvelist: [] };
    known[source].push(new Date(time).toISOString());
    times.set(id, known);
  };
  for (const { cve_id, published_at } of advisories()) add(cve_id, 'ghsa', published_at);
  for (const { cveMetadata } of cvelistRecords()) add(cveMetadata.cveId, 'cvelist', cveMetadata.datePublished);
  const wrong: string[] = [];
  for (const [id, { ghsa, cvelist }] of times) {
    const { record } = catalog.cve(id, false)!;
    if (record === null || record.first_seen === null) continue;
    const { source, at } = record.first_seen;
    const earliest = [...ghsa, ...cvelist, ...(record.sources.includes('nvd') ? [record.published!] : [])].sort()[0]!;
    const whose = source === 'nvd' ? [record.published!] : source === 'ghsa' ? ghsa : cvelist;
    if (Date.parse(at) !== Date.parse(earliest) || !whose.some((time) => Date.parse(time) === Date.parse(at))) {
      wrong.push(`${id}: ${source} at ${at}, not ${earliest}`);
    }
  }
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${times.size} CVEs`);
});
