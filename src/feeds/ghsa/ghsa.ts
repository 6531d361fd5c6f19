import { createHash } from 'node:crypto';
import type { AdvisoryEntry } from '../entries.ts';
import { type Feed, type FeedFile, FeedFormatError, type FeedMemory, type Tally } from '../feed.ts';
import { firstIssue, readJson, utcTime } from '../fields.ts';
import type { Upstream } from '../upstream.ts';
import { Advisory, entryOfAdvisory } from './advisory.ts';

const FIRST_PAGE = 'advisories?type=reviewed&sort=updated&direction=desc&per_page=100';
/** Without a token GitHub's API answers 60 requests an hour, and others of this service want some too. */
const MAX_PAGES = 50;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const PAGE = /^page-(\d+)\.json$/;

/**
 * A page of GitHub's API. Its address is known only from the answer before it, so that `files()` has to read it already;
 * `content` hands over what was read, and opening `path` would answer the same.
 */
export interface AdvisoryPage extends FeedFile {
  content: Uint8Array;
  /** True of the last page when more would follow that are not known yet. */
  truncated: boolean;
}

/** Reviewed advisories of the GitHub Advisory Database: those updated since the last sync, newest first. */
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
  parse,
};

async function mirroredPages(upstream: Upstream): Promise<FeedFile[]> {
  const names = await upstream.list(PAGE);
  return names
    .toSorted((a, b) => Number(PAGE.exec(a)?.[1]) - Number(PAGE.exec(b)?.[1]))
    .map((name) => ({ name, path: name, fingerprint: null, extent: 'delta', sha256: null }));
}

async function updatedPages(upstream: Upstream, memory: FeedMemory): Promise<AdvisoryPage[]> {
  const pages: AdvisoryPage[] = [];
  for (let path: string | null = FIRST_PAGE; path !== null; ) {
    const answer: Awaited<ReturnType<Upstream['json']>> = await upstream.json(path, MAX_PAGE_BYTES);
    if (!Array.isArray(answer?.body)) throw new FeedFormatError('not a page of GitHub advisories');
    const content = Buffer.from(JSON.stringify(answer.body));
    const reachesKnown = memory.asOf !== null && answer.body.some((advisory) => updatedBy(advisory, memory.asOf ?? ''));
    const next: string | null = reachesKnown ? null : answer.next;
    pages.push({
      name: `page-${pages.length + 1}.json`,
      path,
      fingerprint: createHash('sha256').update(content).digest('hex'),
      extent: 'delta',
      sha256: null,
      content,
      truncated: next !== null && pages.length + 1 === MAX_PAGES,
    });
    path = pages.length < MAX_PAGES ? next : null;
  }
  return pages;
}

function updatedBy(advisory: unknown, time: string): boolean {
  const updated = (advisory as { updated_at?: unknown } | null)?.updated_at;
  const at = typeof updated === 'string' ? utcTime(updated) : null;
  return at !== null && at <= time;
}

async function* parse(bytes: AsyncIterable<Uint8Array>, file: FeedFile, tally: Tally): AsyncIterable<AdvisoryEntry[]> {
  const page = await readJson(bytes, MAX_PAGE_BYTES);
  if (!Array.isArray(page)) throw new FeedFormatError('JSON, but not a page of GitHub advisories (a list)');
  const entries: AdvisoryEntry[] = [];
  let newest = '';
  for (const [index, raw] of page.entries()) {
    const advisory = Advisory.safeParse(raw);
    if (!advisory.success) {
      const id = (raw as { ghsa_id?: unknown } | null)?.ghsa_id;
      tally.skip(typeof id === 'string' ? id.slice(0, 30) : `advisory ${index + 1}`, firstIssue(advisory.error));
      continue;
    }
    if ((advisory.data.updated_at ?? '') > newest) newest = advisory.data.updated_at ?? newest;
    entries.push(entryOfAdvisory(advisory.data));
  }
  if (newest !== '') tally.asOf(newest);
  if ('truncated' in file && file.truncated === true) {
    tally.note('truncated', `the ${MAX_PAGES} pages updated last; older advisories are not here`);
  }
  yield entries;
}
