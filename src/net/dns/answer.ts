export type DnsRecordType =
  | 'A'
  | 'AAAA'
  | 'MX'
  | 'NS'
  | 'TXT'
  | 'CNAME'
  | 'SOA'
  | 'PTR'
  | 'CAA'
  | 'TLSA'
  | 'DS'
  | 'DNSKEY'
  | 'RRSIG'
  | 'NSEC'
  | 'NSEC3';

export interface DnsAnswer {
  /** False: the name, or the one that its aliases end at, does not exist (NXDOMAIN). SERVFAIL, REFUSED and timeouts are errors, not answers. */
  exists: boolean;
  /** Records of the queried type, at the end of the chain of aliases. */
  records: readonly DnsRecord[];
  /** Names that the queried name is an alias of, in order. */
  aliases: readonly string[];
  /** The resolver validated the answer (AD, RFC 4035, 3.2.3). */
  authenticated: boolean;
  /** All records of the answer section, also aliases; with signatures for a `dnssec` query. */
  answerSection: readonly DnsRecord[];
  /** All records of the authority section; with signatures for a `dnssec` query. */
  authoritySection: readonly DnsRecord[];
}

/** Whether the queried name itself exists: an alias exists also where its target does not. */
export function nameExists({ exists, aliases }: Pick<DnsAnswer, 'exists' | 'aliases'>): boolean {
  return exists || aliases.length > 0;
}

/** Names are in lower case without the final dot. `data` as `dns-packet` decodes it, but TXT: strings joined per record. */
export interface DnsRecord {
  name: string;
  type: string;
  ttl: number;
  data: unknown;
}
