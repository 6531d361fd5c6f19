import ipaddr from 'ipaddr.js';

/** The SMTP client. An IPv4 address mapped into IPv6 is the IPv4 address (RFC 7208, section 5). */
export interface SmtpClient {
  family: 4 | 6;
  text: string;
  /** As the macro `i` has it: parts, for IPv6 nibbles, joined by dots. */
  dotted: string;
  /** Below `in-addr.arpa` or `ip6.arpa`. */
  reverseName: string;
  bytes: readonly number[];
}

/** The client with this address. Throws for a text that is no address. */
export function createSmtpClient(ip: string): SmtpClient {
  const address = ipaddr.process(ip);
  const bytes = address.toByteArray();
  const text = address.toString();
  const parts = address.kind() === 'ipv4' ? bytes.map(String) : bytes.flatMap(nibbles);
  const zone = address.kind() === 'ipv4' ? 'in-addr.arpa' : 'ip6.arpa';
  return {
    family: address.kind() === 'ipv4' ? 4 : 6,
    text,
    dotted: parts.join('.'),
    reverseName: `${parts.toReversed().join('.')}.${zone}`,
    bytes,
  };
}

function nibbles(byte: number): string[] {
  return [byte >> 4, byte & 15].map((nibble) => nibble.toString(16).toUpperCase());
}

/** Whether the client is in a network: the first `prefix` bits agree, within one family. */
export function isClientInNetwork({ bytes }: SmtpClient, network: string, prefix: number): boolean {
  if (!ipaddr.isValid(network)) return false;
  const other = ipaddr.parse(network).toByteArray();
  if (other.length !== bytes.length) return false;
  return bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefix - 8 * index));
    return (byte ^ other[index]!) >> (8 - bits) === 0;
  });
}
