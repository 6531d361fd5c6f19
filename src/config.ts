import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import type { OAuthSettings } from './access/oauth/oauth-settings.ts';
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

/** Whose access tokens are accepted; null: none. */
export function oauthSettingsOf(config: Config): OAuthSettings | null {
  const { oidcIssuer, oidcResource, oidcAudience, oidcJwksUrl, oidcScope, oidcRequired } = config;
  if (oidcIssuer === null || oidcResource === null) return null;
  return {
    issuer: oidcIssuer,
    resource: oidcResource,
    audiences: oidcAudience,
    jwksUrl: oidcJwksUrl,
    scopes: oidcScope,
    required: oidcRequired,
  };
}

/** True for a single-user installation on this machine, which has no quota (docs/decisions/008-one-person.md). */
export function isSingleUser(config: Config): boolean {
  const { host, explicitVariables, trustedProxies, redisUrl, databaseUrl, oidcIssuer } = config;
  const isAlone = trustedProxies.length === 0 && redisUrl === null && databaseUrl === null && oidcIssuer === null;
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
  problems.push(...missingSettings(explicitVariables));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { ...values, sourceUrls, explicitVariables } as unknown as Config;
}

/** Settings that are set without others that they need: the service would start with less than what was meant. */
function missingSettings(explicitVariables: ReadonlySet<string>): string[] {
  const { oidcIssuer, oidcResource, oidcAudience, oidcJwksUrl, oidcScope, oidcRequired, quotaOidc } = SETTINGS;
  const { catalogFrom, catalogKey, smtpUrl, mailFrom, mailTo } = SETTINGS;
  const needs: [setting: Setting, needed: Setting][] = [
    [catalogFrom, catalogKey],
    [catalogKey, catalogFrom],
    [smtpUrl, mailFrom],
    [smtpUrl, mailTo],
    [mailFrom, smtpUrl],
    [mailTo, smtpUrl],
    [oidcIssuer, oidcResource],
    [oidcAudience, oidcScope],
    ...[oidcResource, oidcAudience, oidcJwksUrl, oidcScope, oidcRequired, quotaOidc].map(
      (setting): [Setting, Setting] => [setting, oidcIssuer],
    ),
  ];
  return needs
    .filter(([setting, needed]) => explicitVariables.has(setting.variable) && !explicitVariables.has(needed.variable))
    .map(([setting, needed]) => `${setting.variable}: it needs ${needed.variable}. ${needed.means}`);
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

/** The folder of this user for what can be computed again: of the XDG Base Directory Specification, or of the platform. */
export function cacheFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  const configured = environment['XDG_CACHE_HOME'];
  // A relative path is to be ignored, says the specification.
  if (configured !== undefined && isAbsolute(configured)) return join(configured, 'sextant');
  const byPlatform: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'Library/Caches',
    win32: 'AppData/Local/Temp',
  };
  return join(home, byPlatform[platform] ?? '.cache', 'sextant');
}

/** The environment for a program that is run for the user: this one, with `additional` variables. */
export function childEnvironment(
  additional: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...environment, ...additional };
}
