import { parseIpNetwork } from '../../analysis/ip-network.ts';
import type { NetworkEntry } from '../entries.ts';
import { type Feed, type FeedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { readLines } from '../read-lines.ts';

const BATCH_ROWS = 5000;
const MAX_BYTES = 32 * 1024 * 1024;

type FeedDescription = Pick<Feed<'network'>, 'title' | 'addresses' | 'folder' | 'everyHours' | 'staleAfterDays'>;

/** A list of addresses and CIDRs, one a line; `comment` is told what stands after a `#`. An empty one is no list. */
export function lineListFeed(
  of: FeedDescription & { id: 'tor' | 'firehol'; file: string; comment?: (text: string, tally: ParseReporter) => void },
): Feed<'network'> {
  const { file, comment, ...head } = of;
  async function* parse(
    bytes: AsyncIterable<Uint8Array>,
    _file: FeedFile,
    tally: ParseReporter,
  ): AsyncIterable<NetworkEntry[]> {
    let batch: NetworkEntry[] = [];
    let rows = 0;
    for await (const chunk of readLines(bytes)) {
      for (const line of chunk.map((text) => text.trim())) {
        if (line.startsWith('#')) comment?.(line.slice(1).trim(), tally);
        if (line === '' || line.startsWith('#')) continue;
        rows++;
        if (parseIpNetwork(line) === null) tally.skip(`row ${rows}`, `no address or CIDR: ${line.slice(0, 60)}`);
        else batch.push({ cidr: line, label: '', region: null, country: null, server: null });
      }
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    if (rows === 0) throw new FeedFormatError('the list is empty');
    yield batch;
  }
  return {
    ...head,
    kind: 'network',
    maxBytes: MAX_BYTES,
    maxUnpackedBytes: MAX_BYTES,
    async files() {
      return [{ name: of.id, path: file, fingerprint: null, extent: 'varying', sha256: null }];
    },
    parse,
  };
}
