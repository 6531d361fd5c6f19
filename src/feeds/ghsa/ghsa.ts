import { createHash } from 'node:crypto';
import { type Feed, type FeedFile, feedFile, FeedFormatError, type PreviousSync } from '../feed.ts';
import { parseRecords, parseUtcTime, readJson } from '../fields.ts';
import type { Upstream } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { GithubAdvisory, advisoryEntry } from './advisory.ts';

const FIRST_PAGE_PATH = 'advisories?type=reviewed&sort=updated&direction=desc&per_page=100';
/** The note of where the older advisories begin that were not taken yet. */
const OLDER_PAGE_NOTE = 'older_page';
/** Without a token GitHub's API answers 60 requests an hour, and others of this service want some too. */
const MAX_PAGES = 50;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const PAGE_FILE_NAME = /^page-(\d+)\.json$/;

/**
 * A page of GitHub's API. Its address is known only from the answer before it, so that `files()` has to read it already;
 * `content` hands over what was read, and opening `path` would answer the same.
 */
export interface AdvisoryPage extends FeedFile {
  content: Uint8Array;
  /** Of the last page: the address of the older ones that are not known yet, empty where all are; null where that is as it was. */
  olderPage: string | null;
}

/**
 * Reviewed advisories of the GitHub Advisory Database: those updated since the last sync, newest first. A first sync takes the
 * pages that its requests suffice for, the next ones go on from there.
 */
export const ghsaFeed: Feed<'advisory'> = {
  id: 'ghsa',
  kind: 'advisory',
  title: 'GitHub Advisory Database',
  addresses: ['https://api.github.com/'],
  folder: 'ghsa',
  everyHours: 2,
  maxBytes: MAX_PAGE_BYTES,
  maxUnpackedBytes: MAX_PAGE_BYTES,
  staleAfterDays: 7,
  files: (upstream, memory) =>
    upstream.layout === 'origin' ? updatedPages(upstream, memory) : mirroredPages(upstream),
  async *parse(bytes, file, reporter) {
    const page = await readJson(bytes, ghsaFeed.maxUnpackedBytes);
    if (!Array.isArray(page)) throw new FeedFormatError('JSON, but not a page of GitHub advisories (a list)');
    const advisories = parseRecords(GithubAdvisory, page, reporter, { what: 'advisory', idField: 'ghsa_id' });
    const newest = advisories.map(({ updated_at }) => updated_at ?? '').reduce((a, b) => (b > a ? b : a), '');
    if (newest !== '') reporter.setDataTime(newest);
    if ('olderPage' in file && typeof file.olderPage === 'string') {
      reporter.setNote(OLDER_PAGE_NOTE, file.olderPage);
      reporter.setNote(
        'missing_older',
        file.olderPage === '' ? '' : 'older advisories, which later syncs go on to take,',
      );
    }
    yield advisories.map(advisoryEntry);
  },
};

async function mirroredPages(upstream: Upstream): Promise<FeedFile[]> {
  const names = await upstream.list(PAGE_FILE_NAME);
  return names
    .toSorted((a, b) => Number(PAGE_FILE_NAME.exec(a)?.[1]) - Number(PAGE_FILE_NAME.exec(b)?.[1]))
    .map((name) => feedFile(name, { extent: 'delta' }));
}

/** The pages updated since the last sync and, where older ones were left, as many of those as the number of requests allows. */
async function updatedPages(upstream: Upstream, { asOf, notes = {} }: PreviousSync): Promise<AdvisoryPage[]> {
  const pages: AdvisoryPage[] = [];
  const left = await readPages(upstream, FIRST_PAGE_PATH, pages, (page) => page.some((one) => isUpdatedBy(one, asOf)));
  const older = left ?? notes[OLDER_PAGE_NOTE] ?? null;
  if (older === null) return pages;
  try {
    const next = left ?? (await readPages(upstream, older, pages, () => false));
    pages.at(-1)!.olderPage = next ?? '';
  } catch (error) {
    // Next time again: it keeps nobody from the new ones.
    if (!(error instanceof UpstreamError || error instanceof FeedFormatError)) throw error;
  }
  return pages;
}

/** Reads pages from `first` until one is the last wanted; gives the address of the next one where the requests are used up. */
async function readPages(
  upstream: Upstream,
  first: string,
  pages: AdvisoryPage[],
  isLast: (advisories: unknown[]) => boolean,
): Promise<string | null> {
  let path: string | null = first;
  while (path !== null && pages.length < MAX_PAGES) {
    const answer: Awaited<ReturnType<Upstream['json']>> = await upstream.json(path, MAX_PAGE_BYTES);
    if (!Array.isArray(answer?.body)) throw new FeedFormatError('not a page of GitHub advisories');
    const content = Buffer.from(JSON.stringify(answer.body));
    pages.push({
      ...feedFile(`page-${pages.length + 1}.json`, { path, extent: 'delta' }),
      fingerprint: createHash('sha256').update(content).digest('hex'),
      content,
      olderPage: null,
    });
    path = isLast(answer.body) ? null : answer.next;
  }
  return path;
}

function isUpdatedBy(advisory: unknown, time: string | null): boolean {
  if (time === null) return false;
  const updated = (advisory as { updated_at?: unknown } | null)?.updated_at;
  const at = typeof updated === 'string' ? parseUtcTime(updated) : null;
  return at !== null && at <= time;
}
