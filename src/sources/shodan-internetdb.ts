import { z } from 'zod';
import { parseCveId } from '../analysis/cve/cve-id.ts';
import { parseIp } from '../analysis/ip-address.ts';
import { httpSource } from './http-source.ts';
import { displayLines } from '../analysis/display-text.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { requireOk } from './source-failure.ts';

const MAX_LISTED = 1000;

const HostRecord = z.object({
  ip: z.string(),
  ports: z.array(z.int().min(0).max(65_535)),
  hostnames: z.array(z.string()),
  cpes: z.array(z.string()),
  tags: z.array(z.string()),
  vulns: z.array(z.string()),
});

/** The results of a scan of one IP address. */
export interface HostExposure {
  ports: number[];
  hostnames: string[];
  cpes: string[];
  tags: string[];
  /** CVE ids, by the versions that services announce. */
  vulns: string[];
}

/** The last scan of an IP address by Shodan's InternetDB; null: nothing was found. */
export const internetdb = httpSource<string, HostExposure | null>({
  policy: {
    id: 'internetdb',
    title: 'Shodan InternetDB',
    provides: 'open ports, host names and known vulnerabilities of an address',
    baseUrl: 'https://internetdb.shodan.io/',
    timeoutMs: 5000,
    maxBytes: 1024 * 1024,
    ttlSeconds: 24 * 3600,
    concurrency: 8,
    key: null,
  },
  readerName: 'internetdb',
  request: (ip) => ({ path: encodeURIComponent(ip) }),
  read(status, body, ip) {
    if (status === 404) return null;
    requireOk(status);
    const record = HostRecord.parse(parseBoundedJson(body));
    if (parseIp(record.ip) !== ip) throw new Error('an answer about another address');
    return {
      ports: [...new Set(record.ports)].sort((one, other) => one - other).slice(0, MAX_LISTED),
      hostnames: displayLines(record.hostnames, MAX_LISTED, 255),
      cpes: displayLines(record.cpes, MAX_LISTED),
      tags: displayLines(record.tags, MAX_LISTED, 50),
      vulns: parseCveIds(record.vulns),
    };
  },
});

/** The CVE ids among the texts, canonical, each once. */
export function parseCveIds(texts: readonly string[]): string[] {
  const ids = texts.slice(0, MAX_LISTED).map((text) => parseCveId(text.trim()));
  return [...new Set(ids.filter((id) => id !== null))];
}
