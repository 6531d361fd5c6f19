import type { DnsAnswer, DnsRecordType } from '../net/dns/answer.ts';
import type { Source } from './source.ts';

export interface DnsQuestion {
  /** ASCII form. */
  name: string;
  type: DnsRecordType;
  /** With signatures (RFC 4035, DO). */
  dnssec?: boolean;
}

/** The DNS, by the configured resolvers. A name that does not exist is an answer (`exists`), not a failure. */
export const dns: Source<DnsQuestion, DnsAnswer> = {
  policy: {
    id: 'dns',
    title: 'DNS',
    provides: 'records of a name',
    baseUrl: null,
    timeoutMs: 5000,
    maxBytes: 64 * 1024,
    ttlSeconds: 60,
    // The network client limits queries per target.
    concurrency: 4000,
    key: null,
  },
  ask: ({ name, type, dnssec = false }, { net, timeoutMs, signal }) =>
    net.queryDns(name, type, { dnssec, timeoutMs, signal }),
};
