import { nameExists } from '../net/dns/answer.ts';
import type { NetworkClient } from '../net/network-client.ts';
import type { Source } from './source.ts';

const MAX_CONCURRENT_QUERIES = 50;
const QUERY_TIMEOUT_MS = 3000;
/** Part of the timeout that is reserved for returning the result. */
const RESERVED_MS = 500;

export interface DnsSweepResult {
  /** Addresses of the names that resolve. */
  addresses: Readonly<Record<string, readonly string[]>>;
  /** Names that exist and have no address. */
  withoutAddress: readonly string[];
  /** Names that are aliases: the last name of the chain, and whether that exists. */
  aliases: Readonly<Record<string, { alias: string; exists: boolean }>>;
  /** Names whose queries failed or were not sent in time. */
  unknown: readonly string[];
}

/**
 * Which of many names resolve, and their addresses. A source of its own, so that a sweep does not block other DNS queries and is cached
 * as a whole. Never fails: names that could not be queried in time are `unknown`.
 */
export const dnsSweep: Source<{ names: readonly string[] }, DnsSweepResult> = {
  policy: {
    id: 'dns_sweep',
    title: 'DNS, many names',
    provides: 'which of many names resolve',
    baseUrl: null,
    timeoutMs: 12_000,
    maxBytes: 64 * 1024,
    ttlSeconds: 60,
    concurrency: 24,
    key: null,
  },
  async ask({ names }, { net, timeoutMs, signal }) {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, timeoutMs - RESERVED_MS))]);
    const addresses: Record<string, readonly string[]> = {};
    const withoutAddress: string[] = [];
    const aliases: Record<string, { alias: string; exists: boolean }> = {};
    const unknown: string[] = [];
    const waiting = names.values();
    const work = async (): Promise<void> => {
      for (const name of waiting) {
        const found = ends.aborted ? null : await resolveName(net, name, ends);
        if (found !== null && found.alias !== null) aliases[name] = found.alias;
        if (found === null) unknown.push(name);
        else if (found.addresses.length > 0) addresses[name] = found.addresses;
        else if (found.exists) withoutAddress.push(name);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_QUERIES }, work));
    return { addresses, withoutAddress, aliases, unknown };
  },
};

/** IPv4 addresses of a name, else its IPv6 addresses; null: unknown. */
async function resolveName(
  net: NetworkClient,
  name: string,
  signal: AbortSignal,
): Promise<{ exists: boolean; addresses: string[]; alias: DnsSweepResult['aliases'][string] | null } | null> {
  try {
    const four = await net.queryDns(name, 'A', { timeoutMs: QUERY_TIMEOUT_MS, signal });
    const exists = nameExists(four);
    const target = four.aliases.at(-1);
    const alias = target === undefined ? null : { alias: target, exists: four.exists };
    if (!four.exists || four.records.length > 0) return { exists, alias, addresses: sortedRecordTexts(four.records) };
    const six = await net.queryDns(name, 'AAAA', { timeoutMs: QUERY_TIMEOUT_MS, signal });
    return { exists, alias, addresses: sortedRecordTexts(six.records) };
  } catch {
    return null;
  }
}

function sortedRecordTexts(records: readonly { data: unknown }[]): string[] {
  return records.map(({ data }) => String(data)).sort();
}
