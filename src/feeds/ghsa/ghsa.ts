import { createHash } from 'node:crypto';
import { type Feed, type FeedFile, feedFile, FeedFormatError, type PreviousSync } from '../feed.ts';
import { parseRecords, parseUtcTime, readJson } from '../fields.ts';
import type { Upstream } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { GithubAdvisory, advisoryEntry } from './advisory.ts';

const FIRST_PAGE_PATH = 'advisories?type=reviewed&sort=updated&direction=desc&per_page=100';
/** The note with the address of the next page of older advisories to load. */
const OLDER_PAGE_NOTE = 'older_page';
/** Without a token GitHub's API allows 60 requests per hour, and other feeds need some of them. */
const MAX_PAGES = 50;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const PAGE_FILE_NAME = /^page-(\d+)\.json$/;

/** A page of GitHub's API. Its address is only known from the page before it, so `files()` has already read its `content`. */
export interface AdvisoryPage extends FeedFile {
  content: Uint8Array;
  /** On the last page: the address of the next older page to load, empty if all are loaded. Null: no change. */
  olderPage: string | null;
}

/**
 * Reviewed advisories of the GitHub Advisory Database: those updated since the last sync, newest first. A first sync loads as many
 * pages as the number of requests allows; the following syncs continue from there.
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
  files: (upstream, previous) =>
    upstream.layout === 'origin' ? updatedPages(upstream, previous) : mirroredPages(upstream),
  async *parse(bytes, file, reporter) {
    const page = await readJson(bytes, ghsaFeed.maxUnpackedBytes);
    if (!Array.isArray(page)) throw new FeedFormatError('JSON, but not a page of GitHub advisories (a list)');
    const advisories = parseRecords(GithubAdvisory, page, reporter, { what: 'advisory', idField: 'ghsa_id' });
    const newest = advisories.map(({ updated_at }) => updated_at ?? '').reduce((a, b) => (b > a ? b : a), '');
    if (newest !== '') reporter.setDataTime(newest);
    if ('olderPage' in file && typeof file.olderPage === 'string') {
      reporter.setNote(OLDER_PAGE_NOTE, file.olderPage);
      reporter.setNote('missing_older', file.olderPage === '' ? '' : 'older advisories, which later syncs will load,');
    }
    yield advisories.map(advisoryEntry);
  },
};

async function mirroredPages(upstream: Upstream): Promise<FeedFile[]> {
  const names = await upstream.listFiles(PAGE_FILE_NAME);
  return names
    .toSorted((a, b) => Number(PAGE_FILE_NAME.exec(a)?.[1]) - Number(PAGE_FILE_NAME.exec(b)?.[1]))
    .map((name) => feedFile(name, { extent: 'delta' }));
}

/** The pages updated since the last sync, and as many of the older pages still to load as the number of requests allows. */
async function updatedPages(upstream: Upstream, { asOf, notes = {} }: PreviousSync): Promise<AdvisoryPage[]> {
  const pages: AdvisoryPage[] = [];
  const left = await readPages(upstream, FIRST_PAGE_PATH, pages, (page) =>
    page.some((advisory) => isUpdatedBy(advisory, asOf)),
  );
  const older = left ?? notes[OLDER_PAGE_NOTE] ?? null;
  if (older === null) return pages;
  try {
    const next = left ?? (await readPages(upstream, older, pages, () => false));
    pages.at(-1)!.olderPage = next ?? '';
  } catch (error) {
    // The next sync tries again; the new pages are still loaded.
    if (!(error instanceof UpstreamError || error instanceof FeedFormatError)) throw error;
  }
  return pages;
}

/**
 * Appends pages to `pages` from `first` on, until `isLast`. Gives the address of the next page if the limit of requests is reached
 * before, else null.
 */
async function readPages(
  upstream: Upstream,
  first: string,
  pages: AdvisoryPage[],
  isLast: (advisories: unknown[]) => boolean,
): Promise<string | null> {
  let path: string | null = first;
  while (path !== null && pages.length < MAX_PAGES) {
    const answer: Awaited<ReturnType<Upstream['readJson']>> = await upstream.readJson(path, MAX_PAGE_BYTES);
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
  const updatedAt = typeof updated === 'string' ? parseUtcTime(updated) : null;
  return updatedAt !== null && updatedAt <= time;
}
