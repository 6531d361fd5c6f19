import { z } from 'zod';
import { normalizeWebUrl } from '../analysis/web-url.ts';
import { httpSource } from './http-source.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { requireOk } from './source-failure.ts';

const Entry = z.object({ cve_id: z.string().optional(), references: z.array(z.string()) });

/** References for one CVE in Shodan's CVEDB; null: unknown CVE. */
export const shodanCvedb = httpSource<string, string[] | null>({
  policy: {
    id: 'shodan_cvedb',
    title: 'Shodan CVEDB',
    provides: 'references of one CVE',
    baseUrl: 'https://cvedb.shodan.io/',
    timeoutMs: 5000,
    maxBytes: 2 * 1024 * 1024,
    ttlSeconds: 3600,
    concurrency: 4,
    key: null,
  },
  readerName: 'shodan_cvedb',
  request: (cveId) => ({ path: `cve/${encodeURIComponent(cveId)}` }),
  read(status, body, cveId) {
    if (status === 404) return null;
    requireOk(status);
    const entry = Entry.parse(parseBoundedJson(body));
    if ((entry.cve_id ?? cveId) !== cveId) throw new Error('an answer about another CVE');
    return [...new Set(entry.references.map(normalizeWebUrl).filter((address) => address !== null))];
  },
});
