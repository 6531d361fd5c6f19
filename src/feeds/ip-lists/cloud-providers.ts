import { z } from 'zod';
import { parseCountryCode } from '../../analysis/country-code.ts';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';

export interface CloudRange {
  cidr: string;
  service?: string | null;
  region?: string | null;
  country?: string | null;
}

export interface CloudProvider {
  id: string;
  title: string;
  /** Name of the file in a mirror. */
  mirrorFile: string;
  originUrl: string;
  /** If `originUrl` is a page that links to the current file: the pattern of that link. */
  linkPattern?: RegExp;
  /** Throws any error if the content is not the provider's list. */
  parse: (content: string) => CloudRange[];
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

export const CLOUD_PROVIDERS: readonly CloudProvider[] = [
  {
    id: 'aws',
    title: 'Amazon Web Services',
    mirrorFile: 'aws-ip-ranges.json',
    originUrl: 'https://ip-ranges.amazonaws.com/ip-ranges.json',
    parse(content) {
      const { prefixes, ipv6_prefixes } = Aws.parse(parseBoundedJson(content));
      return [
        ...prefixes.map(({ ip_prefix, region, service }) => ({ cidr: ip_prefix, region, service })),
        ...ipv6_prefixes.map(({ ipv6_prefix, region, service }) => ({ cidr: ipv6_prefix, region, service })),
      ];
    },
  },
  {
    id: 'gcp',
    title: 'Google Cloud',
    mirrorFile: 'gcp-cloud.json',
    originUrl: 'https://www.gstatic.com/ipranges/cloud.json',
    parse: (content) =>
      Google.parse(parseBoundedJson(content)).prefixes.map(({ ipv4Prefix, ipv6Prefix, service, scope }) => ({
        cidr: ipv4Prefix ?? ipv6Prefix ?? '',
        service,
        region: scope,
      })),
  },
  {
    id: 'azure',
    title: 'Microsoft Azure',
    mirrorFile: 'azure-service-tags.json',
    originUrl: 'https://www.microsoft.com/en-us/download/details.aspx?id=56519',
    linkPattern: /https:\/\/download\.microsoft\.com\/download\/[\w/-]{1,200}\/ServiceTags_Public_\d{8}\.json/,
    parse: (content) =>
      Azure.parse(parseBoundedJson(content)).values.flatMap(({ name, properties: { region, addressPrefixes } }) =>
        addressPrefixes.map((cidr) => ({ cidr, service: name, region })),
      ),
  },
  {
    id: 'cloudflare',
    title: 'Cloudflare',
    mirrorFile: 'cloudflare-ips.json',
    originUrl: 'https://api.cloudflare.com/client/v4/ips',
    parse(content) {
      const { ipv4_cidrs, ipv6_cidrs } = Cloudflare.parse(parseBoundedJson(content)).result;
      return [...ipv4_cidrs, ...ipv6_cidrs].map((cidr) => ({ cidr }));
    },
  },
  {
    id: 'oracle',
    title: 'Oracle Cloud',
    mirrorFile: 'oracle-public_ip_ranges.json',
    originUrl: 'https://docs.oracle.com/iaas/tools/public_ip_ranges.json',
    parse: (content) =>
      Oracle.parse(parseBoundedJson(content)).regions.flatMap(({ region, cidrs }) =>
        cidrs.map(({ cidr, tags }) => ({ cidr, region, service: tags.join(', ') })),
      ),
  },
  {
    id: 'fastly',
    title: 'Fastly',
    mirrorFile: 'fastly-public-ip-list.json',
    originUrl: 'https://api.fastly.com/public-ip-list',
    parse(content) {
      const { addresses, ipv6_addresses } = Fastly.parse(parseBoundedJson(content));
      return [...addresses, ...ipv6_addresses].map((cidr) => ({ cidr }));
    },
  },
  {
    id: 'digitalocean',
    title: 'DigitalOcean',
    mirrorFile: 'digitalocean-google.csv',
    originUrl: 'https://digitalocean.com/geo/google.csv',
    parse: parseGeofeed,
  },
  {
    id: 'linode',
    title: 'Akamai Linode',
    mirrorFile: 'linode-geofeed.csv',
    originUrl: 'https://geoip.linode.com/',
    parse: parseGeofeed,
  },
];

/** RFC 8805: `prefix,country,region,city,postal`. */
function parseGeofeed(content: string): CloudRange[] {
  const rows = content.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (rows.length === 0 || !rows[0]!.includes(',')) throw new Error('not a geofeed');
  return rows.map((row) => {
    const [cidr = '', country, region] = row.trim().split(',', 4);
    return { cidr, country: parseCountryCode(country), region: region || null };
  });
}
