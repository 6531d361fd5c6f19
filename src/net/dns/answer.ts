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
  /** False: the name, or the one that its aliases end at, does not exist (NXDOMAIN). SERVFAIL, REFUSED and silence are errors, not answers. */
  exists: boolean;
  /** Of the type that was asked, at the end of the chain of aliases. */
  records: readonly DnsRecord[];
  /** Names that the asked name is an alias of, in order. */
  aliases: readonly string[];
  /** The resolver says that it validated the answer (AD, RFC 4035 3.2.3). */
  authenticated: boolean;
  /** All of the answer and authority sections, signatures included where `dnssec` was asked. */
  answers: readonly DnsRecord[];
  authorities: readonly DnsRecord[];
}

/** Whether the asked name itself exists: an alias does, also where what it leads to does not. */
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
