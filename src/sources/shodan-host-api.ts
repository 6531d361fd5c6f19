import { z } from 'zod';
import { parseCountryCode } from '../analysis/country-code.ts';
import { parseIp } from '../analysis/ip-address.ts';
import { httpSource } from './http-source.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { parseCveIds } from './shodan-internetdb.ts';
import { displayLineOrNull, displayLines } from '../analysis/display-text.ts';
import { requireOk } from './source-failure.ts';

const MAX_LISTED = 1000;

const nullableTexts = z.array(z.string()).nullish();
const Host = z.object({
  ip_str: z.string(),
  org: z.string().nullish(),
  isp: z.string().nullish(),
  os: z.string().nullish(),
  country_code: z.string().nullish(),
  ports: z.array(z.int()).nullish(),
  hostnames: nullableTexts,
  tags: nullableTexts,
  vulns: z.union([nullableTexts, z.record(z.string(), z.unknown())]),
  last_update: z.string().nullish(),
});

export interface ShodanHost {
  org: string | null;
  isp: string | null;
  os: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  ports: number[];
  hostnames: string[];
  tags: string[];
  vulns: string[];
  /** ISO 8601, UTC. */
  last_update: string | null;
}

/** Shodan's host record (REST API, `/shodan/host/{ip}`), without banners; null: no record. */
export const shodanHost = httpSource<string, ShodanHost | null>({
  policy: {
    id: 'shodan',
    title: 'Shodan host API',
    provides: 'owner, country and services of an address',
    baseUrl: 'https://api.shodan.io/',
    timeoutMs: 8000,
    maxBytes: 4 * 1024 * 1024,
    ttlSeconds: 24 * 3600,
    concurrency: 2,
    key: { variable: 'SEXTANT_SHODAN_KEY', needed: true },
  },
  readerName: 'shodan',
  request: (ip, key) => ({
    path: `shodan/host/${encodeURIComponent(ip)}?minify=true&key=${encodeURIComponent(key ?? '')}`,
  }),
  read(status, body, ip) {
    if (status === 404) return null;
    requireOk(status);
    const host = Host.parse(parseBoundedJson(body));
    if (parseIp(host.ip_str) !== ip) throw new Error('an answer about another address');
    const updated = Date.parse(`${host.last_update?.slice(0, 19)}Z`);
    return {
      org: displayLineOrNull(host.org),
      isp: displayLineOrNull(host.isp),
      os: displayLineOrNull(host.os),
      country: parseCountryCode(host.country_code),
      ports: [...new Set(host.ports ?? [])].sort((one, other) => one - other).slice(0, MAX_LISTED),
      hostnames: displayLines(host.hostnames, MAX_LISTED, 255),
      tags: displayLines(host.tags, MAX_LISTED, 50),
      vulns: parseCveIds(Array.isArray(host.vulns) ? host.vulns : Object.keys(host.vulns ?? {})),
      last_update: Number.isNaN(updated) ? null : new Date(updated).toISOString(),
    };
  },
});
