import { lookup } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type DnsAnswer, nameExists } from './dns/answer.ts';
import type { DnsClient } from './dns/client.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { AddressGuard } from './address-guard.ts';
import { parseHost } from './host.ts';
import { NetError } from './net-error.ts';

/** How much longer than the IPv4 query the IPv6 query may take (RFC 8305, 3). */
const IPV6_GRACE_MS = 500;

/** Resolves a host, once for each call: the caller connects to the addresses returned here. */
export class AddressResolver {
  readonly #dns: DnsClient;
  readonly #guard: AddressGuard;
  readonly #hasConfiguredResolvers: boolean;

  /** `hasConfiguredResolvers`: the operator's resolvers may know names that those of the system do not know. */
  constructor(dns: DnsClient, guard: AddressGuard, hasConfiguredResolvers: boolean) {
    this.#dns = dns;
    this.#guard = guard;
    this.#hasConfiguredResolvers = hasConfiguredResolvers;
  }

  /** At least one address, IPv4 first; all are vetted, except for a `trusted` host. Throws `NetError`. */
  async resolve(hostText: string, trusted: boolean, deadline: RequestDeadline): Promise<string[]> {
    const host = parseHost(hostText);
    if (host === null) throw deadline.createError('no_such_name', 'not a host');
    if (trusted) return host.kind === 'ip' ? [host.text] : this.#resolveTrusted(host.text, deadline);
    if (host.kind === 'ip') return this.#guard.vet(host.text, [host.text]);
    this.#guard.requireAllowedName(host.text);
    return this.#guard.vet(host.text, await this.#queryDns(host.text, deadline));
  }

  async #queryDns(name: string, deadline: RequestDeadline): Promise<string[]> {
    const query = (type: 'A' | 'AAAA') => this.#dns.query({ name, type, dnssec: false }, deadline);
    const ipv6Pending = toSettledResult(query('AAAA'));
    const ipv4 = await toSettledResult(query('A'));
    const hasIpv4 = ipv4.status === 'fulfilled' && ipv4.value.records.length > 0;
    const ipv6 = await (hasIpv4
      ? Promise.race([ipv6Pending, pause(IPV6_GRACE_MS, null, { ref: false })])
      : ipv6Pending);
    const found = [ipv4, ipv6].flatMap((outcome) =>
      outcome?.status === 'fulfilled' ? addressesIn(outcome.value) : [],
    );
    if (found.length > 0) return found;
    for (const outcome of [ipv4, ipv6]) if (outcome?.status === 'rejected') throw outcome.reason;
    if (ipv4.status === 'fulfilled' && !nameExists(ipv4.value))
      throw deadline.createError('no_such_name', 'no such name');
    throw deadline.createError('dns', 'has no address');
  }

  /** Resolves with the system resolver, including the hosts file. */
  async #resolveTrusted(name: string, deadline: RequestDeadline): Promise<string[]> {
    if (this.#hasConfiguredResolvers && name !== 'localhost') {
      const found = await this.#queryDns(name, deadline).catch(() => []);
      if (found.length > 0) return found;
    }
    try {
      const found = await Promise.race([lookup(name, { all: true, order: 'ipv4first' }), deadline.abortRejection]);
      return found.map(({ address }) => address);
    } catch (error) {
      if (error instanceof NetError) throw error;
      const unknown = (error as NodeJS.ErrnoException).code === 'ENOTFOUND';
      throw deadline.createError(unknown ? 'no_such_name' : 'dns', 'its address could not be found');
    }
  }
}

function addressesIn({ records }: DnsAnswer): string[] {
  return records.map(({ data }) => String(data));
}

async function toSettledResult<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome;
}
