import { z } from 'zod';
import type { CveFacts } from '../../analysis/cve/cve-facts.ts';
import { type Feed, type FeedFile, feedFile, FeedFormatError, type PreviousSync, type ParseReporter } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';
import { readAllBytes, unzip } from '../unpack.ts';
import type { Upstream } from '../upstream.ts';
import { factsOfCveRecord } from './record.ts';
import { CveRecord } from './schema.ts';

const DELTA_NAME = /^\d{4}-\d{2}-\d{2}_delta_CVEs_at_.*\.zip$/;
const RECORD_PATH = /(?:^|\/)CVE-\d{4}-\d{4,19}\.json$/;
const MAX_RECORD_BYTES = 16 * 1024 * 1024;
const MAX_RECORDS = 400_000;

const Releases = z.array(
  z.object({
    assets: z.array(z.object({ name: z.string(), size: z.number().nullish(), browser_download_url: z.url() })),
  }),
);

/**
 * The CVE List's hourly releases. A delta holds all records changed since midnight UTC, so only the last one of each day is read.
 * The API lists the last 100 releases, about four days.
 */
export const cvelistFeed: Feed<'cve'> = {
  id: 'cvelist',
  kind: 'cve',
  title: 'CVE List V5 deltas',
  addresses: ['https://api.github.com/repos/CVEProject/cvelistV5/'],
  folder: 'cvelistV5',
  everyHours: 2,
  maxBytes: 256 * 1024 * 1024,
  maxUnpackedBytes: 2 * 1024 ** 3,
  staleAfterDays: 3,
  files,
  async *parse(bytes, file, reporter) {
    if (DELTA_NAME.test(file.name)) reporter.setDataTime(timeOf(file));
    if ('gapBefore' in file && typeof file.gapBefore === 'string') {
      reporter.setNote(
        `missing_before_${dayOf(file)}`,
        `the changes of ${file.gapBefore} (UTC), which its releases no longer contain`,
      );
    }
    const limits = { ...cvelistFeed, maxEntries: MAX_RECORDS };
    for await (const entry of unzip(bytes, limits)) {
      if (!RECORD_PATH.test(entry.name)) continue;
      const facts = readRecord(entry.name, await readAllBytes(entry.bytes, MAX_RECORD_BYTES), reporter);
      if (facts !== null) yield [facts];
    }
  },
};

/** The changes of one day. */
export interface DailyDelta extends FeedFile {
  /** Days since the last sync whose changes are not listed any more: `2030-01-02 to 2030-01-05`; null if there are none. */
  gapBefore: string | null;
}

/** The last delta of each day, oldest first, so that newer records replace older ones. */
async function files(upstream: Upstream, { asOf }: PreviousSync): Promise<DailyDelta[]> {
  const isOrigin = upstream.layout === 'origin';
  const listed = isOrigin ? await releasedDeltas(upstream) : await mirroredDeltas(upstream);
  const lastOfDay = new Map(
    listed.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b))).map((file) => [dayOf(file), file]),
  );
  const wanted = [...lastOfDay.values()].filter((file) => !isOrigin || asOf === null || timeOf(file) > asOf);
  let next = asOf === null ? null : firstDayAfter(asOf);
  return wanted.map((file) => {
    const day = dayOf(file);
    const gapBefore = next !== null && next < day && !lastOfDay.has(next) ? `${next} to ${plusDays(day, -1)}` : null;
    if (next !== null && next <= day) next = plusDays(day, 1);
    return { ...file, gapBefore };
  });
}

/** The first day whose changes are not completely known, if all changes up to `time` are. */
function firstDayAfter(time: string): string {
  const day = time.slice(0, 10);
  return time.startsWith(`${day}T23:59:59`) ? plusDays(day, 1) : day;
}

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

async function mirroredDeltas(upstream: Upstream): Promise<FeedFile[]> {
  const names = await upstream.list(DELTA_NAME);
  return names.map((name) => feedFile(name, { extent: 'delta' }));
}

async function releasedDeltas(upstream: Upstream): Promise<FeedFile[]> {
  const answer = await upstream.json('releases?per_page=100');
  const releases = Releases.safeParse(answer?.body);
  if (!releases.success) throw new FeedFormatError(`not a list of GitHub releases: ${firstIssue(releases.error)}`);
  return releases.data
    .flatMap(({ assets }) => assets)
    .filter(({ name }) => DELTA_NAME.test(name))
    .map(({ name, size, browser_download_url: path }) =>
      feedFile(name, { path, fingerprint: `${name}:${size ?? '?'}`, extent: 'delta' }),
    );
}

function dayOf(file: FeedFile): string {
  return file.name.slice(0, 10);
}

/** The time of the last change in a delta, from its name: `…_at_2200Z.zip`, `…_at_end_of_day.zip`. */
function timeOf(file: FeedFile): string {
  const [, hour, minute] = /_at_(\d{2})(\d{2})Z\.zip$/.exec(file.name) ?? [];
  return hour === undefined ? `${dayOf(file)}T23:59:59.000Z` : `${dayOf(file)}T${hour}:${minute}:00.000Z`;
}

function readRecord(name: string, content: Uint8Array, reporter: ParseReporter): CveFacts | null {
  const shortName = name.slice(name.lastIndexOf('/') + 1);
  let document: unknown;
  try {
    document = parseBoundedJson(new TextDecoder().decode(content));
  } catch {
    reporter.skip(shortName, 'malformed JSON');
    return null;
  }
  const record = CveRecord.safeParse(document);
  if (record.success) return factsOfCveRecord(record.data);
  reporter.skip(shortName, firstIssue(record.error));
  return null;
}
