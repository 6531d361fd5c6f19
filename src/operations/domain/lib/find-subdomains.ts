import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { COMMON_SUBDOMAINS } from '../../../analysis/dns/common-subdomains.ts';
import { crtsh } from '../../../sources/crtsh.ts';
import { dnsSweep, type DnsSweepResult } from '../../../sources/dns-sweep.ts';
import type { Context } from '../../../engine/context.ts';
import { formatCount } from '../../../engine/summary.ts';
import { addUnrelatedCertificatesGap } from './look-up-certificates.ts';

/** Names from the logs that are resolved; the others are listed without addresses. */
const MAX_RESOLVED_NAMES = 1000;
/** Levels below the domain that are tested for a wildcard. */
const MAX_WILDCARD_LEVELS = 30;
const MAX_ADDRESSES = 10;
/** Share of unanswered queries above which the sweep is reported as unavailable. */
const MAX_UNANSWERED_SHARE = 0.02;

export const Subdomain = z.object({
  name: ForeignText,
  source: z.enum(['ct', 'dns', 'both']).meta({ description: 'ct: the certificate logs.' }),
  ips: z.array(z.string()).nullable().meta({ description: 'Null: it does not resolve, or that is not known.' }),
  wildcard: z.boolean().meta({ description: 'It resolves only because any name there does.' }),
});
export type Subdomain = z.output<typeof Subdomain>;

export interface SubdomainsResult {
  /** Those that resolve first, then by name. */
  subdomains: Subdomain[];
  /** Number of names found, listed or not; null: neither the logs nor the DNS answered. */
  total: number | null;
  /** Number of names in the logs; null: crt.sh did not answer. */
  from_ct: number | null;
  /** Null: no query for a common name was answered. */
  from_dns: number | null;
  /** Whether any name directly below the domain resolves. Null: unknown. */
  wildcard: boolean | null;
  triedCount: number;
  /** Names that are aliases, with the last name of the chain. */
  aliases: DnsSweepResult['aliases'];
}

/**
 * Names below a domain: from the certificate logs, and those of `labels` that resolve. Where a wildcard resolves any name, a name
 * counts as found by DNS only if its addresses differ from the wildcard's.
 */
export async function findSubdomains(
  context: Context,
  domain: string,
  labels = COMMON_SUBDOMAINS,
): Promise<SubdomainsResult> {
  const commonNames = labels.map((word) => `${word}.${domain}`).filter((name) => name.length <= 253);
  const commonNameSet = new Set(commonNames);
  const [ctResult, topWildcards, commonSweep] = await Promise.all([
    context.ask(crtsh, { domain, subdomainsOnly: true }),
    findWildcards(context, [domain]),
    sweepNames(context, commonNames),
  ]);
  if (ctResult.status === 'ok') addUnrelatedCertificatesGap(context, ctResult.found, domain);
  const ctNames = ctResult.status === 'ok' ? ctResult.found.subdomains : null;
  const ctTotal = ctResult.status === 'ok' ? ctResult.found.total_subdomains : 0;
  const unresolvedCtNames = (ctNames ?? []).filter((name) => !commonNameSet.has(name)).slice(0, MAX_RESOLVED_NAMES);
  const { sweep: ctSweep, wildcards: lowerWildcards } = await resolveCtNames(context, domain, unresolvedCtNames);
  addUnansweredNamesGap(context, commonNames.length + unresolvedCtNames.length, [
    ...commonSweep.unknown,
    ...ctSweep.unknown,
  ]);
  const wildcardsByLevel = new Map([...topWildcards, ...lowerWildcards]);
  const addresses = new Map([...Object.entries(commonSweep.addresses), ...Object.entries(ctSweep.addresses)]);
  const isWildcard = (name: string): boolean => {
    const given = wildcardsByLevel.get(parentName(name));
    return given != null && (addresses.get(name) ?? []).every((ip) => given.has(ip));
  };
  const fromLogs = new Set(ctNames);
  const fromDns = commonNames.filter((name) => addresses.has(name) && !isWildcard(name));
  const guesses = new Set(fromDns);
  const found = [...new Set([...fromLogs, ...fromDns])].map((name) => ({
    name,
    source: !fromLogs.has(name) ? ('dns' as const) : guesses.has(name) ? ('both' as const) : ('ct' as const),
    ips: addresses.get(name)?.slice(0, MAX_ADDRESSES) ?? null,
    wildcard: addresses.has(name) && isWildcard(name),
  }));
  found.sort((a, b) => Number(a.ips === null) - Number(b.ips === null) || (a.name < b.name ? -1 : 1));
  const topWildcard = topWildcards.get(domain);
  if (topWildcard === undefined) context.evidence.addGap(`whether any name below ${domain} resolves is not known`);
  const isDnsKnown = commonSweep.unknown.length < commonNames.length;
  return {
    subdomains: found,
    total: ctNames === null && !isDnsKnown ? null : found.length + ctTotal - fromLogs.size,
    from_ct: ctNames === null ? null : ctTotal,
    from_dns: isDnsKnown ? fromDns.length : null,
    wildcard: topWildcard === undefined ? null : topWildcard !== null,
    triedCount: commonNames.length,
    aliases: { ...commonSweep.aliases, ...ctSweep.aliases },
  };
}

/** Resolves names from the logs, and looks for wildcards at their levels below the domain. */
async function resolveCtNames(
  context: Context,
  domain: string,
  names: readonly string[],
): Promise<{ sweep: DnsSweepResult; wildcards: Wildcards }> {
  if (names.length === 0)
    return { sweep: { addresses: {}, withoutAddress: [], aliases: {}, unknown: [] }, wildcards: new Map() };
  const levels = [...new Set(names.map(parentName))].filter((parent) => parent !== domain);
  const [sweep, wildcards] = await Promise.all([
    sweepNames(context, names),
    findWildcards(context, levels.slice(0, MAX_WILDCARD_LEVELS)),
  ]);
  return { sweep, wildcards };
}

/** Addresses that any name of a level resolves to, by level; null: none. */
type Wildcards = Map<string, ReadonlySet<string> | null>;

async function sweepNames(context: Context, names: readonly string[]): Promise<DnsSweepResult> {
  const outcome = await context.ask(dnsSweep, { names });
  return outcome.status === 'ok' ? outcome.found : { addresses: {}, withoutAddress: [], aliases: {}, unknown: names };
}

/** Addresses that random names resolve to, by level; null: none resolve; no entry: unknown. */
async function findWildcards(context: Context, levels: readonly string[]): Promise<Wildcards> {
  const probes = levels.flatMap((level) =>
    [0, 1, 2].map(() => ({ level, name: `${randomBytes(8).toString('hex')}.${level}` })),
  );
  const { addresses, unknown } = await sweepNames(
    context,
    probes.map(({ name }) => name),
  );
  const found: Wildcards = new Map();
  for (const level of levels) {
    const names = probes.filter((probe) => probe.level === level).map(({ name }) => name);
    if (names.every((name) => unknown.includes(name))) continue;
    const given = names.flatMap((name) => addresses[name] ?? []);
    found.set(level, given.length === 0 ? null : new Set(given));
  }
  return found;
}

function parentName(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

function addUnansweredNamesGap(context: Context, asked: number, unknown: readonly string[]): void {
  if (unknown.length <= asked * MAX_UNANSWERED_SHARE) return;
  context.evidence.recordUnavailable(
    'dns_sweep',
    `left ${formatCount(unknown.length, 'name')} of ${asked} without an answer`,
  );
}
