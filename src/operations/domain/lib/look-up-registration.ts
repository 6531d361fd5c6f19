import { icannRegistrableDomain } from '../../../analysis/domain-name.ts';
import { parseHostName } from '../../../analysis/whois/host-names.ts';
import type { Registration } from '../../../analysis/whois/registration.ts';
import { rdapDomain, rdapBootstrap } from '../../../sources/rdap.ts';
import type { SourceResult } from '../../../sources/source.ts';
import { whoisDomain, whoisReferral } from '../../../sources/whois.ts';
import type { Context } from '../../../engine/context.ts';

/** What registry and registrar say of a domain. */
export interface RegistrationResult {
  /** The name on the registry's books: `example.co.uk` for `www.example.co.uk`. */
  name: string;
  source: 'rdap' | 'whois';
  registration: Registration;
  /** What a WHOIS server said that could not be read. */
  excerpt: string | null;
}

/** Nobody gave an answer; `timedOut`: for want of time. */
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
  const tld = name.slice(name.lastIndexOf('.') + 1);
  const known = services.status === 'ok' && Object.hasOwn(services.found, tld);
  const url = known ? URL.parse(`domain/${name}`, services.found[tld]) : null;
  if (url === null) return null;
  const outcome = await context.ask(rdapDomain, { url: url.href });
  if (outcome.status !== 'ok') return null;
  if (outcome.found === null) return { name, source: 'rdap', registration: availableRegistration(name), excerpt: null };
  const { referral } = outcome.found;
  if (!lacksBasicFacts(outcome.found) || referral === null)
    return { name, source: 'rdap', registration: outcome.found, excerpt: null };
  const more = await context.ask(rdapDomain, { url: referral });
  return {
    name,
    source: 'rdap',
    registration: mergeRegistrations(outcome.found, more.status === 'ok' ? more.found : null),
    excerpt: null,
  };
}

async function lookUpByWhois(context: Context, name: string): Promise<RegistrationResult | RegistrationFailure> {
  const referred = await context.ask(whoisReferral, { tld: name.slice(name.lastIndexOf('.') + 1) });
  if (referred.status !== 'ok') return toRegistrationFailure(name, referred);
  if (referred.found === null) {
    return { name, source: null, reason: 'its registry has neither RDAP nor WHOIS', timedOut: false };
  }
  const outcome = await context.ask(whoisDomain, { server: referred.found, domain: name });
  if (outcome.status !== 'ok') return toRegistrationFailure(name, outcome);
  const { registration: record, excerpt } = outcome.found;
  const server = parseHostName(record.referral ?? '');
  if (record.outcome !== 'registered' || !lacksBasicFacts(record) || server === null || server === referred.found) {
    return { name, source: 'whois', registration: record, excerpt };
  }
  const more = await context.ask(whoisDomain, { server, domain: name });
  const registrars =
    more.status === 'ok' && more.found.registration.outcome === 'registered' ? more.found.registration : null;
  return { name, source: 'whois', registration: mergeRegistrations(record, registrars), excerpt };
}

function toRegistrationFailure(name: string, outcome: SourceResult<unknown>): RegistrationFailure {
  const { reason, timedOut } =
    outcome.status === 'unavailable' ? outcome : { reason: 'not configured', timedOut: false };
  return { name, source: null, reason, timedOut };
}

function lacksBasicFacts({ registrar, created, expires }: Registration): boolean {
  return registrar === null || created === null || expires === null;
}

/** The registry's word goes before the registrar's. */
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
