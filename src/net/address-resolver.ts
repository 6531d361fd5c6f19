import { lookup } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type DnsAnswer, nameExists } from './dns/answer.ts';
import type { DnsClient } from './dns/client.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { AddressGuard } from './address-guard.ts';
import { parseHost } from './host.ts';
import { NetError } from './net-error.ts';

/** How much longer than the IPv4 addresses the IPv6 ones may take (RFC 8305, 3). */
const IPV6_GRACE_MS = 500;

/** Finds the addresses of a host, once for each exchange: what is returned here is what is connected to. */
export class AddressResolver {
  readonly #dns: DnsClient;
  readonly #guard: AddressGuard;
  readonly #hasConfiguredResolvers: boolean;

  /** `ownResolvers`: resolvers are configured, and know names that the system's may not know. */
  constructor(dns: DnsClient, guard: AddressGuard, ownResolvers: boolean) {
    this.#dns = dns;
    this.#guard = guard;
    this.#hasConfiguredResolvers = ownResolvers;
  }

  /** At least one, IPv4 first, all vetted but where the operator set the host (`trusted`). Throws `NetError`. */
  async resolve(given: string, trusted: boolean, exchange: RequestDeadline): Promise<string[]> {
    const host = parseHost(given);
    if (host === null) throw exchange.createError('no_such_name', 'not a host');
    if (trusted) return host.kind === 'ip' ? [host.text] : this.#resolveTrusted(host.text, exchange);
    if (host.kind === 'ip') return this.#guard.vet(host.text, [host.text]);
    this.#guard.checkName(host.text);
    return this.#guard.vet(host.text, await this.#queryDns(host.text, exchange));
  }

  async #queryDns(name: string, exchange: RequestDeadline): Promise<string[]> {
    const ask = (type: 'A' | 'AAAA') => this.#dns.query({ name, type, dnssec: false }, exchange);
    const asking6 = toSettledResult(ask('AAAA'));
    const v4 = await toSettledResult(ask('A'));
    const enough = v4.status === 'fulfilled' && v4.value.records.length > 0;
    const v6 = await (enough ? Promise.race([asking6, pause(IPV6_GRACE_MS, null, { ref: false })]) : asking6);
    const found = [v4, v6].flatMap((outcome) => (outcome?.status === 'fulfilled' ? addressesIn(outcome.value) : []));
    if (found.length > 0) return found;
    for (const outcome of [v4, v6]) if (outcome?.status === 'rejected') throw outcome.reason;
    if (v4.status === 'fulfilled' && !nameExists(v4.value)) throw exchange.createError('no_such_name', 'no such name');
    throw exchange.createError('dns', 'has no address');
  }

  /** By the system, the file of hosts included, as the operator would expect it. */
  async #resolveTrusted(name: string, exchange: RequestDeadline): Promise<string[]> {
    if (this.#hasConfiguredResolvers && name !== 'localhost') {
      const found = await this.#queryDns(name, exchange).catch(() => []);
      if (found.length > 0) return found;
    }
    try {
      const found = await Promise.race([lookup(name, { all: true, order: 'ipv4first' }), exchange.abortRejection]);
      return found.map(({ address }) => address);
    } catch (error) {
      if (error instanceof NetError) throw error;
      const unknown = (error as NodeJS.ErrnoException).code === 'ENOTFOUND';
      throw exchange.createError(unknown ? 'no_such_name' : 'dns', 'its address could not be found');
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
