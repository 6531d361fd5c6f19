import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createFeedUpstreams } from '../../src/catalog/create-feed-upstreams.ts';
import { type SyncEvent, type SyncOptions, type SyncResult, syncCatalog } from '../../src/catalog/sync.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { nvdFeed } from '../../src/feeds/nvd/nvd.ts';

/** A folder of feeds in the upstreams' layout, all made up, for tests of what goes wrong. */

export const FEEDS_OF_MIRROR = [kevFeed, nvdFeed] as unknown as readonly Feed[];

export interface Mirror {
  /** The feeds. */
  root: string;
  /** An empty data folder beside them. */
  data: string;
  /** A year, `modified` or `recent`; its `.meta` fits unless `more` says otherwise. */
  nvd(part: number | string, records: readonly unknown[], more?: NvdFileOptions): void;
  /** Any bytes in the place of a file. */
  raw(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  kev(ids: readonly string[]): void;
  /** The time of syncs; default: that of the clock. */
  now: () => Date;
  /** Syncs the mirror in this process. */
  sync(feeds?: readonly Feed[], limits?: SyncOptions['limits']): Promise<SyncResult & { events: SyncEvent[] }>;
}

export interface NvdFileOptions {
  /** Fields of the document beside `vulnerabilities`, in the place of the usual ones. */
  head?: Record<string, unknown>;
  /** Text of the document, in the place of one made of the records. */
  text?: string;
  /** Of the `.meta`; default: that of the text. */
  sha256?: string;
}

interface Owner {
  after(end: () => void): void;
}

export function makeMirror(owner: Owner): Mirror {
  const base = mkdtempSync(join(tmpdir(), 'sextant-mirror-'));
  owner.after(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, 'feeds');
  const data = join(base, 'data');
  for (const folder of ['nvd', 'kev']) mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(data);
  const raw = (path: string, content: string | Uint8Array): void => writeFileSync(join(root, path), content);
  return {
    root,
    data,
    raw,
    remove: (path) => rmSync(join(root, path)),
    nvd(part, records, more = {}) {
      const text = more.text ?? documentOf(records, more.head);
      const sha256 = more.sha256 ?? createHash('sha256').update(text).digest('hex').toUpperCase();
      const meta = { lastModifiedDate: '2024-06-01T00:00:00-04:00', size: text.length, zipSize: 1, gzSize: 1, sha256 };
      raw(`nvd/nvdcve-2.0-${part}.json.gz`, gzipSync(text));
      raw(
        `nvd/nvdcve-2.0-${part}.meta`,
        Object.entries(meta)
          .map(([name, value]) => `${name}:${value}\r\n`)
          .join(''),
      );
    },
    kev: (ids) => raw('kev/known_exploited_vulnerabilities.json', kevDocument(ids)),
    now: () => new Date(),
    sync(feeds = FEEDS_OF_MIRROR, limits) {
      return syncMirror(root, data, feeds, () => {}, limits, this.now);
    },
  };
}

export async function syncMirror(
  root: string,
  data: string,
  feeds: readonly Feed[] = FEEDS_OF_MIRROR,
  report: (event: SyncEvent) => void = () => {},
  limits?: SyncOptions['limits'],
  now: () => Date = () => new Date(),
): Promise<SyncResult & { events: SyncEvent[] }> {
  const events: SyncEvent[] = [];
  const addressing = {
    feeds: pathToFileURL(`${root}/`).href,
    sourceUrls: new Map<string, string>(),
    githubToken: null,
  };
  const outcome = await syncCatalog({
    folder: data,
    feeds: feeds.map((feed) => ({ feed, upstreams: (signal) => createFeedUpstreams(feed, addressing, signal) })),
    now,
    ...(limits && { limits }),
    report(event) {
      events.push(event);
      report(event);
    },
  });
  return { ...outcome, events };
}

/** `count` records of a year, numbered from `from` on. */
export function nvdRecords(year: number, count: number, more: Record<string, unknown> = {}, from = 1): { cve: any }[] {
  return Array.from({ length: count }, (_, index) =>
    nvdRecord(`CVE-${year}-${String(from + index).padStart(4, '0')}`, more),
  );
}

/** One element of an NVD feed, as large as a real one. */
export function nvdRecord(id: string, more: Record<string, unknown> = {}): { cve: any } {
  const number = Number(id.slice(9));
  return {
    cve: {
      id,
      sourceIdentifier: 'cna@example.com',
      published: `20${String(10 + (number % 10)).padStart(2, '0')}-03-0${1 + (number % 9)}T10:15:00.000`,
      lastModified: '2024-01-01T00:00:00.000',
      vulnStatus: 'Analyzed',
      cveTags: [],
      descriptions: [
        { lang: 'en', value: `A flaw in Anvil ${number} lets it drop.` },
        { lang: 'es', value: 'Una falla.' },
      ],
      metrics: {
        cvssMetricV31: [
          {
            source: 'nvd@nist.gov',
            type: 'Primary',
            cvssData: {
              version: '3.1',
              vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
              baseScore: 9.8,
              baseSeverity: 'CRITICAL',
            },
            exploitabilityScore: 3.9,
            impactScore: 5.9,
          },
        ],
      },
      weaknesses: [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: 'CWE-79' }] }],
      configurations: [
        {
          operator: 'AND',
          negate: false,
          nodes: [
            {
              operator: 'OR',
              negate: false,
              cpeMatch: [
                {
                  vulnerable: true,
                  criteria: `cpe:2.3:a:acme:anvil_${number % 7}:*:*:*:*:*:wordpress:*:*`,
                  versionStartIncluding: '1.0',
                  versionEndExcluding: '2.0',
                  matchCriteriaId: '00000000-0000-4000-8000-000000000000',
                },
              ],
            },
            {
              operator: 'OR',
              negate: true,
              cpeMatch: [{ vulnerable: false, criteria: 'cpe:2.3:o:acme:cliff:-:*:*:*:*:*:*:*', matchCriteriaId: '1' }],
            },
          ],
        },
      ],
      references: [
        { url: `https://acme.example/advisory/${number}`, source: 'cna@example.com', tags: ['Vendor Advisory'] },
        { url: `https://acme.example/fix/${number}`, source: 'cna@example.com', tags: ['Patch'] },
      ],
      ...more,
    },
  };
}

export function documentOf(records: readonly unknown[], head: Record<string, unknown> = {}): string {
  return JSON.stringify({
    resultsPerPage: records.length,
    startIndex: 0,
    totalResults: records.length,
    format: 'NVD_CVE',
    version: '2.0',
    timestamp: '2024-06-01T00:00:00.000',
    ...head,
    vulnerabilities: records,
  });
}

function kevDocument(ids: readonly string[]): string {
  return JSON.stringify({
    title: 'Catalog of Known Exploited Vulnerabilities',
    catalogVersion: '2024.06.01',
    dateReleased: '2024-06-01T00:00:00.000Z',
    count: ids.length,
    vulnerabilities: ids.map((cveID) => ({
      cveID,
      vendorProject: 'Acme',
      product: 'Anvil',
      vulnerabilityName: 'Acme Anvil Drop Vulnerability',
      dateAdded: '2024-05-01',
      shortDescription: 'It drops.',
      requiredAction: 'Hold it.',
      dueDate: '2024-05-22',
      knownRansomwareCampaignUse: 'Unknown',
      notes: '',
      cwes: ['CWE-79'],
    })),
  });
}
