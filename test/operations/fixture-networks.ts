import type { BotnetServer, NetworkEntry } from '../../src/feeds/entries.ts';
import type { FeedId } from '../../src/feeds/feed.ts';

const entry = (cidr: string, more: Partial<NetworkEntry> = {}): NetworkEntry => ({
  cidr,
  label: '',
  region: null,
  country: null,
  server: null,
  ...more,
});

/** Addresses of the lists, each for one case. All are public; `quiet` is in none of them. */
export const LISTED = {
  torExit: '185.220.101.7',
  attacker: '45.9.20.1',
  botnet: '51.15.0.9',
  oldBotnet: '51.15.0.10',
  aws: '52.0.10.1',
  awsIpv6: '2600:1f18::1',
  droplet: '46.101.0.5',
  quiet: '93.184.215.14',
} as const;

const server = (more: Partial<BotnetServer>): BotnetServer => ({
  port: 443,
  online: false,
  malware: 'QakBot',
  first_seen: '2024-01-01T00:00:00.000Z',
  last_online: '2024-01-02',
  ...more,
});

export const NETWORKS: readonly { feed: FeedId; file: string; entries: readonly NetworkEntry[] }[] = [
  { feed: 'tor', file: 'tor', entries: [entry(LISTED.torExit)] },
  { feed: 'firehol', file: 'firehol', entries: [entry('45.9.20.0/24'), entry('10.0.0.0/8')] },
  {
    feed: 'feodo',
    file: 'feodo',
    entries: [
      entry(LISTED.botnet, { label: '443', country: 'FR', server: server({ online: true }) }),
      entry(LISTED.oldBotnet, { label: '8080', country: 'FR', server: server({ port: 8080 }) }),
    ],
  },
  {
    feed: 'cloud',
    file: 'cloud/aws',
    entries: [
      entry('52.0.0.0/15', { label: 'AMAZON', region: 'us-east-1' }),
      entry('52.0.0.0/15', { label: 'EC2', region: 'us-east-1' }),
      entry('2600:1f18::/33', { label: 'EC2', region: 'us-east-1' }),
    ],
  },
  { feed: 'cloud', file: 'cloud/digitalocean', entries: [entry('46.101.0.0/18', { region: 'GB-SLG', country: 'GB' })] },
];
