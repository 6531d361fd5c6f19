import { resolve } from 'node:path';
import { z } from 'zod';
import { parseIpNetwork } from './analysis/ip-network.ts';
import {
  hostNameSchema,
  isProxyAddress,
  listSchema,
  networkSchema,
  originSchema,
  parseFeedsAddress,
  quotaSchema,
  readCertificates,
  resolverSchema,
  secretSchema,
  serverAddressesSchema,
  wholeNumberSchema,
} from './setting-schemas.ts';

/** One setting, read from an environment variable. */
export interface Setting {
  variable: `SEXTANT_${string}`;
  schema: z.ZodType;
  default: string | null;
  means: string;
  secret?: boolean;
  /** How the value is shown, where it has parts that are secret. */
  show?: (value: string) => string;
}

/** All settings but the addresses of sources. The keys are the names in `Config`. */
export const SETTINGS = {
  host: { variable: 'SEXTANT_HOST', schema: z.string().min(1), default: '127.0.0.1', means: 'Address to listen on.' },
  port: {
    variable: 'SEXTANT_PORT',
    schema: wholeNumberSchema(0, 65_535),
    default: '8080',
    means: 'Port to listen on; 0 takes a free one.',
  },
  dataDir: {
    variable: 'SEXTANT_DATA_DIR',
    schema: z
      .string()
      .min(1)
      .transform((path) => resolve(path)),
    default: './data',
    means: 'Catalog, accounts and secrets of this installation.',
  },
  feeds: {
    variable: 'SEXTANT_FEEDS',
    schema: z.string().min(1).transform(parseFeedsAddress),
    default: 'upstream',
    means: '`upstream`, or a folder or base address that mirrors all synced feeds.',
  },
  sync: {
    variable: 'SEXTANT_SYNC',
    schema: z.enum(['auto', 'off']),
    default: 'auto',
    means: '`auto`: at start and on schedule; `off`.',
  },
  quotaKeyless: {
    variable: 'SEXTANT_QUOTA_KEYLESS',
    schema: quotaSchema,
    default: '30',
    means:
      'Tokens an hour for one address (IPv6: one /64) without a key; 0: no limit. Unless it is set, a single-user installation has no limit for callers on this machine.',
  },
  quotaPro: {
    variable: 'SEXTANT_QUOTA_PRO',
    schema: quotaSchema,
    default: '500',
    means: 'Tokens an hour for one Pro key; 0: no limit.',
  },
  trustedProxies: {
    variable: 'SEXTANT_TRUSTED_PROXIES',
    schema: listSchema(networkSchema),
    default: '',
    means: 'Addresses and CIDRs, comma-separated, whose X-Forwarded-For is trusted.',
  },
  secret: {
    variable: 'SEXTANT_SECRET',
    schema: z.string().min(32, 'at least 32 characters, as `openssl rand -hex 32` makes them').nullable(),
    default: null,
    means:
      'Secret from which pseudonyms of callers are made. Replicas on several machines need the same. Default: the file `secret`.',
    secret: true,
  },
  redisUrl: {
    variable: 'SEXTANT_REDIS_URL',
    schema: serverAddressesSchema(['redis:', 'rediss:']),
    default: null,
    means:
      'Redis or Valkey that replicas share for quota, throttle, cached answers and locks: redis:// or rediss://; for a cluster several nodes, comma-separated, or one with ?cluster=true.',
    show: withoutSecretParts,
  },
  redisCacheUrl: {
    variable: 'SEXTANT_REDIS_CACHE_URL',
    schema: serverAddressesSchema(['redis:', 'rediss:']),
    default: null,
    means:
      'Another Redis or Valkey for cached answers, which may evict them when it is full. Default: SEXTANT_REDIS_URL.',
    show: withoutSecretParts,
  },
  databaseUrl: {
    variable: 'SEXTANT_DATABASE_URL',
    schema: serverAddressesSchema(['postgres:', 'postgresql:']),
    default: null,
    means: 'PostgreSQL that replicas share for keys and usage: postgres://.',
    show: withoutSecretParts,
  },
  metricsToken: {
    variable: 'SEXTANT_METRICS_TOKEN',
    schema: secretSchema,
    default: null,
    means: 'Enables /metrics for requests with this bearer token.',
    secret: true,
  },
  metricsListen: {
    variable: 'SEXTANT_METRICS_LISTEN',
    schema: z
      .string()
      .regex(/^([^\s:/@]+|\[[\da-f:.]+\]):\d{1,5}$/i, 'host:port, for example 127.0.0.1:9464')
      .refine((text) => URL.canParse(`http://${text}`), 'host:port, for example 127.0.0.1:9464')
      .nullable(),
    default: null,
    means: 'host:port where /metrics is answered without a token: an address that only authorised readers can reach.',
  },
  workers: {
    variable: 'SEXTANT_WORKERS',
    schema: wholeNumberSchema(1, 256),
    default: '1',
    means: 'Processes that answer, on one machine.',
  },
  allowedHosts: {
    variable: 'SEXTANT_ALLOWED_HOSTS',
    schema: listSchema(hostNameSchema),
    default: '',
    means:
      'Host names of this service, comma-separated. On loopback, or with private targets, others are refused; elsewhere only if this is set.',
  },
  allowedOrigins: {
    variable: 'SEXTANT_ALLOWED_ORIGINS',
    schema: listSchema(originSchema),
    default: '',
    means:
      'Origins, comma-separated, whose web pages may use the API; their hosts are names of this service too. Empty: on loopback, or with private targets, none; elsewhere all.',
  },
  mcpOrigins: {
    variable: 'SEXTANT_MCP_ORIGINS',
    schema: listSchema(originSchema),
    default: '',
    means: 'Origins, comma-separated, whose web pages may use /mcp; their hosts are names of this service too.',
  },
  dnsServers: {
    variable: 'SEXTANT_DNS_SERVERS',
    schema: listSchema(resolverSchema),
    default: '',
    means: "Resolvers, host[:port], comma-separated, IPv6 addresses in brackets; empty: the system's.",
  },
  allowPrivateTargets: {
    variable: 'SEXTANT_ALLOW_PRIVATE_TARGETS',
    schema: listSchema(
      networkSchema.refine((text) => parseIpNetwork(text) !== null, 'an address or CIDR without a zone'),
    ),
    default: '',
    means:
      'Addresses and CIDRs, comma-separated, that may be targets although they are not public: a lab, an intranet.',
  },
  proxy: {
    variable: 'SEXTANT_PROXY',
    schema: z
      .string()
      .refine(isProxyAddress, 'an address that begins with http:// or https://, without a path')
      .nullable(),
    default: null,
    means:
      'Proxy that HTTP and TLS go out through, by CONNECT: http:// or https://, with credentials if it requires them.',
    show: withoutSecretParts,
  },
  extraCa: {
    variable: 'SEXTANT_EXTRA_CA',
    schema: z.string().transform(readCertificates),
    default: '',
    means: 'PEM file of additional trusted CA certificates.',
    show: (pem) => `${pem.split('-----BEGIN').length - 1} certificates`,
  },
  githubToken: {
    variable: 'SEXTANT_GITHUB_TOKEN',
    schema: secretSchema,
    default: null,
    means: 'Raises the limits of the GitHub API.',
    secret: true,
  },
  abusechKey: {
    variable: 'SEXTANT_ABUSECH_KEY',
    schema: secretSchema,
    default: null,
    means: 'Auth-Key of abuse.ch: URLhaus, ThreatFox and MalwareBazaar are asked only with it.',
    secret: true,
  },
  abuseipdbKey: {
    variable: 'SEXTANT_ABUSEIPDB_KEY',
    schema: secretSchema,
    default: null,
    means: 'Key of AbuseIPDB, which is asked only with it.',
    secret: true,
  },
  shodanKey: {
    variable: 'SEXTANT_SHODAN_KEY',
    schema: secretSchema,
    default: null,
    means: 'Key of the Shodan API, whose host look-up is asked only with it.',
    secret: true,
  },
  logLevel: {
    variable: 'SEXTANT_LOG_LEVEL',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    means: 'Lines below this level are not written.',
  },
} as const satisfies Record<string, Setting>;

/** URLs, comma-separated, without their parts that may be secret: credentials and query. */
export function withoutSecretParts(urls: string): string {
  return urls.replace(/(\w+:\/\/)[^/?#,]*@/g, '$1').replace(/\?[^,]*/g, '');
}
