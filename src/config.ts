import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { parseCidr } from './access/client-address.ts';
import { isLoopbackHost, type OriginSettings } from './access/origin-policy.ts';
import { parseDnsServer } from './net/dns/servers.ts';
import { parseIpNetwork } from './analysis/ip-network.ts';

/**
 * The configuration, from the environment. The only file that reads `process.env`; everything else is given what it needs.
 */
const address = z.string().regex(/^(https?|file):\S+$/, 'an http://, https:// or file: address');
const whoisAddress = z
  .string()
  .refine((text) => /^whois:\/\/[^\s/@?#]+\/?$/.test(text) && URL.canParse(text), 'whois://host or whois://host:port');
const secret = z.string().min(1).nullable();
const quota = wholeNumberSchema(0, Number.MAX_SAFE_INTEGER);
const origin = z.string().refine((text) => URL.parse(text)?.origin === text, {
  error: ({ input }) => `"${String(input)}" is not an origin, for example https://app.example.com`,
});
const hostName = z
  .string()
  .toLowerCase()
  .refine((text) => /^[\w.:[\]-]+$/.test(text) && URL.parse(`http://${text}/`)?.hostname === text, {
    error: ({ input }) => `"${String(input)}" is not a host name without a port, for example sextant.example.com`,
  });
const network = z.string().refine((text) => parseCidr(text) !== null, {
  error: ({ input }) => `"${String(input)}" is not an address or CIDR, for example 10.0.0.0/8`,
});
const resolver = z.string().refine((text) => parseDnsServer(text) !== null, {
  error: ({ input }) => `"${String(input)}" is not host[:port], for example 9.9.9.9 or [2620:fe::fe]:53`,
});

const SETTINGS = {
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
    schema: quota,
    default: '30',
    means:
      'Tokens an hour for one address (IPv6: one /64) without a key; 0: no limit. Unless it is set, callers on this machine have no limit where the service is for one person alone.',
  },
  quotaPro: {
    variable: 'SEXTANT_QUOTA_PRO',
    schema: quota,
    default: '500',
    means: 'Tokens an hour for one Pro key; 0: no limit.',
  },
  trustedProxies: {
    variable: 'SEXTANT_TRUSTED_PROXIES',
    schema: z.string().transform(splitList).pipe(z.array(network)),
    default: '',
    means: 'Addresses and CIDRs, comma-separated, whose X-Forwarded-For is believed.',
  },
  secret: {
    variable: 'SEXTANT_SECRET',
    schema: z.string().min(32, 'at least 32 characters, as `openssl rand -hex 32` makes them').nullable(),
    default: null,
    means: 'What names of callers are made with. Replicas on several machines need the same; else the file `secret`.',
    secret: true,
  },
  redisUrl: {
    variable: 'SEXTANT_REDIS_URL',
    schema: serverAddressesSchema(['redis:', 'rediss:']),
    default: null,
    means:
      'Redis or Valkey that replicas share for quota, throttle, cached answers and turns: redis:// or rediss://; of a cluster some nodes with commas between, or one with ?cluster=true.',
    show: withoutCredentials,
  },
  redisCacheUrl: {
    variable: 'SEXTANT_REDIS_CACHE_URL',
    schema: serverAddressesSchema(['redis:', 'rediss:']),
    default: null,
    means:
      'Another Redis or Valkey for cached answers, which may forget them when it is full. Default: SEXTANT_REDIS_URL.',
    show: withoutCredentials,
  },
  databaseUrl: {
    variable: 'SEXTANT_DATABASE_URL',
    schema: serverAddressesSchema(['postgres:', 'postgresql:']),
    default: null,
    means: 'PostgreSQL that replicas share for keys and usage: postgres://.',
    show: withoutCredentials,
  },
  metricsToken: {
    variable: 'SEXTANT_METRICS_TOKEN',
    schema: secret,
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
    means: 'host:port where /metrics is answered without a token: an address that only those reach who may read it.',
  },
  workers: {
    variable: 'SEXTANT_WORKERS',
    schema: wholeNumberSchema(1, 256),
    default: '1',
    means: 'Processes that answer, on one machine.',
  },
  allowedHosts: {
    variable: 'SEXTANT_ALLOWED_HOSTS',
    schema: z.string().transform(splitList).pipe(z.array(hostName)),
    default: '',
    means:
      'Host names, comma-separated, that this service is asked by. On loopback, or with private targets, others are refused; elsewhere once some are given.',
  },
  allowedOrigins: {
    variable: 'SEXTANT_ALLOWED_ORIGINS',
    schema: z.string().transform(splitList).pipe(z.array(origin)),
    default: '',
    means:
      'Origins, comma-separated, whose web pages may use the API; their hosts are names of this service too. Empty: on loopback, or with private targets, none; elsewhere all.',
  },
  mcpOrigins: {
    variable: 'SEXTANT_MCP_ORIGINS',
    schema: z.string().transform(splitList).pipe(z.array(origin)),
    default: '',
    means: 'Origins, comma-separated, whose web pages may use /mcp; their hosts are names of this service too.',
  },
  dnsServers: {
    variable: 'SEXTANT_DNS_SERVERS',
    schema: z.string().transform(splitList).pipe(z.array(resolver)),
    default: '',
    means: "Resolvers, host[:port], comma-separated, IPv6 addresses in brackets; empty: the system's.",
  },
  allowPrivateTargets: {
    variable: 'SEXTANT_ALLOW_PRIVATE_TARGETS',
    schema: z
      .string()
      .transform(splitList)
      .pipe(z.array(network.refine((text) => parseIpNetwork(text) !== null, 'an address or CIDR without a zone'))),
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
    means: 'Proxy that HTTP and TLS go out through, by CONNECT: http:// or https://, with a login if it wants one.',
    show: withoutCredentials,
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
    schema: secret,
    default: null,
    means: 'Raises the limits of the GitHub API.',
    secret: true,
  },
  abusechKey: {
    variable: 'SEXTANT_ABUSECH_KEY',
    schema: secret,
    default: null,
    means: 'Auth-Key of abuse.ch: URLhaus, ThreatFox and MalwareBazaar are asked with it, and not without.',
    secret: true,
  },
  abuseipdbKey: {
    variable: 'SEXTANT_ABUSEIPDB_KEY',
    schema: secret,
    default: null,
    means: 'Key of AbuseIPDB, which is not asked without.',
    secret: true,
  },
  shodanKey: {
    variable: 'SEXTANT_SHODAN_KEY',
    schema: secret,
    default: null,
    means: 'Key of the Shodan API, whose host look-up is not asked without.',
    secret: true,
  },
  logLevel: {
    variable: 'SEXTANT_LOG_LEVEL',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    means: 'Lines below this level are not written.',
  },
} as const satisfies Record<string, Setting>;

interface Setting {
  variable: `SEXTANT_${string}`;
  schema: z.ZodType;
  default: string | null;
  means: string;
  secret?: boolean;
  /** How the value is shown, where it has parts that are secret. */
  show?: (value: string) => string;
}

export type Config = { readonly [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]['schema']> } & {
  /** `SEXTANT_SOURCE_<ID>_URL`, by id in lower case. Trusted: an operator may point at a private address. */
  readonly sourceUrls: ReadonlyMap<string, string>;
  /** Variables that were set explicitly: some defaults depend on it. */
  readonly explicitVariables: ReadonlySet<string>;
};

/** Settings of the origin policy; `mcp`: with the origins that only MCP accepts. */
export function originSettingsOf(config: Config, mcp = false): OriginSettings {
  const { host, allowedHosts, allowedOrigins, mcpOrigins, allowPrivateTargets } = config;
  return {
    host,
    allowedHosts,
    allowedOrigins: mcp ? [...allowedOrigins, ...mcpOrigins] : allowedOrigins,
    allowsPrivateTargets: allowPrivateTargets.length > 0,
  };
}

/** True for a single-user installation on this machine, which has no quota (docs/decisions/008-one-person.md). */
export function isSingleUser({ host, explicitVariables, trustedProxies, redisUrl, databaseUrl }: Config): boolean {
  const isAlone = trustedProxies.length === 0 && redisUrl === null && databaseUrl === null;
  return isAlone && isLoopbackHost(host) && !explicitVariables.has('SEXTANT_QUOTA_KEYLESS');
}

/** Wrong settings, one line each: which, what was wrong, what is accepted. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const SOURCE_URL_VARIABLE = /^SEXTANT_SOURCE_([A-Z0-9_]+)_URL$/;

/**
 * Reads and checks the environment. `sourceIds`: sources whose address can be set; `overrides`: settings that take precedence over the
 * environment. Throws `ConfigError`.
 */
export function readConfig(
  sourceIds: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  overrides: Readonly<Record<string, string>> = {},
): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const explicitVariables = new Set<string>();
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const text = (overrides[setting.variable] ?? environment[setting.variable])?.trim() ?? '';
    if (text !== '') explicitVariables.add(setting.variable);
    const parsed = setting.schema.safeParse(text === '' ? setting.default : text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${setting.variable}: ${parsed.error.issues[0]?.message ?? 'invalid'}. ${setting.means}`);
  }
  const sourceUrls = new Map<string, string>();
  const variables = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('SEXTANT_') || variables.has(variable) || variable.startsWith('SEXTANT_TEST_')) continue;
    const id = SOURCE_URL_VARIABLE.exec(variable)?.[1]?.toLowerCase();
    if (id === undefined)
      problems.push(`${variable}: no such setting. Known: ${[...variables].join(', ')}, SEXTANT_SOURCE_<ID>_URL`);
    else if (!sourceIds.includes(id)) problems.push(`${variable}: no source "${id}". Known: ${sourceIds.join(', ')}`);
    else {
      const parsed = (id === 'whois' ? whoisAddress : address).safeParse(value);
      if (!parsed.success) problems.push(`${variable}: not ${parsed.error.issues[0]?.message}`);
      else sourceUrls.set(id, parsed.data.endsWith('/') ? parsed.data : `${parsed.data}/`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { ...values, sourceUrls, explicitVariables } as unknown as Config;
}

/** Every setting with its value for display, secrets masked. */
export function describeConfig(config: Config): { variable: string; value: string; default: string; means: string }[] {
  const rows = Object.entries(SETTINGS as Record<string, Setting>).map(([name, setting]) => {
    const value = config[name as keyof typeof SETTINGS];
    const shown = value === null ? '' : setting.secret === true ? '(set)' : (setting.show ?? String)(String(value));
    return { variable: setting.variable, value: shown, default: setting.default ?? '', means: setting.means };
  });
  const urls = [...config.sourceUrls].map(([id, url]) => ({
    variable: `SEXTANT_SOURCE_${id.toUpperCase()}_URL`,
    value: withoutCredentials(url),
    default: '',
    means: `Address of the source ${id}.`,
  }));
  return [...rows, ...urls];
}

/** URLs, comma-separated, without their parts that may be secret: credentials and query. */
export function withoutCredentials(urls: string): string {
  return urls.replace(/(\w+:\/\/)[^/?#,]*@/g, '$1').replace(/\?[^,]*/g, '');
}

function wholeNumberSchema(from: number, to: number) {
  const accepted = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `${from} to ${to}`;
  const isAccepted = (text: string): boolean => /^\d{1,16}$/.test(text) && Number(text) >= from && Number(text) <= to;
  return z.string().refine(isAccepted, `not a whole number, accepted ${accepted}`).transform(Number);
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** URLs of servers, comma-separated; null where the setting is empty. */
function serverAddressesSchema(protocols: readonly string[]) {
  const accepted = (text: string): boolean => URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return z
    .string()
    .refine(
      (text) => splitList(text).length > 0 && splitList(text).every(accepted),
      `an address that begins with ${protocols[0]}//`,
    )
    .nullable();
}

function isProxyAddress(text: string): boolean {
  const url = URL.parse(text);
  return /^https?:$/.test(url?.protocol ?? '') && url?.pathname === '/' && url.search === '' && url.hash === '';
}

/** Reads the certificates in a PEM file, one text each; reports a zod issue where it cannot. */
function readCertificates(path: string, context: z.RefinementCtx): string[] {
  if (path === '') return [];
  try {
    const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (found.length === 0) throw new Error('no certificate in it');
    return found.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `"${path}" is not a PEM file of certificates: ${(error as Error).message}`,
    });
    return z.NEVER;
  }
}

function parseFeedsAddress(given: string): string {
  if (given === 'upstream') return given;
  const url = /^(https?|file):/.test(given) ? given : pathToFileURL(resolve(given)).href;
  return url.endsWith('/') ? url : `${url}/`;
}
