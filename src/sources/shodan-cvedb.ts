import { z } from 'zod';
import type { Source } from './source.ts';

const Entry = z.object({ references: z.array(z.string()) });

/** References that Shodan's CVEDB keeps for one CVE; null when it does not know the CVE. */
export const shodanCvedb: Source<string, string[] | null> = {
  policy: {
    id: 'shodan_cvedb',
    title: 'Shodan CVEDB',
    provides: 'references of one CVE',
    address: 'https://cvedb.shodan.io/',
    timeoutMs: 5000,
    maxBytes: 2 * 1024 * 1024,
    ttlSeconds: 3600,
    concurrency: 4,
    key: null,
  },
  request: (cveId) => ({ path: `cve/${encodeURIComponent(cveId)}` }),
  read(status, body) {
    if (status === 404) return null;
    if (status !== 200) throw new Error(`status ${status}`);
    const { references } = Entry.parse(JSON.parse(body));
    return [...new Set(references.filter((url) => /^https?:\/\/\S{1,2040}$/i.test(url)))];
  },
};
