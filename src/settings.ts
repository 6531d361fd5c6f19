import { resolve } from 'node:path';
import { z } from 'zod';
import { defaultDataFolder } from './data-folder.ts';
import { parseIpNetwork } from './analysis/ip-network.ts';
import {
  catalogAddressSchema,
  catalogKeySchema,
  hostNameSchema,
  isProxyAddress,
  issuerSchema,
  jwksUrlSchema,
  listSchema,
  mailAddressSchema,
  mailRecipientSchema,
  networkSchema,
  originSchema,
  parseFeedsAddress,
  quotaSchema,
  readCertificates,
  resolverSchema,
  resourceSchema,
  secretSchema,
  serverAddressesSchema,
  spacedListSchema,
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
    default: defaultDataFolder(),
    means:
      'Catalog, accounts and secrets of this installation. Default: `./data` in a checkout, else a folder of the user.',
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
  catalogFrom: {
    variable: 'SEXTANT_CATALOG_FROM',
    schema: catalogAddressSchema,
    default: null,
    means:
      'Folder, base address (https://) or repository of an OCI registry (oci://) of a published catalog, which is followed in place of syncing feeds. Needs SEXTANT_CATALOG_KEY.',
    show: withoutSecretParts,
  },
  catalogKey: {
    variable: 'SEXTANT_CATALOG_KEY',
    schema: catalogKeySchema,
    default: null,
    means: 'The public key that the catalog of SEXTANT_CATALOG_FROM is signed with: its text, or a PEM file.',
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
  oidcIssuer: {
    variable: 'SEXTANT_OIDC_ISSUER',
    schema: issuerSchema,
    default: null,
    means:
      'Issuer (https://) of an authorization server whose access tokens are accepted, exactly as its metadata names it.',
  },
  oidcResource: {
    variable: 'SEXTANT_OIDC_RESOURCE',
    schema: resourceSchema,
    default: null,
    means:
      'Origin at which clients reach this service, https://host; access tokens must be for it or for its /mcp. Needed with SEXTANT_OIDC_ISSUER.',
  },
  oidcJwksUrl: {
    variable: 'SEXTANT_OIDC_JWKS_URL',
    schema: jwksUrlSchema,
    default: null,
    means: 'Address of the keys of the issuer, http:// or https://. Default: as the metadata of the issuer says.',
  },
  oidcAudience: {
    variable: 'SEXTANT_OIDC_AUDIENCE',
    schema: spacedListSchema('an audience'),
    default: '',
    means:
      'Other names of this service at the issuer, separated by spaces, that access tokens may have as their audience. Needs SEXTANT_OIDC_SCOPE, which ID tokens do not have.',
  },
  oidcScope: {
    variable: 'SEXTANT_OIDC_SCOPE',
    schema: spacedListSchema('a scope'),
    default: '',
    means: 'Scopes, separated by spaces, that an access token must have, all of them.',
  },
  oidcRequired: {
    variable: 'SEXTANT_OIDC_REQUIRED',
    schema: z.enum(['off', 'mcp', 'all']),
    default: 'mcp',
    means:
      'With SEXTANT_OIDC_ISSUER: `mcp`: /mcp answers nobody without an access token or a key, so that clients sign in; `all`: nor do REST and pages; `off`: everybody is answered.',
  },
  quotaOidc: {
    variable: 'SEXTANT_QUOTA_OIDC',
    schema: quotaSchema.nullable(),
    default: null,
    means: 'Tokens an hour for one subject of access tokens; 0: no limit. Default: SEXTANT_QUOTA_PRO.',
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
    means: 'PostgreSQL that replicas share for keys, usage and watches: postgres://.',
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
  smtpUrl: {
    variable: 'SEXTANT_SMTP_URL',
    schema: serverAddressesSchema(['smtp:', 'smtps:']),
    default: null,
    means:
      'Mail server through which watches send mail: smtps:// (TLS), or smtp:// (STARTTLS where the server offers it), with user name and password if it requires them. Needs SEXTANT_MAIL_FROM and SEXTANT_MAIL_TO.',
    show: withoutSecretParts,
  },
  mailFrom: {
    variable: 'SEXTANT_MAIL_FROM',
    schema: mailAddressSchema.nullable(),
    default: null,
    means: 'Address that mail of watches comes from. Needs SEXTANT_SMTP_URL.',
  },
  mailTo: {
    variable: 'SEXTANT_MAIL_TO',
    schema: listSchema(mailRecipientSchema),
    default: '',
    means:
      'Addresses and domains (without those below them), comma-separated, that watches may send mail to; `*`: any. Needs SEXTANT_SMTP_URL.',
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
    means: 'Lines below this level are not written. In text, if this is not set, warnings and errors are.',
  },
  logFormat: {
    variable: 'SEXTANT_LOG_FORMAT',
    schema: z.enum(['auto', 'json', 'text']),
    default: 'auto',
    means: '`json`: a JSON line for each event; `text`: for people; `auto`: text where standard error is a terminal.',
  },
} as const satisfies Record<string, Setting>;

/** URLs, comma-separated, without their parts that may be secret: credentials and query. */
export function withoutSecretParts(urls: string): string {
  return urls.replace(/(\w+:\/\/)[^/?#,]*@/g, '$1').replace(/\?[^,]*/g, '');
}
