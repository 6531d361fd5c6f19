import { icannRegistrableDomain } from '../../../analysis/domain-name.ts';
import { parseHostName } from '../../../analysis/whois/host-names.ts';
import type { Registration } from '../../../analysis/whois/registration.ts';
import { rdapDomain, rdapBootstrap } from '../../../sources/rdap.ts';
import type { SourceResult } from '../../../sources/source.ts';
import { whoisDomain, whoisReferral } from '../../../sources/whois.ts';
import type { Context } from '../../../engine/context.ts';

/** Registration data of a domain, merged from registry and registrar. */
export interface RegistrationResult {
  /** The registered name: `example.co.uk` for `www.example.co.uk`. */
  name: string;
  source: 'rdap' | 'whois';
  registration: Registration;
  /** Start of a WHOIS text that could not be parsed. */
  excerpt: string | null;
}

/** No registry or registrar answered; `timedOut`: because of the deadline. */
export interface RegistrationFailure {
  name: string;
  source: null;
  reason: string;
  timedOut: boolean;
}

/**
 * Registration of the domain that a name belongs to: by RDAP where the registry has it (RFC 9224), else by WHOIS (RFC 3912). A
 * registrar's own record is asked for where the registry's leaves out dates or registrar.
 */
export async function lookUpRegistration(
  context: Context,
  domain: string,
): Promise<RegistrationResult | RegistrationFailure> {
  const name = icannRegistrableDomain(domain) ?? domain;
  return (await lookUpByRdap(context, name)) ?? (await lookUpByWhois(context, name));
}

async function lookUpByRdap(context: Context, name: string): Promise<RegistrationResult | null> {
  const services = await context.ask(rdapBootstrap, 'dns');
  const tld = tldOf(name);
  const hasService = services.status === 'ok' && Object.hasOwn(services.found, tld);
  const url = hasService ? URL.parse(`domain/${name}`, services.found[tld]) : null;
  if (url === null) return null;
  const outcome = await context.ask(rdapDomain, { url: url.href });
  if (outcome.status !== 'ok') return null;
  if (outcome.found === null) return { name, source: 'rdap', registration: availableRegistration(name), excerpt: null };
  const { referral } = outcome.found;
  if (!lacksBasicFacts(outcome.found) || referral === null)
    return { name, source: 'rdap', registration: outcome.found, excerpt: null };
  const registrarOutcome = await context.ask(rdapDomain, { url: referral });
  return {
    name,
    source: 'rdap',
    registration: mergeRegistrations(outcome.found, registrarOutcome.status === 'ok' ? registrarOutcome.found : null),
    excerpt: null,
  };
}

function tldOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

async function lookUpByWhois(context: Context, name: string): Promise<RegistrationResult | RegistrationFailure> {
  const serverOutcome = await context.ask(whoisReferral, { tld: tldOf(name) });
  if (serverOutcome.status !== 'ok') return toRegistrationFailure(name, serverOutcome);
  if (serverOutcome.found === null) {
    return { name, source: null, reason: 'its registry has neither RDAP nor WHOIS', timedOut: false };
  }
  const outcome = await context.ask(whoisDomain, { server: serverOutcome.found, domain: name });
  if (outcome.status !== 'ok') return toRegistrationFailure(name, outcome);
  const { registration: record, excerpt } = outcome.found;
  const server = parseHostName(record.referral ?? '');
  if (
    record.outcome !== 'registered' ||
    !lacksBasicFacts(record) ||
    server === null ||
    server === serverOutcome.found
  ) {
    return { name, source: 'whois', registration: record, excerpt };
  }
  const registrarOutcome = await context.ask(whoisDomain, { server, domain: name });
  const registrar =
    registrarOutcome.status === 'ok' && registrarOutcome.found.registration.outcome === 'registered'
      ? registrarOutcome.found.registration
      : null;
  return { name, source: 'whois', registration: mergeRegistrations(record, registrar), excerpt };
}

function toRegistrationFailure(name: string, outcome: SourceResult<unknown>): RegistrationFailure {
  const { reason, timedOut } =
    outcome.status === 'unavailable' ? outcome : { reason: 'not configured', timedOut: false };
  return { name, source: null, reason, timedOut };
}

function lacksBasicFacts({ registrar, created, expires }: Registration): boolean {
  return registrar === null || created === null || expires === null;
}

/** Fields of the registry take precedence over those of the registrar. */
function mergeRegistrations(registry: Registration, registrar: Registration | null): Registration {
  if (registrar === null) return registry;
  return {
    ...registry,
    registrar: registry.registrar ?? registrar.registrar,
    registrarIanaId: registry.registrarIanaId ?? registrar.registrarIanaId,
    registrarAbuseEmail: registry.registrarAbuseEmail ?? registrar.registrarAbuseEmail,
    created: registry.created ?? registrar.created,
    updated: registry.updated ?? registrar.updated,
    expires: registry.expires ?? registrar.expires,
    nameServers: registry.nameServers.length > 0 ? registry.nameServers : registrar.nameServers,
    status: registry.status.length > 0 ? registry.status : registrar.status,
    signed: registry.signed ?? registrar.signed,
  };
}

function availableRegistration(domain: string): Registration {
  return {
    outcome: 'available',
    domain,
    registrar: null,
    registrarIanaId: null,
    registrarAbuseEmail: null,
    created: null,
    updated: null,
    expires: null,
    nameServers: [],
    status: [],
    signed: null,
    referral: null,
  };
}
