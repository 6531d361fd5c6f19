import { z } from 'zod';
import { parseCountryCode } from '../../analysis/country-code.ts';
import { parseIp } from '../../analysis/ip-address.ts';
import type { NetworkEntry } from '../entries.ts';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { CleanedText, parseRecords, parseUtcTime, readJson } from '../fields.ts';

const Row = z.object({
  ip_address: z.string().refine((text) => parseIp(text) !== null, 'not an address'),
  port: z.int().min(0).max(65_535).nullish(),
  status: z.string().nullish(),
  country: z.string().nullish(),
  first_seen: z.string().nullish(),
  last_online: z.string().nullish(),
  malware: CleanedText.nullish(),
});

/** Feodo Tracker's botnet command and control servers. The list may be empty. */
export const feodoFeed: Feed<'network'> = {
  id: 'feodo',
  kind: 'network',
  title: 'Feodo Tracker botnet C2 servers',
  addresses: ['https://feodotracker.abuse.ch/downloads/'],
  folder: 'abusech/feodotracker/downloads',
  everyHours: 1,
  maxBytes: 16 * 1024 * 1024,
  maxUnpackedBytes: 16 * 1024 * 1024,
  staleAfterDays: null,
  files: async () => [feedFile('feodo', { path: 'ipblocklist.json', extent: 'varying' })],
  async *parse(bytes, _file, reporter) {
    const rows = await readJson(bytes, feodoFeed.maxUnpackedBytes);
    if (!Array.isArray(rows)) throw new FeedFormatError('JSON, but not a list of servers');
    yield parseRecords(Row, rows, reporter, { what: 'row' }).map(entryOf);
  },
};

function entryOf(row: z.infer<typeof Row>): NetworkEntry {
  const port = row.port ?? null;
  return {
    cidr: row.ip_address,
    label: port === null ? '' : String(port),
    region: null,
    country: parseCountryCode(row.country),
    server: {
      port,
      online: row.status == null ? null : row.status.toLowerCase() === 'online',
      malware: row.malware?.slice(0, 100) || null,
      first_seen: parseUtcTime(row.first_seen?.replace(' ', 'T')),
      last_online: parseUtcTime(row.last_online?.replace(' ', 'T')),
    },
  };
}
