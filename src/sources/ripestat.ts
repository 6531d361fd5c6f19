import { z } from 'zod';
import { formatNetwork, parseIpNetwork } from '../analysis/ip-network.ts';
import { httpSource } from './http-source.ts';
import { displayLineOrNull } from '../analysis/display-text.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import type { SourcePolicy } from './source.ts';
import { requireOk } from './source-failure.ts';

const policy: SourcePolicy = {
  id: 'ripestat',
  title: 'RIPEstat',
  provides: 'autonomous systems and their prefixes, by the routing tables that the RIPE NCC collects',
  baseUrl: 'https://stat.ripe.net/',
  timeoutMs: 8000,
  maxBytes: 8 * 1024 * 1024,
  ttlSeconds: 6 * 3600,
  concurrency: 8,
  key: null,
};

const ripestatPath = (call: string, resource: string): string =>
  `data/${call}/data.json?resource=${encodeURIComponent(resource)}&sourceapp=sextant`;

const AsNumber = z.coerce.number().int().min(0).max(4_294_967_295);
const NetworkInfo = z.object({ asns: z.array(AsNumber), prefix: z.string().nullish() });
const AsOverview = z.object({ resource: z.string(), holder: z.string().nullish(), announced: z.boolean() });
const AnnouncedPrefixes = z.object({ resource: z.string(), prefixes: z.array(z.object({ prefix: z.string() })) });

function parseRipestatData<Data>(status: number, body: string, schema: z.ZodType<Data>): Data {
  requireOk(status);
  return z.object({ data: schema }).parse(parseBoundedJson(body)).data;
}

export interface BgpRoute {
  /** AS numbers that announce it; several where multiple systems do (MOAS). */
  asns: number[];
  /** The most specific announced prefix that contains the address. */
  prefix: string | null;
}

/** The autonomous systems that announce an IP address; without any `asns` is empty and `prefix` null. */
export const announcedRoute = httpSource<{ routeOf: string }, BgpRoute>({
  policy,
  readerName: 'ripestat_route',
  request: ({ routeOf: ip }) => ({ path: ripestatPath('network-info', ip) }),
  read(status, body) {
    const { asns, prefix } = parseRipestatData(status, body, NetworkInfo);
    return { asns: [...new Set(asns)], prefix: prefix == null ? null : canonicalPrefix(prefix) };
  },
});

export interface AutonomousSystem {
  holder: string | null;
  announced: boolean;
}

/** The holder of an AS number. */
export const autonomousSystem = httpSource<{ systemOf: number }, AutonomousSystem>({
  policy,
  readerName: 'ripestat_system',
  request: ({ systemOf: asn }) => ({ path: ripestatPath('as-overview', `AS${asn}`) }),
  read(status, body, { systemOf: asn }) {
    const { resource, holder, announced } = parseRipestatData(status, body, AsOverview);
    requireSameAsn(asn, resource);
    return { holder: displayLineOrNull(holder), announced };
  },
});

/** The prefixes that an AS announces, of both families, each once. */
export const announcedPrefixes = httpSource<{ prefixesOf: number }, string[]>({
  policy,
  readerName: 'ripestat_prefixes',
  request: ({ prefixesOf: asn }) => ({ path: ripestatPath('announced-prefixes', `AS${asn}`) }),
  read(status, body, { prefixesOf: asn }) {
    const { resource, prefixes } = parseRipestatData(status, body, AnnouncedPrefixes);
    requireSameAsn(asn, resource);
    return [...new Set(prefixes.map(({ prefix }) => canonicalPrefix(prefix)).filter((prefix) => prefix !== null))];
  },
});

function requireSameAsn(asn: number, resource: string): void {
  if (resource.replace(/^as/i, '') !== String(asn)) throw new Error('an answer about another AS');
}

function canonicalPrefix(prefix: string): string | null {
  const network = parseIpNetwork(prefix);
  return network === null ? null : formatNetwork(network.prefix, network.bits);
}
