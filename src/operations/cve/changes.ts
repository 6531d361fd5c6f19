import { changePhrase } from '../../analysis/cve/describe-change.ts';
import { z } from 'zod';
import { normalizeCpeToken } from '../../analysis/cve/cpe.ts';
import type { CveFilters } from '../../catalog/search.ts';
import { Verdict } from '../../engine/evidence.ts';
import { defineOperation, SummaryField } from '../../engine/operation.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { Change, formatCursor, kindsField, kindsOf, parseSince, presentChange, reachOf } from './lib/change-schemas.ts';
import { cveFilterFields } from './lib/cve-filters.ts';

const DAY_MS = 86_400_000;

const Query = z.strictObject({
  since: z
    .string()
    .max(40)
    .optional()
    .meta({
      description: 'next_cursor, a day, a time (UTC), or latest. Default: 24 hours ago.',
      examples: ['2026-11-20'],
    }),
  kinds: kindsField,
  product: cveFilterFields.product,
  vendor: cveFilterFields.vendor,
  severity_min: cveFilterFields.severity.meta({ description: 'Only CVEs of at least this severity.' }),
  kev: z.boolean().default(false).meta({ description: 'Only known-exploited ones.' }),
  limit: z.number().int().min(1).max(500).default(100).meta({ description: 'Changes on this page, 1-500.' }),
});

export const changes = defineOperation({
  id: 'changes',
  area: 'cve',
  title: 'What changed',
  description:
    'What changed about all CVEs, or those that match the filters as they are known today, in the order in which it was seen. With next_cursor as since the next call goes on where this one ended: nothing twice, nothing left out.',
  route: 'GET /v1/changes',
  input: Query,
  output: z
    .object({
      changes: z.array(Change),
      next_cursor: z.string().meta({
        description:
          'The since of the next call, also when there is nothing more yet. It holds for this catalog and copies of it.',
      }),
      has_more: z.boolean().meta({
        description: 'Later changes were not looked at: go on at once. A page may be short, or empty, and have more.',
      }),
      known_since: z.array(z.object({ source: z.string(), since: z.string() })),
      summary: SummaryField,
      verdict: Verdict,
    })
    .meta({ id: 'Changes' }),
  cost: 1,
  examples: [
    { title: 'Known exploitation in this month', input: { since: '2026-11-01', kinds: 'kev', limit: 5 } },
    { title: 'Of one product', input: { since: '2026-11-01', product: 'log4j', vendor: 'apache', limit: 5 } },
  ],
  tool: {
    description: 'What changed about CVEs since a time or cursor. Of one CVE: cve_history.',
    openWorld: false,
    inputDefaults: { limit: 40 },
  },
  falsifiableFields: ['changes[].after'],
  answer(query, { catalog, evidence, now }) {
    const { history } = catalog;
    const { since, kinds, limit } = query;
    const start = since === undefined ? { after: 0, seenFrom: now.getTime() - DAY_MS } : parseSince(since, history);
    const page = catalog.changes({ ...start, kinds: kindsOf(kinds), limit }, filtersOf(query));
    const known_since = reachOf(catalog, start.seenFrom ?? now.getTime(), evidence);
    const [first] = page.changes;
    return {
      changes: page.changes.map(presentChange),
      next_cursor: formatCursor(history, page.last),
      has_more: page.hasMore,
      known_since,
      summary: joinSummary(
        `${formatCount(page.changes.length, 'change')} on this page${page.hasMore ? ', there are more' : ''}.`,
        first !== undefined && `First: ${first.cve_id}, ${changePhrase(first)}.`,
      ),
    };
  },
});

/** Null where every CVE matches. */
function filtersOf({ product, vendor, severity_min, kev }: z.output<typeof Query>): CveFilters | null {
  if (product === undefined && vendor === undefined && severity_min === undefined && !kev) return null;
  return {
    product: product === undefined ? undefined : normalizeCpeToken(product),
    vendor: vendor === undefined ? undefined : normalizeCpeToken(vendor),
    severityMin: severity_min,
    kev,
    includeRejected: true,
  };
}
