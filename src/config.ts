import type { z } from 'zod';
import { isLoopbackHost, type OriginSettings } from './access/origin-policy.ts';
import { sourceUrlSchema, whoisUrlSchema } from './setting-schemas.ts';
import { type Setting, SETTINGS, withoutSecretParts } from './settings.ts';

/**
 * The configuration, from the environment. The only file that reads `process.env`; everything else is given what it needs.
 */
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

/** The API key that a variable of `SETTINGS` holds; null: not set. */
export function apiKeyOf(config: Config, variable: string): string | null {
  const name = (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).find(
    (each) => SETTINGS[each].variable === variable,
  );
  const value = name === undefined ? null : config[name];
  return typeof value === 'string' ? value : null;
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
      const parsed = (id === 'whois' ? whoisUrlSchema : sourceUrlSchema).safeParse(value);
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
    value: withoutSecretParts(url),
    default: '',
    means: `Address of the source ${id}.`,
  }));
  return [...rows, ...urls];
}
