import { networkInterfaces } from 'node:os';
import { type IpAddressClass, classifyIpAddress, isPublicIp, parseIp } from '../analysis/ip-address.ts';
import { NetError } from './net-error.ts';
import { isSameOrSubdomain } from '../analysis/domain-name.ts';
import { createNetworkMatcher } from '../analysis/ip-network.ts';

/** Azure's host agent serves virtual machines at this address, although the registries list it as public. */
const CLOUD_HOST_AGENT_ADDRESSES = new Set(['168.63.129.16']);
const OWN_ADDRESSES_TTL_MS = 10_000;

/** Decides which addresses may be reached: public ones that are not this machine's own, and networks that the operator allows. */
export class AddressGuard {
  readonly #isAllowed: (ip: string) => boolean;
  readonly #hasAllowedNetworks: boolean;
  #ownAddressCache: ReadonlySet<string> = new Set();
  #ownAddressesReadAt = Number.NEGATIVE_INFINITY;

  /** `allowedPrivate`: CIDRs that may be reached although they are not public. */
  constructor(allowedPrivate: readonly string[]) {
    this.#isAllowed = createNetworkMatcher(allowedPrivate);
    this.#hasAllowedNetworks = allowedPrivate.length > 0;
  }

  /** Throws for a name outside the public DNS, so that no resolver is queried for it. */
  requireAllowedName(name: string): void {
    const address = addressOfReverseName(name);
    if (address !== null && !isPublicIp(address) && !this.#isAllowed(address))
      throw new NetError('refused_address', `${name}: the reverse name of an address that is not public`);
    const use = specialUse(name);
    if (use === null || (use === 'intranet' && this.#hasAllowedNetworks)) return;
    if (use === 'not_in_dns') throw new NetError('no_such_name', `${name}: not a name of the DNS`);
    throw new NetError('refused_address', `${name}: leads into a private network or this machine`);
  }

  /**
   * The addresses of `host` that may be reached. Throws `refused_address` if one of them must not be reached, even if others are
   * public: such a mixture is probably an attack (DNS rebinding). IPv6 forms of public IPv4 addresses are left out without an error,
   * because networks with NAT64 add them to every name (RFC 6147).
   */
  vet(host: string, addresses: readonly string[]): string[] {
    const checked = addresses.map((address) => ({ address, problem: this.#refusalReason(address) }));
    const vetted = checked.filter(({ problem }) => problem === null).map(({ address }) => address);
    const refused =
      checked.find(({ problem }) => problem !== null && problem !== 'translated') ??
      (vetted.length === 0 ? checked[0] : undefined);
    if (refused !== undefined) throw refusedAddressError(host, refused.problem!);
    return vetted;
  }

  /** Throws `refused_address` unless the operator allows all addresses of `host`, which are public or not. */
  requireAllowedPrivate(host: string, addresses: readonly string[]): void {
    if (addresses.every((address) => this.#isAllowed(parseIp(address) ?? ''))) return;
    throw new NetError('refused_address', `${host}: is not in a network that the operator allows (plain http)`);
  }

  #refusalReason(address: string): IpAddressClass | 'own' | null {
    const ip = parseIp(address);
    if (ip === null) return 'reserved';
    if (this.#isAllowed(ip)) return null;
    const addressClass = classifyIpAddress(ip);
    if (addressClass !== 'public') return addressClass;
    return CLOUD_HOST_AGENT_ADDRESSES.has(ip) || this.#ownAddresses().has(ip) ? 'own' : null;
  }

  /** Addresses of this machine's interfaces, read again every 10 s. Reaching them would bypass a firewall. */
  #ownAddresses(): ReadonlySet<string> {
    const now = performance.now();
    if (now - this.#ownAddressesReadAt > OWN_ADDRESSES_TTL_MS) {
      const listed = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
      this.#ownAddressCache = new Set(listed.flatMap(({ address }) => parseIp(address) ?? []));
      this.#ownAddressesReadAt = now;
    }
    return this.#ownAddressCache;
  }
}

function refusedAddressError(host: string, reason: IpAddressClass | 'own'): NetError {
  const what = reason === 'own' ? 'an address of this machine' : `an address that is not public (${reason})`;
  return new NetError('refused_address', `${host}: leads to ${what}`);
}

/**
 * Domains that are not resolved in the public DNS, with what they are used for: RFC 6761, 6762 (with its appendix G), 7686, 8375, 9476, and
 * ICANN for `.internal`.
 */
const SPECIAL_USE_DOMAINS: readonly (readonly [string, 'loopback' | 'intranet' | 'not_in_dns'])[] = [
  ['localhost', 'loopback'],
  ['local', 'intranet'],
  ['internal', 'intranet'],
  ['home.arpa', 'intranet'],
  ...['intranet', 'private', 'corp', 'home', 'lan'].map((name) => [name, 'intranet'] as const),
  ['onion', 'not_in_dns'],
  ['invalid', 'not_in_dns'],
  ['alt', 'not_in_dns'],
];

function specialUse(name: string): 'loopback' | 'intranet' | 'not_in_dns' | null {
  return SPECIAL_USE_DOMAINS.find(([special]) => isSameOrSubdomain(name, special))?.[1] ?? null;
}

/** The address of a reverse name: `7.0.0.10.in-addr.arpa` (RFC 1035, 3.5) or a full name below `ip6.arpa` (RFC 3596, 2.5); else null. */
function addressOfReverseName(name: string): string | null {
  const four = /^((?:\d{1,3}\.){4})in-addr\.arpa$/.exec(name)?.[1];
  if (four !== undefined) return parseIp(four.split('.', 4).toReversed().join('.'));
  const six = /^((?:[\da-f]\.){32})ip6\.arpa$/.exec(name)?.[1];
  if (six === undefined) return null;
  const digits = six.replaceAll('.', '').split('').toReversed().join('');
  return parseIp(digits.match(/.{4}/g)!.join(':'));
}
