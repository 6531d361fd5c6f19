import { z } from 'zod';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { DocumentQuery } from '../../catalog/documents.ts';
import type { SigmaRule } from '../../feeds/sigma/rule.ts';
import { searchPage } from '../../engine/search-page.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { AttackTechniqueId } from '../../engine/input/mitre-ids.ts';
import { CveId } from '../../engine/input/identifiers.ts';
import { Keyword } from '../../engine/input/keyword.ts';
import { includeField, listOutputSchema, pagingFields } from '../../engine/paged-list.ts';
import { SigmaLevel, SigmaRuleRow, SigmaStatus } from './lib/schemas.ts';
import { presentRuleRow, SIGMA_RULE_FALSIFIABLE_FIELDS } from './lib/present-rule.ts';

const LogsourceField = z.string().trim().min(1).max(100);

const Query = z.strictObject({
  technique: AttackTechniqueId.optional().meta({
    description: 'ATT&CK technique, in either case. A technique also finds the rules of its sub-techniques.',
    examples: ['T1059'],
  }),
  cve_id: CveId.optional(),
  logsource_product: LogsourceField.optional().meta({
    description: 'Exact, in any case: windows, linux, macos, aws, azure, ...',
    examples: ['windows'],
  }),
  logsource_category: LogsourceField.optional().meta({
    description: 'Exact, in any case: process_creation, webserver, dns_query, ...',
    examples: ['process_creation'],
  }),
  status: SigmaStatus.optional().meta({ description: 'How mature the rule is.' }),
  level: SigmaLevel.optional().meta({ description: 'How much a match matters.' }),
  query: Keyword.meta({
    description:
      'Words of title, description, author, tags, log source and values that are searched for. Rules with all words, else with any.',
    examples: ['mimikatz'],
  }),
  facets: z.boolean().optional().meta({
    description: 'Also count what matches by level, status and log source.',
  }),
  ...includeField,
  ...pagingFields,
});
type Query = z.output<typeof Query>;

/** Kinds of links that rules are counted by, which are filters, too. */
const FACETS = ['level', 'status', 'logsource_product', 'logsource_category'] as const;
const FacetCounts = z.array(z.object({ value: ForeignText, count: z.number().int() }));
const Facets = z
  .object({
    level: FacetCounts,
    status: FacetCounts,
    logsource_product: FacetCounts,
    logsource_category: FacetCounts,
  })
  .meta({ id: 'SigmaFacets', description: 'With facets=true: how many of all rules that match have each value.' });

export const sigmaSearch = defineOperation({
  id: 'sigma_search',
  area: 'sigma',
  title: 'Detection rule search',
  description:
    'SigmaHQ detection rules by ATT&CK technique, CVE, log source, level, status and words. All filters must hold. With words the best match comes first, else rules are sorted by id.',
  route: 'GET /v1/sigma/search',
  input: Query,
  output: listOutputSchema('SigmaRuleList', SigmaRuleRow)
    .extend({ facets: Facets.optional() })
    .meta({ id: 'SigmaRuleList' }),
  cost: 1,
  examples: [
    { title: 'PowerShell on Windows', input: { technique: 'T1059.001', logsource_product: 'windows', limit: 3 } },
    { title: 'By words', input: { query: 'credential dumping', level: 'high', limit: 3 } },
  ],
  tool: {
    description:
      'Find SigmaHQ detection rules by ATT&CK technique, CVE, log source, level or words. For one rule use sigma_rule_lookup.',
    openWorld: false,
    inputDefaults: { limit: 10 },
  },
  falsifiableFields: SIGMA_RULE_FALSIFIABLE_FIELDS.map((field) => `results[].${field}`),
  answer(query, { catalog }) {
    requireFeedData(catalog, 'sigma');
    const { total, bodies } = catalog.searchDocuments<SigmaRule>('sigma_rule', toDocumentQuery(query));
    const results = bodies.map((rule) => presentRuleRow(rule, query.include === 'full'));
    return {
      ...searchPage(results, total, query, ['detection rule', 'detection rules'], ({ title }) => title),
      ...(query.facets === true ? { facets: countFacets(catalog, query) } : {}),
    };
  },
});

function countFacets(catalog: CatalogView, query: Query): z.output<typeof Facets> {
  const counts = catalog.countDocumentLinks('sigma_rule', toDocumentQuery(query), FACETS);
  return Object.fromEntries(FACETS.map((kind) => [kind, counts.get(kind) ?? []])) as z.output<typeof Facets>;
}

function toDocumentQuery(query: Query): DocumentQuery {
  const wanted: [string, string | undefined][] = [
    ['technique', query.technique],
    ['cve', query.cve_id],
    ['logsource_product', query.logsource_product],
    ['logsource_category', query.logsource_category],
    ['status', query.status],
    ['level', query.level],
  ];
  return {
    words: query.query ?? null,
    links: wanted.flatMap(([kind, value]) => (value === undefined ? [] : [{ kind, values: [value] }])),
    limit: query.limit,
    offset: query.offset,
  };
}
