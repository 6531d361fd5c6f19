import { displayLine, summarizeList } from '../../analysis/display-text.ts';
import { formatCount } from '../../engine/summary.ts';
import type { dnsLookup } from '../../operations/domain/dns-lookup.ts';
import type { whoisLookup } from '../../operations/domain/whois-lookup.ts';
import { day } from './cve-parts.ts';
import { defineView, table } from './view.ts';

const MAX_RECORD_CHARS = 200;

const dnsView = defineView<typeof dnsLookup>('dns_lookup', ({ domain, records, ttl }) => {
  const { soa } = records;
  const rows = [
    ...(records.a ?? []).map((value) => ({ type: 'A', value, seconds: ttl.a })),
    ...(records.aaaa ?? []).map((value) => ({ type: 'AAAA', value, seconds: ttl.aaaa })),
    ...(records.cname ?? []).map((value) => ({ type: 'CNAME', value, seconds: ttl.cname })),
    ...(records.mx ?? []).map(({ priority, exchange }) => ({
      type: 'MX',
      value: `${priority} ${exchange}`,
      seconds: ttl.mx,
    })),
    ...(records.ns ?? []).map((value) => ({ type: 'NS', value, seconds: ttl.ns })),
    ...(records.txt ?? []).map((value) => ({ type: 'TXT', value, seconds: ttl.txt })),
    ...(soa === null ? [] : [{ type: 'SOA', value: `${soa.mname} ${soa.rname} ${soa.serial}`, seconds: ttl.soa }]),
  ];
  return {
    title: domain,
    verdict: [rows.length === 0 ? 'no records' : formatCount(rows.length, 'record')],
    sections: [
      table(
        null,
        rows,
        [
          { title: 'type', cell: ({ type }) => type },
          { title: 'TTL', cell: ({ seconds }) => seconds, align: 'right', rank: 2 },
          { title: 'value', cell: ({ value }) => displayLine(value, 4 * MAX_RECORD_CHARS), wrap: true, rank: 1 },
        ],
        { limit: rows.length },
      ),
    ],
  };
});

const whoisView = defineView<typeof whoisLookup>('whois_lookup', ({ whois }) => ({
  facts: {
    registrar: whois?.registrar,
    'report abuse to': whois?.registrar_abuse_email,
    registered: day(whois?.creation_date ?? null),
    changed: day(whois?.updated_date ?? null),
    expires:
      whois?.expiry_date == null
        ? null
        : `${day(whois.expiry_date)} (${formatCount(whois.days_to_expiry ?? 0, 'day')})`,
    'name servers': summarizeList(whois?.name_servers ?? []),
    status: summarizeList(whois?.status ?? []),
    DNSSEC: whois?.dnssec == null ? null : whois.dnssec ? 'signed' : 'not signed',
    'said by': whois?.source.toUpperCase(),
    text: whois?.raw_excerpt == null ? null : displayLine(whois.raw_excerpt, MAX_RECORD_CHARS),
  },
}));

/** What the DNS and the registry hold of a domain. */
export const DOMAIN_RECORD_VIEWS = [dnsView, whoisView];
