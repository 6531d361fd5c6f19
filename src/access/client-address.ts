import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** For an unreadable address: the connection has already ended. */
const UNKNOWN_BUCKET = 'unknown';

/**
 * The bucket of a caller's address: the IPv4 address, or the /64 of an IPv6 address. An IPv4-mapped address is its IPv4
 * address. Behind trusted proxies `X-Forwarded-For` is followed from the right for as long as the hop is one of them; from
 * other addresses it is ignored.
 */
export class ClientAddressResolver {
  readonly #trustedProxies: readonly Network[];

  /** `trusted`: addresses and CIDRs; throws for others (see `parseCidr`). */
  constructor(trusted: readonly string[]) {
    this.#trustedProxies = trusted.map((text) => {
      const range = parseCidr(text);
      if (range === null) throw new Error(`"${text}" is no address or CIDR`);
      return range;
    });
  }

  addressBucketOf(peer: string | undefined, forwardedFor: string | undefined): string {
    let caller = parseAddress(peer ?? '');
    if (caller === null) return UNKNOWN_BUCKET;
    let remainingHops = forwardedFor;
    while (remainingHops !== undefined && this.#isTrusted(caller)) {
      const comma = remainingHops.lastIndexOf(',');
      const previousHop = parseAddress(withoutPort(remainingHops.slice(comma + 1).trim()));
      // The trusted proxy did not name a valid address: stop at the proxy.
      if (previousHop === null) break;
      caller = previousHop;
      remainingHops = comma === -1 ? undefined : remainingHops.slice(0, comma);
    }
    return caller.kind() === 'ipv4' ? caller.toString() : ipv6PrefixOf(caller);
  }

  /** Without trusted proxies `X-Forwarded-For` is never used. */
  get hasTrustedProxies(): boolean {
    return this.#trustedProxies.length > 0;
  }

  #isTrusted(address: Address): boolean {
    return this.#trustedProxies.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }
}

/** `10.0.0.0/8`, `fd00::/8`, or one address; null for anything else. */
export function parseCidr(text: string): Network | null {
  const [base = '', bits, ...rest] = text.split('/');
  const address = parseAddress(base);
  if (address === null || rest.length > 0) return null;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, width];
  if (!/^\d{1,3}$/.test(bits)) return null;
  // An IPv4-mapped network has the prefix length of its IPv6 form.
  const length = Number(bits) - (width === 32 && base.includes(':') ? 96 : 0);
  return length < 0 || length > width ? null : [address, length];
}

/** 127.0.0.0/8, also as an IPv4-mapped address, and ::1. */
export function isLoopback(address: string): boolean {
  return parseAddress(address)?.range() === 'loopback';
}

function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null;
  const address = ipaddr.parse(text.split('%')[0]!);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

function ipv6PrefixOf(address: Address): string {
  const [a, b, c, d] = (address as ipaddr.IPv6).parts;
  return `${[a, b, c, d].map((part) => part!.toString(16)).join(':')}::/64`;
}
