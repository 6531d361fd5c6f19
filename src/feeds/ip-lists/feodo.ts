import { z } from 'zod';
import { parseCountryCode } from '../../analysis/country-code.ts';
import { parseIp } from '../../analysis/ip-address.ts';
import type { NetworkEntry } from '../entries.ts';
import { type Feed, type FeedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { firstIssue, CleanedText, readJson, parseUtcTime } from '../fields.ts';

const MAX_BYTES = 16 * 1024 * 1024;

const Row = z.object({
  ip_address: z.string().refine((text) => parseIp(text) !== null, 'not an address'),
  port: z.int().min(0).max(65_535).nullish(),
  status: z.string().nullish(),
  country: z.string().nullish(),
  first_seen: z.string().nullish(),
  last_online: z.string().nullish(),
  malware: CleanedText.nullish(),
});

/** Feodo Tracker's botnet command and control servers. In quiet times it lists none. */
export const feodoFeed: Feed<'network'> = {
  id: 'feodo',
  kind: 'network',
  title: 'Feodo Tracker botnet C2 servers',
  addresses: ['https://feodotracker.abuse.ch/downloads/'],
  folder: 'abusech/feodotracker/downloads',
  everyHours: 1,
  maxBytes: MAX_BYTES,
  maxUnpackedBytes: MAX_BYTES,
  staleAfterDays: null,
  async files(): Promise<FeedFile[]> {
    return [{ name: 'feodo', path: 'ipblocklist.json', fingerprint: null, extent: 'varying', sha256: null }];
  },
  parse,
};

async function* parse(
  bytes: AsyncIterable<Uint8Array>,
  _file: FeedFile,
  tally: ParseReporter,
): AsyncIterable<NetworkEntry[]> {
  const rows = await readJson(bytes, MAX_BYTES);
  if (!Array.isArray(rows)) throw new FeedFormatError('JSON, but not a list of servers');
  const entries: NetworkEntry[] = [];
  for (const [index, raw] of rows.entries()) {
    const row = Row.safeParse(raw);
    if (row.success) entries.push(entryOf(row.data));
    else tally.skip(`row ${index + 1}`, firstIssue(row.error));
  }
  yield entries;
}

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
