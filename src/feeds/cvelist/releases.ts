import { z } from 'zod';
import { type FeedFile, feedFile, FeedFormatError, type PreviousSync } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import type { Upstream } from '../upstream.ts';

const DELTA_NAME = /^\d{4}-\d{2}-\d{2}_delta_CVEs_at_.*\.zip$/;
const BASELINE_NAME = /^\d{4}-\d{2}-\d{2}_all_CVEs_at_midnight\.zip\.zip$/;
const RELEASE_FILE = /^\d{4}-\d{2}-\d{2}_(?:delta_CVEs_at_.*|all_CVEs_at_midnight\.zip)\.zip$/;
/** Releases have long texts: a hundred of them are a megabyte. */
const MAX_RELEASES_BYTES = 16 * 1024 * 1024;
const MISSING_BEFORE = 'missing_before_';

/** The note that names the day of the baseline that was loaded. */
export const BASELINE_NOTE = 'baseline';
export const NO_BASELINE_NOTE = 'no_baseline';

const Releases = z.array(
  z.object({
    assets: z.array(z.object({ name: z.string(), size: z.number().nullish(), browser_download_url: z.url() })),
  }),
);

/** A file of the CVE List with the notes that its successful load sets; an empty note is removed. */
export interface CvelistFile extends FeedFile {
  notes: Record<string, string>;
}

/**
 * The files to load, in order: the newest baseline (all records at midnight UTC), where none was loaded yet or where days of changes
 * are not listed any more, then the last delta of each day. A delta holds all records that changed since midnight UTC.
 */
export async function cvelistFiles(upstream: Upstream, previous: PreviousSync): Promise<CvelistFile[]> {
  const isOrigin = upstream.layout === 'origin';
  const listed = isOrigin ? await releasedFiles(upstream) : await mirroredFiles(upstream);
  const deltas = lastOfEachDay(listed.filter(({ name }) => DELTA_NAME.test(name)));
  const { asOf, notes = {} } = previous;
  const newest = listed
    .filter(isBaseline)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .at(-1);
  const known = notes[BASELINE_NOTE] ?? null;
  const gapsSince = (from: string | null) => findGaps(isOrigin ? deltas.slice(0, 1) : deltas, from);
  const gaps = gapsSince(asOf === null ? null : firstDayAfter(asOf));
  const closesGap = newest !== undefined && [...gaps.keys()].some((day) => dayOf(newest) >= day);
  if (newest !== undefined && (known === null || closesGap)) {
    const day = dayOf(newest);
    const later = deltas.filter((file) => dayOf(file) >= day);
    return [
      { ...newest, notes: { [BASELINE_NOTE]: day, [NO_BASELINE_NOTE]: '', ...closedGaps(notes, day) } },
      ...withGaps(later, gapsSince(day)),
    ];
  }
  const wanted = deltas.filter(
    (file) => (known === null || dayOf(file) >= known) && (!isOrigin || asOf === null || timeOf(file) > asOf),
  );
  const [first, ...others] = withGaps(wanted, gaps);
  if (first === undefined) return [];
  return known === null
    ? [{ ...first, notes: { ...first.notes, ...noBaseline(deltas) } }, ...others]
    : [first, ...others];
}

/** Whether a file is a baseline: a zip that holds `cves.zip`, which holds all records. */
export function isBaseline({ name }: FeedFile): boolean {
  return BASELINE_NAME.test(name);
}

/** The time of the last change in a file, from its name: `…_at_2200Z.zip`, `…_at_end_of_day.zip`; null for another name. */
export function dataTimeOf(file: FeedFile): string | null {
  if (isBaseline(file)) return `${dayOf(file)}T00:00:00.000Z`;
  return DELTA_NAME.test(file.name) ? timeOf(file) : null;
}

async function mirroredFiles(upstream: Upstream): Promise<FeedFile[]> {
  const names = await upstream.listFiles(RELEASE_FILE);
  return names.map((name) => feedFile(name, { extent: 'delta' }));
}

/** The API lists the last 100 releases, about four days; each has the baseline of its day. */
async function releasedFiles(upstream: Upstream): Promise<FeedFile[]> {
  const answer = await upstream.readJson('releases?per_page=100', MAX_RELEASES_BYTES);
  const releases = Releases.safeParse(answer?.body);
  if (!releases.success) throw new FeedFormatError(`not a list of GitHub releases: ${firstIssue(releases.error)}`);
  return releases.data
    .flatMap(({ assets }) => assets)
    .filter(({ name }) => RELEASE_FILE.test(name))
    .map(({ name, size, browser_download_url: path }) =>
      feedFile(name, { path, fingerprint: `${name}:${size ?? '?'}`, extent: 'delta' }),
    );
}

function lastOfEachDay(deltas: readonly FeedFile[]): FeedFile[] {
  const sorted = deltas.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
  return [...new Map(sorted.map((file) => [dayOf(file), file])).values()];
}

/**
 * Days whose changes are not listed, `2030-01-02 to 2030-01-05`, by the day of the delta after them. `from` is the first day whose
 * changes are not completely known; null: nothing is known that could have a gap. Between two releases of the origin's list there
 * are no others, so a day without one had no changes: there only the first delta can come after a gap. Of a mirror's file
 * names nobody can tell a day without changes from a file that was not copied.
 */
function findGaps(deltas: readonly FeedFile[], from: string | null): Map<string, string> {
  const gaps = new Map<string, string>();
  let next = from;
  for (const file of deltas) {
    const day = dayOf(file);
    if (next === null || day < next) continue;
    if (next < day) gaps.set(day, `${next} to ${plusDays(day, -1)}`);
    next = plusDays(day, 1);
  }
  return gaps;
}

function withGaps(deltas: readonly FeedFile[], gaps: ReadonlyMap<string, string>): CvelistFile[] {
  return deltas.map((file) => {
    const gap = gaps.get(dayOf(file));
    if (gap === undefined) return { ...file, notes: {} };
    return { ...file, notes: { [`${MISSING_BEFORE}${dayOf(file)}`]: `the changes of ${gap} (UTC)` } };
  });
}

/** Removes the notes on days before a baseline, which has their changes. */
function closedGaps(notes: Readonly<Record<string, string>>, baselineDay: string): Record<string, string> {
  const closed = Object.keys(notes).filter(
    (name) => name.startsWith(MISSING_BEFORE) && name.slice(MISSING_BEFORE.length) <= baselineDay,
  );
  return Object.fromEntries(closed.map((name) => [name, '']));
}

function noBaseline(deltas: readonly FeedFile[]): Record<string, string> {
  const since = deltas[0] === undefined ? '' : ` since ${dayOf(deltas[0])}`;
  return { [NO_BASELINE_NOTE]: `only records that changed${since} are here: no baseline release is at this address` };
}

/** The first day whose changes are not completely known, if all changes up to `time` are. */
function firstDayAfter(time: string): string {
  const day = time.slice(0, 10);
  return time.startsWith(`${day}T23:59:59`) ? plusDays(day, 1) : day;
}

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function dayOf(file: FeedFile): string {
  return file.name.slice(0, 10);
}

function timeOf(file: FeedFile): string {
  const [, hour, minute] = /_at_(\d{2})(\d{2})Z\.zip$/.exec(file.name) ?? [];
  return hour === undefined ? `${dayOf(file)}T23:59:59.000Z` : `${dayOf(file)}T${hour}:${minute}:00.000Z`;
}
