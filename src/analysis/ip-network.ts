import ipaddr from 'ipaddr.js';
import { ipAddressBytes, parseIp } from './ip-address.ts';

export interface IpNetwork {
  family: 4 | 6;
  /** 4 or 16 bytes; the bits after the first `bits` are 0. */
  prefix: Uint8Array;
  bits: number;
}

/** Parses a CIDR, or a single address; bits after the prefix length are set to 0. Null for other texts. */
export function parseIpNetwork(text: string): IpNetwork | null {
  const slash = text.indexOf('/');
  const bytes = ipAddressBytes(slash === -1 ? text : text.slice(0, slash));
  if (bytes === null) return null;
  const width = bytes.length * 8;
  const length = slash === -1 ? String(width) : text.slice(slash + 1);
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : width + 1;
  return bits > width ? null : { family: width === 32 ? 4 : 6, prefix: maskToPrefix(bytes, bits), bits };
}

/** The first `bits` bits, all others 0. */
export function maskToPrefix(bytes: Uint8Array, bits: number): Uint8Array {
  return bytes.map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - at * 8))));
}

/** Creates a test whether an address is in one of the networks (CIDRs or single addresses). Throws `TypeError` for other texts. */
export function createNetworkMatcher(cidrs: readonly string[]): (ip: string) => boolean {
  const networks = cidrs.map((cidr) => {
    const network = parseIpNetwork(cidr);
    if (network === null) throw new TypeError(`"${cidr}" is not an address or CIDR`);
    return network;
  });
  return (ip) => {
    const bytes = ipAddressBytes(ip);
    return bytes !== null && networks.some((network) => containsAddress(network, bytes));
  };
}

function containsAddress({ prefix, bits }: IpNetwork, address: Uint8Array): boolean {
  return prefix.length === address.length && maskToPrefix(address, bits).every((byte, at) => byte === prefix[at]);
}

/** CIDR notation: `192.0.2.0/24`. */
export function formatNetwork(prefix: Uint8Array, bits: number): string {
  const address = ipaddr.fromByteArray([...prefix]);
  return `${parseIp(address.toString())!}/${bits}`;
}
