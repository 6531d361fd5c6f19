import { z } from 'zod';
import { countryCode } from '../../analysis/country-code.ts';
import { parseJson } from '../json.ts';

export interface CloudRange {
  cidr: string;
  service?: string | null;
  region?: string | null;
  country?: string | null;
}

export interface Provider {
  id: string;
  title: string;
  /** Name of the file in a copy of the feeds. */
  copy: string;
  origin: string;
  /** Where `origin` is a page that names the file of the day: that name. */
  page?: RegExp;
  /** Throws where it is not what the provider publishes. */
  read: (content: string) => CloudRange[];
}

const Aws = z.object({
  prefixes: z.array(z.object({ ip_prefix: z.string(), region: z.string(), service: z.string() })).min(1),
  ipv6_prefixes: z.array(z.object({ ipv6_prefix: z.string(), region: z.string(), service: z.string() })),
});
const Google = z.object({
  prefixes: z
    .array(
      z.object({
        ipv4Prefix: z.string().optional(),
        ipv6Prefix: z.string().optional(),
        service: z.string(),
        scope: z.string(),
      }),
    )
    .min(1),
});
const Azure = z.object({
  values: z
    .array(
      z.object({
        name: z.string(),
        properties: z.object({ region: z.string(), addressPrefixes: z.array(z.string()) }),
      }),
    )
    .min(1),
});
const Cloudflare = z.object({
  result: z.object({ ipv4_cidrs: z.array(z.string()).min(1), ipv6_cidrs: z.array(z.string()) }),
});
const Oracle = z.object({
  regions: z
    .array(z.object({ region: z.string(), cidrs: z.array(z.object({ cidr: z.string(), tags: z.array(z.string()) })) }))
    .min(1),
});
const Fastly = z.object({ addresses: z.array(z.string()).min(1), ipv6_addresses: z.array(z.string()) });

export const PROVIDERS: readonly Provider[] = [
  {
    id: 'aws',
    title: 'Amazon Web Services',
    copy: 'aws-ip-ranges.json',
    origin: 'https://ip-ranges.amazonaws.com/ip-ranges.json',
    read(content) {
      const { prefixes, ipv6_prefixes } = Aws.parse(parseJson(content));
      return [
        ...prefixes.map(({ ip_prefix, region, service }) => ({ cidr: ip_prefix, region, service })),
        ...ipv6_prefixes.map(({ ipv6_prefix, region, service }) => ({ cidr: ipv6_prefix, region, service })),
      ];
    },
  },
  {
    id: 'gcp',
    title: 'Google Cloud',
    copy: 'gcp-cloud.json',
    origin: 'https://www.gstatic.com/ipranges/cloud.json',
    read: (content) =>
      Google.parse(parseJson(content)).prefixes.map(({ ipv4Prefix, ipv6Prefix, service, scope }) => ({
        cidr: ipv4Prefix ?? ipv6Prefix ?? '',
        service,
        region: scope,
      })),
  },
  {
    id: 'azure',
    title: 'Microsoft Azure',
    copy: 'azure-service-tags.json',
    origin: 'https://www.microsoft.com/en-us/download/details.aspx?id=56519',
    page: /https:\/\/download\.microsoft\.com\/download\/[\w/-]{1,200}\/ServiceTags_Public_\d{8}\.json/,
    read: (content) =>
      Azure.parse(parseJson(content)).values.flatMap(({ name, properties: { region, addressPrefixes } }) =>
        addressPrefixes.map((cidr) => ({ cidr, service: name, region })),
      ),
  },
  {
    id: 'cloudflare',
    title: 'Cloudflare',
    copy: 'cloudflare-ips.json',
    origin: 'https://api.cloudflare.com/client/v4/ips',
    read(content) {
      const { ipv4_cidrs, ipv6_cidrs } = Cloudflare.parse(parseJson(content)).result;
      return [...ipv4_cidrs, ...ipv6_cidrs].map((cidr) => ({ cidr }));
    },
  },
  {
    id: 'oracle',
    title: 'Oracle Cloud',
    copy: 'oracle-public_ip_ranges.json',
    origin: 'https://docs.oracle.com/iaas/tools/public_ip_ranges.json',
    read: (content) =>
      Oracle.parse(parseJson(content)).regions.flatMap(({ region, cidrs }) =>
        cidrs.map(({ cidr, tags }) => ({ cidr, region, service: tags.join(', ') })),
      ),
  },
  {
    id: 'fastly',
    title: 'Fastly',
    copy: 'fastly-public-ip-list.json',
    origin: 'https://api.fastly.com/public-ip-list',
    read(content) {
      const { addresses, ipv6_addresses } = Fastly.parse(parseJson(content));
      return [...addresses, ...ipv6_addresses].map((cidr) => ({ cidr }));
    },
  },
  {
    id: 'digitalocean',
    title: 'DigitalOcean',
    copy: 'digitalocean-google.csv',
    origin: 'https://digitalocean.com/geo/google.csv',
    read: readGeofeed,
  },
  {
    id: 'linode',
    title: 'Akamai Linode',
    copy: 'linode-geofeed.csv',
    origin: 'https://geoip.linode.com/',
    read: readGeofeed,
  },
];

/** RFC 8805: `prefix,country,region,city,postal`. */
function readGeofeed(content: string): CloudRange[] {
  const rows = content.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (rows.length === 0 || !rows[0]!.includes(',')) throw new Error('not a geofeed');
  return rows.map((row) => {
    const [cidr = '', country, region] = row.trim().split(',', 4);
    return { cidr, country: countryCode(country), region: region || null };
  });
}
