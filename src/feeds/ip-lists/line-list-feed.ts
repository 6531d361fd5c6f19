import { parseIpNetwork } from '../../analysis/ip-network.ts';
import type { NetworkEntry } from '../entries.ts';
import { type Feed, type FeedFile, feedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { readLines } from '../read-lines.ts';

const MAX_BYTES = 32 * 1024 * 1024;

type FeedDescription = Pick<Feed<'network'>, 'title' | 'addresses' | 'folder' | 'everyHours' | 'staleAfterDays'>;

/** A list of addresses and CIDRs, one a line; `comment` is told what stands after a `#`. An empty one is no list. */
export function lineListFeed(
  of: FeedDescription & {
    id: 'tor' | 'firehol';
    file: string;
    comment?: (text: string, reporter: ParseReporter) => void;
  },
): Feed<'network'> {
  const { file, comment, ...head } = of;
  async function* parse(
    bytes: AsyncIterable<Uint8Array>,
    _file: FeedFile,
    reporter: ParseReporter,
  ): AsyncIterable<NetworkEntry[]> {
    let rows = 0;
    for await (const chunk of readLines(bytes)) {
      const entries: NetworkEntry[] = [];
      for (const line of chunk.map((text) => text.trim())) {
        if (line.startsWith('#')) comment?.(line.slice(1).trim(), reporter);
        if (line === '' || line.startsWith('#')) continue;
        rows++;
        if (parseIpNetwork(line) === null) reporter.skip(`row ${rows}`, `no address or CIDR: ${line.slice(0, 60)}`);
        else entries.push({ cidr: line, label: '', region: null, country: null, server: null });
      }
      yield entries;
    }
    if (rows === 0) throw new FeedFormatError('the list is empty');
  }
  return {
    ...head,
    kind: 'network',
    maxBytes: MAX_BYTES,
    maxUnpackedBytes: MAX_BYTES,
    files: async () => [feedFile(of.id, { path: file, extent: 'varying' })],
    parse,
  };
}
