import { parseIpNetwork } from '../../analysis/ip-network.ts';
import type { NetworkEntry } from '../entries.ts';
import { type Feed, feedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { readLines } from '../read-lines.ts';

const MAX_BYTES = 32 * 1024 * 1024;

interface LineList extends Pick<Feed<'network'>, 'title' | 'addresses' | 'folder' | 'everyHours' | 'staleAfterDays'> {
  id: 'tor' | 'firehol';
  file: string;
  /** Called for each comment line, with the text after the `#`. */
  readComment?: (text: string, reporter: ParseReporter) => void;
}

/** A feed of addresses and CIDRs, one in each line. An empty list is a `FeedFormatError`. */
export function lineListFeed({ file, readComment, ...description }: LineList): Feed<'network'> {
  return {
    ...description,
    kind: 'network',
    maxBytes: MAX_BYTES,
    maxUnpackedBytes: MAX_BYTES,
    files: async () => [feedFile(description.id, { path: file, extent: 'varying' })],
    async *parse(bytes, _file, reporter) {
      let rows = 0;
      for await (const lines of readLines(bytes)) {
        const entries: NetworkEntry[] = [];
        for (const line of lines.map((text) => text.trim())) {
          if (line.startsWith('#')) readComment?.(line.slice(1).trim(), reporter);
          if (line === '' || line.startsWith('#')) continue;
          rows++;
          if (parseIpNetwork(line) === null) reporter.skip(`row ${rows}`, `no address or CIDR: ${line.slice(0, 60)}`);
          else entries.push({ cidr: line, label: '', region: null, country: null, server: null });
        }
        yield entries;
      }
      if (rows === 0) throw new FeedFormatError('the list is empty');
    },
  };
}
