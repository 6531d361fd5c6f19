import { summarizeList } from '../../analysis/display-text.ts';
import type { certsLookup } from '../../operations/domain/certs-lookup.ts';
import type { subdomainEnum } from '../../operations/domain/subdomain-enum.ts';
import type { waybackLookup } from '../../operations/domain/wayback-lookup.ts';
import { day } from './cve-parts.ts';
import { defineView, table } from './view.ts';

const MAX_CAPTURES = 8;

const subdomainsView = defineView<typeof subdomainEnum>('subdomain_enum', ({ subdomains }) => ({
  sections: [
    table(
      null,
      subdomains,
      [
        { title: 'name', cell: ({ name }) => name },
        { title: 'addresses', cell: ({ ips }) => (ips === null ? null : summarizeList(ips, 3)), rank: 1 },
        {
          title: 'found in',
          cell: ({ source }) => (source === 'both' ? 'logs and DNS' : source === 'ct' ? 'certificate logs' : 'DNS'),
          rank: 2,
        },
      ],
      { limit: 100 },
    ),
  ],
}));

const certsView = defineView<typeof certsLookup>('certs_lookup', ({ certificates, total_certificates }) => ({
  sections: [
    table(
      null,
      certificates,
      [
        { title: 'name', cell: ({ common_name }) => common_name ?? '-' },
        { title: 'from', cell: ({ not_before }) => day(not_before), rank: 2 },
        { title: 'until', cell: ({ not_after }) => day(not_after), rank: 1 },
        { title: 'expired', cell: ({ expired }) => (expired ? 'yes' : 'no'), rank: 4 },
        { title: 'names', cell: ({ names }) => names, align: 'right', rank: 5 },
        { title: 'issuer', cell: ({ issuer }) => issuer, rank: 3 },
        { title: 'address', cell: ({ url }) => url, rank: 6, min: Infinity },
      ],
      { total: total_certificates ?? 0 },
    ),
  ],
}));

const archiveView = defineView<typeof waybackLookup>('wayback_lookup', (archive) => ({
  facts: {
    'not known': archive.reason,
    first: day(archive.first_seen),
    last: day(archive.last_seen),
    address: archive.archive_url,
    warnings: archive.warnings,
  },
  sections: [
    table(
      'captures',
      archive.snapshots,
      [
        { title: 'day', cell: ({ timestamp }) => day(timestamp) },
        { title: 'status', cell: ({ status_code }) => status_code, align: 'right' },
        { title: 'address', cell: ({ url }) => url, min: Infinity },
      ],
      { limit: MAX_CAPTURES, total: archive.total_snapshots ?? 0 },
    ),
  ],
}));

/** Names below a domain, its certificates in the logs, and its archive. */
export const DOMAIN_NAME_VIEWS = [subdomainsView, certsView, archiveView];
