import type { NetworkClient } from '../net/network-client.ts';
import type { Source } from './source.ts';

const MAX_CONCURRENT_QUERIES = 50;
const QUERY_TIMEOUT_MS = 3000;
/** Part of the timeout that is reserved for returning the result. */
const RESERVED_MS = 500;

export interface DnsSweepResult {
  /** Addresses of the names that resolve. */
  addresses: Readonly<Record<string, readonly string[]>>;
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
    const unknown: string[] = [];
    const waiting = names.values();
    const work = async (): Promise<void> => {
      for (const name of waiting) {
        const found = ends.aborted ? null : await resolveName(net, name, ends);
        if (found === null) unknown.push(name);
        else if (found.length > 0) addresses[name] = found;
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_QUERIES }, work));
    return { addresses, unknown };
  },
};

/** IPv4 addresses of a name, else its IPv6 addresses; null: unknown. */
async function resolveName(net: NetworkClient, name: string, signal: AbortSignal): Promise<string[] | null> {
  try {
    const four = await net.queryDns(name, 'A', { timeoutMs: QUERY_TIMEOUT_MS, signal });
    if (!four.exists || four.records.length > 0) return sortedRecordTexts(four.records);
    return sortedRecordTexts((await net.queryDns(name, 'AAAA', { timeoutMs: QUERY_TIMEOUT_MS, signal })).records);
  } catch {
    return null;
  }
}

function sortedRecordTexts(records: readonly { data: unknown }[]): string[] {
  return records.map(({ data }) => String(data)).sort();
}
