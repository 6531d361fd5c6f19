import { z } from 'zod';
import { networkText, parseNetwork } from '../analysis/ip-network.ts';
import { httpSource } from './http-source.ts';
import { parseJson } from './parse-json.ts';
import { plainText } from './plain-text.ts';
import type { SourcePolicy } from './source.ts';

const policy: SourcePolicy = {
  id: 'ripestat',
  title: 'RIPEstat',
  provides: 'autonomous systems and their prefixes, by the routing tables that the RIPE NCC collects',
  address: 'https://stat.ripe.net/',
  timeoutMs: 8000,
  maxBytes: 8 * 1024 * 1024,
  ttlSeconds: 6 * 3600,
  concurrency: 8,
  key: null,
};

const path = (call: string, resource: string): string =>
  `data/${call}/data.json?resource=${encodeURIComponent(resource)}&sourceapp=sextant`;

const AsNumber = z.coerce.number().int().min(0).max(4_294_967_295);
const NetworkInfo = z.object({ asns: z.array(AsNumber), prefix: z.string().nullish() });
const Overview = z.object({ resource: z.string(), holder: z.string().nullish(), announced: z.boolean() });
const Prefixes = z.object({ resource: z.string(), prefixes: z.array(z.object({ prefix: z.string() })) });

function dataOf<Data>(status: number, body: string, schema: z.ZodType<Data>): Data {
  if (status !== 200) throw new Error(`status ${status}`);
  return z.object({ data: schema }).parse(parseJson(body)).data;
}

export interface Route {
  /** Those that announce it: several where it is announced at several places (MOAS). */
  asns: number[];
  /** The most specific announced prefix that holds the address. */
  prefix: string | null;
}

/** Who announces an address; nobody: no AS number, no prefix. */
export const routeOf = httpSource<{ routeOf: string }, Route>({
  policy,
  reader: 'ripestat_route',
  request: ({ routeOf: ip }) => ({ path: path('network-info', ip) }),
  read(status, body) {
    const { asns, prefix } = dataOf(status, body, NetworkInfo);
    return { asns: [...new Set(asns)], prefix: prefix == null ? null : canonical(prefix) };
  },
});

export interface AutonomousSystem {
  holder: string | null;
  announced: boolean;
}

/** Who holds an AS number. */
export const systemOf = httpSource<{ systemOf: number }, AutonomousSystem>({
  policy,
  reader: 'ripestat_system',
  request: ({ systemOf: asn }) => ({ path: path('as-overview', `AS${asn}`) }),
  read(status, body, { systemOf: asn }) {
    const { resource, holder, announced } = dataOf(status, body, Overview);
    about(asn, resource);
    return { holder: plainText(holder), announced };
  },
});

/** The prefixes that an AS announces, of both families, each once. */
export const prefixesOf = httpSource<{ prefixesOf: number }, string[]>({
  policy,
  reader: 'ripestat_prefixes',
  request: ({ prefixesOf: asn }) => ({ path: path('announced-prefixes', `AS${asn}`) }),
  read(status, body, { prefixesOf: asn }) {
    const { resource, prefixes } = dataOf(status, body, Prefixes);
    about(asn, resource);
    return [...new Set(prefixes.map(({ prefix }) => canonical(prefix)).filter((prefix) => prefix !== null))];
  },
});

function about(asn: number, resource: string): void {
  if (resource.replace(/^as/i, '') !== String(asn)) throw new Error('an answer about another AS');
}

function canonical(prefix: string): string | null {
  const network = parseNetwork(prefix);
  return network === null ? null : networkText(network.prefix, network.bits);
}
