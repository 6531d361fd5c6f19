import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { isPublicIp } from '../../../analysis/ip-address.ts';
import { cleanText, truncateAtWord } from '../../../analysis/display-text.ts';
import { dns } from '../../../sources/dns.ts';
import type { Context } from '../../../engine/context.ts';

const MAX_ADDRESSES = 8;
const MAX_NAME_CHARS = 255;

export const ReverseDns = z.object({
  ip: z.string(),
  ptr: ForeignText.nullable(),
  confirmed: z.boolean().nullable().meta({ description: 'The name leads back to the address.' }),
});
export type ReverseDns = z.output<typeof ReverseDns>;

/** Names of the first addresses (PTR), each forward-confirmed (RFC 8501). */
export async function lookUpReverseDns(context: Context, addresses: readonly string[]): Promise<ReverseDns[]> {
  return Promise.all(addresses.slice(0, MAX_ADDRESSES).map((ip) => lookUpPointer(context, ip)));
}

/** Only public addresses are looked up: names inside private networks must not leak through foreign DNS records. */
export async function lookUpPointer(context: Context, ip: string): Promise<ReverseDns> {
  if (!isPublicIp(ip)) return { ip, ptr: null, confirmed: null };
  const outcome = await context.ask(dns, { name: reverseDnsName(ip), type: 'PTR' });
  const [record] = outcome.status === 'ok' ? outcome.found.records : [];
  if (typeof record?.data !== 'string') return { ip, ptr: null, confirmed: null };
  const ptr = truncateAtWord(cleanText(record.data).toLowerCase(), MAX_NAME_CHARS);
  const forward = await context.ask(dns, { name: ptr, type: ip.includes(':') ? 'AAAA' : 'A' });
  const confirmed =
    forward.status === 'ok' ? forward.found.records.some(({ data }) => isSameIpAddress(data, ip)) : null;
  return { ip, ptr, confirmed };
}

/** `4.3.2.1.in-addr.arpa` (RFC 1035, 3.5), or nibbles under `ip6.arpa` (RFC 3596, 2.5). */
function reverseDnsName(ip: string): string {
  const address = ipaddr.parse(ip);
  if (address.kind() === 'ipv4') return `${ip.split('.').toReversed().join('.')}.in-addr.arpa`;
  const nibbles = address.toByteArray().flatMap((byte) => [byte >> 4, byte & 15]);
  return `${nibbles
    .toReversed()
    .map((nibble) => nibble.toString(16))
    .join('.')}.ip6.arpa`;
}

function isSameIpAddress(data: unknown, ip: string): boolean {
  return (
    typeof data === 'string' &&
    ipaddr.isValid(data) &&
    ipaddr.parse(data).toNormalizedString() === ipaddr.parse(ip).toNormalizedString()
  );
}
