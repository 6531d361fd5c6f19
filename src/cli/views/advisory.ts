import { displayLine } from '../../analysis/display-text.ts';
import type { advisoryLookup } from '../../operations/cve/advisory-lookup.ts';
import { day } from './cve-parts.ts';
import { defineView, table } from './view.ts';

const MAX_TEXT_CHARS = 400;

const advisoryView = defineView<typeof advisoryLookup>('advisory_lookup', (advisory) => ({
  title: `${advisory.ghsa_id}: ${displayLine(advisory.title, MAX_TEXT_CHARS)}`,
  verdict: [
    advisory.severity,
    advisory.cve_id ?? 'no CVE',
    advisory.withdrawn === null ? null : `withdrawn on ${day(advisory.withdrawn)}`,
  ],
  facts: {
    published: [day(advisory.published), advisory.modified === null ? null : `changed ${day(advisory.modified)}`]
      .filter(Boolean)
      .join(', '),
    address: advisory.url,
  },
  sections: [
    table(
      null,
      advisory.packages,
      [
        { title: 'package', cell: ({ name }) => name },
        { title: 'ecosystem', cell: ({ ecosystem }) => ecosystem, rank: 3 },
        { title: 'affected', cell: ({ vulnerable_range }) => vulnerable_range },
        { title: 'fixed in', cell: ({ fixed_in }) => fixed_in ?? 'none named', rank: 1 },
      ],
      { total: advisory.total_packages },
    ),
  ],
}));

/** What one database publishes of packages. */
export const ADVISORY_VIEWS = [advisoryView];
