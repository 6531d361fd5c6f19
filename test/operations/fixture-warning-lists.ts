import type { WarningListEntry } from '../../src/feeds/entries.ts';

/** SHA-256 of no bytes. */
export const EMPTY_FILE = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const list = (more: Partial<WarningListEntry>): WarningListEntry => ({
  id: 'list',
  name: 'A list',
  description: 'What is in it',
  category: 'false_positive',
  as_of: '2026-01-10',
  values: [],
  patterns: [],
  ...more,
});

/** One list for each way to be found. */
export const WARNING_LISTS: readonly WarningListEntry[] = [
  list({
    id: 'top',
    name: 'Top sites',
    values: [
      { type: 'name', value: 'popular.example', below: true },
      { type: 'name', value: 'github.io', below: true },
      { type: 'name', value: 'exact.example', below: false },
    ],
  }),
  list({
    id: 'dynamic-dns',
    name: 'Dynamic DNS',
    category: 'known',
    as_of: null,
    values: [{ type: 'name', value: 'duckdns.org', below: true }],
  }),
  list({
    id: 'ranges',
    name: 'Ranges of a network',
    values: [
      { type: 'network', value: '203.1.0.0/16' },
      { type: 'network', value: '203.1.113.7' },
      { type: 'network', value: '2a00:1::/32' },
    ],
  }),
  list({ id: 'hashes', name: 'Empty files', values: [{ type: 'hash', value: EMPTY_FILE }] }),
  list({ id: 'drills', name: 'Phishing drills', patterns: [{ kind: 'substring', text: '/drill-of-ours/' }] }),
];
