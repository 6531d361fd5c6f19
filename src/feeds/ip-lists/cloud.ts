import { parseIpNetwork } from '../../analysis/ip-network.ts';
import { displayText } from '../../analysis/display-text.ts';
import type { NetworkEntry } from '../entries.ts';
import { type Feed, type FeedFile, feedFile, FeedFormatError } from '../feed.ts';
import { readAllBytes } from '../unpack.ts';
import type { Upstream } from '../upstream.ts';
import { type CloudRange, CLOUD_PROVIDERS, type CloudProvider } from './cloud-providers.ts';

const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const MAX_LABEL_CHARACTERS = 100;

/** The address ranges that cloud providers publish. Each provider is a file of its own, so that one failure leaves the others. */
export const cloudFeed: Feed<'network'> = {
  id: 'cloud',
  kind: 'network',
  title: 'Address ranges of cloud providers',
  addresses: ['https://ip-ranges.amazonaws.com/'],
  folder: 'cloud',
  everyHours: 6,
  maxBytes: 64 * 1024 * 1024,
  maxUnpackedBytes: 64 * 1024 * 1024,
  staleAfterDays: null,
  async files(upstream) {
    return CLOUD_PROVIDERS.map((provider) => fileOf(provider, upstream));
  },
  async *parse(bytes, file, reporter) {
    const provider = CLOUD_PROVIDERS.find(({ id }) => file.name === `cloud/${id}`);
    if (provider === undefined) throw new FeedFormatError(`${file.name} is of no known provider`);
    const content = new TextDecoder().decode(await readAllBytes(bytes, cloudFeed.maxUnpackedBytes));
    const entries: NetworkEntry[] = [];
    for (const range of parseRanges(content, provider)) {
      if (parseIpNetwork(range.cidr) === null) reporter.skip(range.cidr.slice(0, 60), 'not a CIDR');
      else entries.push(entryOf(range));
    }
    yield entries;
  },
};

function fileOf({ id, mirrorFile, originUrl, linkPattern }: CloudProvider, upstream: Upstream): FeedFile {
  const path = upstream.layout === 'origin' ? originUrl : mirrorFile;
  const name = `cloud/${id}`;
  if (linkPattern === undefined || upstream.layout !== 'origin') return feedFile(name, { path });
  return feedFile(name, {
    path,
    async open(validator) {
      const link = linkPattern.exec((await upstream.readText(originUrl, MAX_PAGE_BYTES)) ?? '')?.[0];
      if (link === undefined) throw new FeedFormatError('its page names no file');
      return upstream.openFile(link, validator);
    },
  });
}

function parseRanges(content: string, { parse, title }: CloudProvider): Iterable<CloudRange> {
  try {
    return parse(content);
  } catch {
    throw new FeedFormatError(`not the list of ranges of ${title}`);
  }
}

function entryOf({ cidr, service = null, region = null, country = null }: CloudRange): NetworkEntry {
  const clean = (text: string): string => displayText(text, MAX_LABEL_CHARACTERS);
  return {
    cidr,
    label: clean(service ?? ''),
    region: region === null || region === '' ? null : clean(region),
    country,
    server: null,
  };
}
