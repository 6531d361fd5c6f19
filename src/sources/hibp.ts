import { httpSource } from './http-source.ts';
import { requireOk } from './source-failure.ts';

const RANGE_LINE = /^([0-9A-F]{35}):(\d{1,12})\r?$/;

/**
 * Have I Been Pwned, "Pwned Passwords" by range (k-anonymity): only the first five hex digits of a SHA-1 are sent, the response has all
 * suffixes with their counts, padded so that observers cannot see their number. Nothing is cached.
 */
export const hibp = httpSource<{ prefix: string }, ReadonlyMap<string, number>>({
  policy: {
    id: 'hibp',
    title: 'Have I Been Pwned',
    provides: 'how often a password was seen in breaches, by the first five digits of its hash',
    baseUrl: 'https://api.pwnedpasswords.com/',
    timeoutMs: 6000,
    maxBytes: 2 * 1024 * 1024,
    ttlSeconds: 0,
    concurrency: 8,
    key: null,
  },
  readerName: 'hibp',
  request: ({ prefix }) => ({ path: `range/${prefix}`, headers: { 'add-padding': 'true' } }),
  read(status, body) {
    requireOk(status);
    const seen = new Map<string, number>();
    for (const line of body.trimEnd().split('\n')) {
      const row = RANGE_LINE.exec(line);
      if (row === null) throw new Error('a malformed line');
      const count = Number(row[2]);
      // Entries with count 0 are padding.
      if (count > 0) seen.set(row[1]!, count);
    }
    return seen;
  },
});
