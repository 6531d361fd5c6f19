import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/**
 * The configuration, from the environment. The only file that reads `process.env`; everything else is given what it needs.
 */
const address = z.string().regex(/^(https?|file):\S+$/, 'http://, https:// or file: address');
const secret = z.string().min(1).nullable();

const SETTINGS = {
  host: { variable: 'SEXTANT_HOST', schema: z.string().min(1), default: '127.0.0.1', means: 'Address to listen on.' },
  port: {
    variable: 'SEXTANT_PORT',
    schema: z.coerce.number().int().min(0).max(65_535),
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
    schema: z.string().min(1).transform(feedsAddress),
    default: 'upstream',
    means: '`upstream`, or a folder or base address that mirrors all synced feeds.',
  },
  sync: {
    variable: 'SEXTANT_SYNC',
    schema: z.enum(['auto', 'off']),
    default: 'auto',
    means: '`auto`: at start and on schedule; `off`.',
  },
  githubToken: {
    variable: 'SEXTANT_GITHUB_TOKEN',
    schema: secret,
    default: null,
    means: 'Raises the limits of the GitHub API.',
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
}

export type Config = { readonly [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]['schema']> } & {
  /** `SEXTANT_SOURCE_<ID>_URL`, by id in lower case. Trusted: an operator may point at a private address. */
  readonly sourceUrls: ReadonlyMap<string, string>;
};

/** Wrong settings, one line each: which, what was wrong, what is accepted. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const SOURCE_URL = /^SEXTANT_SOURCE_([A-Z0-9_]+)_URL$/;

/** Reads and checks the environment. `sourceIds` are the sources whose address may be set. Throws `ConfigError`. */
export function readConfig(sourceIds: readonly string[], environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const given = environment[setting.variable]?.trim();
    const parsed = setting.schema.safeParse(given === undefined || given === '' ? setting.default : given);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${setting.variable}: ${parsed.error.issues[0]?.message ?? 'invalid'}. ${setting.means}`);
  }
  const sourceUrls = new Map<string, string>();
  const variables = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('SEXTANT_') || variables.has(variable) || variable.startsWith('SEXTANT_TEST_')) continue;
    const id = SOURCE_URL.exec(variable)?.[1]?.toLowerCase();
    if (id === undefined)
      problems.push(`${variable}: no such setting. Known: ${[...variables].join(', ')}, SEXTANT_SOURCE_<ID>_URL`);
    else if (!sourceIds.includes(id)) problems.push(`${variable}: no source "${id}". Known: ${sourceIds.join(', ')}`);
    else if (!address.safeParse(value).success) problems.push(`${variable}: not an http://, https:// or file: address`);
    else sourceUrls.set(id, value!.endsWith('/') ? value! : `${value}/`);
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { ...values, sourceUrls } as unknown as Config;
}

/** Every setting with its value, for people; secrets masked. */
export function describeConfig(config: Config): { variable: string; value: string; default: string; means: string }[] {
  const rows = Object.entries(SETTINGS as Record<string, Setting>).map(([name, setting]) => {
    const value = config[name as keyof typeof SETTINGS];
    const shown = value === null ? '' : setting.secret === true ? '(set)' : String(value);
    return { variable: setting.variable, value: shown, default: setting.default ?? '', means: setting.means };
  });
  const urls = [...config.sourceUrls].map(([id, url]) => ({
    variable: `SEXTANT_SOURCE_${id.toUpperCase()}_URL`,
    value: withoutLogin(url),
    default: '',
    means: `Address of the source ${id}.`,
  }));
  return [...rows, ...urls];
}

function withoutLogin(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}

function feedsAddress(given: string): string {
  if (given === 'upstream') return given;
  const url = /^(https?|file):/.test(given) ? given : pathToFileURL(resolve(given)).href;
  return url.endsWith('/') ? url : `${url}/`;
}
