import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
/** Four decimal numbers without leading zeros. Checked here because the parser is slow, most of all for host names. */
const DOTTED_QUAD = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/** An IPv4 address (four decimal numbers) or an IPv6 address in canonical form (RFC 5952); null for other notations and texts. */
export function parseIp(text: string): string | null {
  return DOTTED_QUAD.test(text) ? text : (parseIpv6(text)?.toRFC5952String() ?? null);
}

/** The bytes of an address in network order, 4 or 16; null for the texts for which `parseIp` is null. */
export function ipAddressBytes(text: string): Uint8Array | null {
  if (DOTTED_QUAD.test(text)) return Uint8Array.from(text.split('.', 4), Number);
  const address = parseIpv6(text);
  return address === null ? null : Uint8Array.from(address.toByteArray());
}

function parseIpv6(text: string): ipaddr.IPv6 | null {
  return !text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text) ? null : ipaddr.IPv6.parse(text);
}

/** `translated`: an IPv6 address that embeds a public IPv4 address and is reached through a gateway. */
export type IpAddressClass =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link_local'
  | 'shared'
  | 'multicast'
  | 'documentation'
  | 'benchmarking'
  | 'translated'
  | 'reserved';

/**
 * The class of an address by the IANA registries of special-purpose addresses (RFC 6890) and of the IPv6 address space, of which only
 * 2000::/3 is global unicast. An IPv6 address that embeds a non-public IPv4 address has the class of that address.
 * Any other text is `reserved`.
 */
export function classifyIpAddress(ip: string): IpAddressClass {
  const parsed = parseIp(ip);
  if (parsed === null) return 'reserved';
  const address = ipaddr.parse(parsed);
  if (address instanceof ipaddr.IPv4) return findClass(address, IPV4_CLASSES) ?? 'public';
  const row = findClass(address, IPV6_CLASSES) ?? 'reserved';
  const embedded = embeddedIpv4(address);
  if (embedded === null) return row;
  const inner = findClass(embedded, IPV4_CLASSES) ?? 'public';
  if (inner !== 'public' && !(row === 'loopback' || row === 'multicast')) return inner;
  return row;
}

/** Whether an IP address is globally reachable by its class; false for other texts. */
export function isPublicIp(ip: string): boolean {
  return classifyIpAddress(ip) === 'public';
}

type Network = [Address, number];

function networkContains([network, bits]: Network, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

type ClassRow = readonly [Network, IpAddressClass];

function toClassRows(table: readonly (readonly [string, IpAddressClass])[]): readonly ClassRow[] {
  return table.map(([cidr, of]) => [ipaddr.parseCIDR(cidr), of]);
}

/** The class of the first row that contains the address: more specific rows come first. */
function findClass(address: Address, table: readonly ClassRow[]): IpAddressClass | null {
  return table.find(([network]) => networkContains(network, address))?.[1] ?? null;
}

/** iana.org/assignments/iana-ipv4-special-registry. Anycast blocks that are globally reachable (AS112, AMT) are public. */
const IPV4_CLASSES = toClassRows([
  ['0.0.0.0/8', 'reserved'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link_local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
]);

/** iana.org/assignments/iana-ipv6-special-registry, then the address space; addresses that no row contains are unassigned. */
const IPV6_CLASSES = toClassRows([
  ['::1/128', 'loopback'],
  ['::/128', 'reserved'],
  ['::/96', 'translated'],
  ['::ffff:0:0/96', 'translated'],
  ['::ffff:0:0:0/96', 'translated'],
  ['64:ff9b::/96', 'translated'],
  ['64:ff9b:1::/48', 'private'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link_local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
  ['2001::/32', 'translated'],
  ['2001:1::1/128', 'public'],
  ['2001:1::2/128', 'public'],
  ['2001:1::3/128', 'public'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:3::/32', 'public'],
  ['2001:4:112::/48', 'public'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'translated'],
  ['3fff::/20', 'documentation'],
  ['2000::/3', 'public'],
]);

/** Where an IPv6 network carries an IPv4 address: the first of its bytes, and whether its bits are flipped (Teredo, RFC 4380). */
const IPV4_EMBEDDINGS = (
  [
    ['::/96', 12, false],
    ['::ffff:0:0/96', 12, false],
    ['::ffff:0:0:0/96', 12, false],
    ['64:ff9b::/96', 12, false],
    ['64:ff9b:1::/48', 12, false],
    ['2001::/32', 12, true],
    ['2002::/16', 2, false],
  ] as const
).map(([cidr, at, flipped]) => ({ network: ipaddr.parseCIDR(cidr), at, flipped }));

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray();
  const found = IPV4_EMBEDDINGS.find(({ network }) => networkContains(network, address));
  const isatap = (address.parts[4]! & 0xfdff) === 0 && address.parts[5] === 0x5efe;
  if (found === undefined && !isatap) return null;
  const { at, flipped } = found ?? { at: 12, flipped: false };
  return new ipaddr.IPv4(bytes.slice(at, at + 4).map((byte) => (flipped ? byte ^ 0xff : byte)));
}
