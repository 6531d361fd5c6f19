import type { NetworkClient } from '../net/network-client.ts';
import type { Source } from './source.ts';

const MAX_CONCURRENT_QUERIES = 50;
const QUERY_TIMEOUT_MS = 3000;
/** Left of the time for handing over what was found by then. */
const RESERVED_MS = 500;

export interface DnsSweepResult {
  /** Addresses of the names that resolve. */
  addresses: Readonly<Record<string, readonly string[]>>;
  /** Names of which nothing is known: their queries failed, or the time was over. */
  unknown: readonly string[];
}

/**
 * Which of many names resolve, and where to. Apart from `dns`, so that a sweep does not stand in the way of other questions, and
 * is remembered whole. Never fails: what could not be asked in time is `unknown`.
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

/** Addresses of a name, of IPv6 where it has none of IPv4; null: not known. */
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
