import { z } from 'zod';
import { icannRegistrableDomain } from '../../analysis/domain-name.ts';
import { displayText } from '../../analysis/display-text.ts';
import {
  assessLookAlike,
  type LookAlikeConcern,
  type LookAlikeFacts,
} from '../../analysis/look-alikes/assess-look-alike.ts';
import { listLookAlikes, type LookAlike } from '../../analysis/look-alikes/list-look-alikes.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { defineOperation, lookupOutputSchema } from '../../engine/operation.ts';
import { firstThree, formatCount, joinSummary } from '../../engine/summary.ts';
import { requireDomainExists } from './lib/look-up-dns-records.ts';
import { EXAMINED, examineLookAlike, examineOriginal, sweepLookAlikes } from './lib/examine-look-alikes.ts';

const MAX_HOSTS = 10;
const CONCERN_ORDER: Readonly<Record<LookAlikeConcern, number>> = { high: 0, medium: 1, low: 2, parked: 3, owner: 4 };

const Kind = z.enum([
  'homoglyph',
  'idn_homoglyph',
  'omission',
  'repetition',
  'transposition',
  'replacement',
  'insertion',
  'addition',
  'vowel_swap',
  'plural',
  'hyphen',
  'bitsquat',
  'dot',
  'ending',
  'word',
  'www',
]);

const Row = z.object({
  domain: z.string(),
  displayed_as: ForeignText.nullable().meta({ description: 'As people see it; null: the same.' }),
  kind: Kind,
  concern: z
    .enum(['high', 'medium', 'low', 'parked', 'owner'])
    .meta({ description: 'owner: probably registered by the owner of the domain itself.' }),
  signals: z.array(
    z.enum([
      'leads_to_original',
      'shares_addresses',
      'shares_mail_servers',
      'uses_name_servers_of_original',
      'shares_name_servers',
      'parked',
      'takes_mail',
      'registered_lately',
      'new_certificate',
      'page_shows_the_name',
      'page_has_the_same_title',
    ]),
  ),
  ips: z.array(z.string()),
  mail_servers: z.array(ForeignText).nullable().meta({ description: 'Null: not asked, or not answered.' }),
  name_servers: z.array(ForeignText).nullable(),
  registered_at: z.string().nullable(),
  certificate_since: z.string().nullable(),
  page: z
    .object({ host: ForeignText, title: ForeignText.nullable(), site_name: ForeignText.nullable() })
    .nullable()
    .meta({ description: 'Its home page, where redirects end; null: not fetched.' }),
});

export const lookAlikes = defineOperation({
  id: 'look_alikes',
  area: 'domain',
  title: 'Look-alike domains',
  description:
    'Domains that look like this one and exist: by slips of typing, look-alike letters, other endings, words beside the name. For each what stands behind it (addresses, mail, name servers, registration, certificate, page), and how much it matters.',
  route: 'GET /v1/look-alikes/:domain',
  input: z.strictObject({
    domain: Domain,
    limit: z
      .number()
      .int()
      .min(10)
      .max(2000)
      .default(1000)
      .meta({ description: 'Names looked up in the DNS, the likeliest first, 10-2000.' }),
    pages: z
      .boolean()
      .default(true)
      .meta({ description: 'Also fetch the home pages of the first few, to compare them.' }),
  }),
  output: lookupOutputSchema('LookAlikes', {
    domain: z.string().meta({ description: 'The registrable domain that was compared with.' }),
    look_alikes: z
      .array(Row)
      .nullable()
      .meta({ description: 'Those that exist, what matters most first. null: the DNS did not answer.' }),
    count: z.number().int().nullable(),
    names_tried: z.number().int(),
    names_unknown: z.number().int().meta({ description: 'Not answered by the DNS.' }),
  }),
  cost: 4,
  deadlineMs: 45_000,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  falsifiableFields: ['look_alikes'],
  async answer({ domain, limit, pages }, context) {
    await requireDomainExists(context, domain);
    const original = icannRegistrableDomain(domain) ?? domain;
    const candidates = listLookAlikes(original, limit);
    const [{ addresses, withoutAddress, unknown }, originalFacts] = await Promise.all([
      sweepLookAlikes(
        context,
        candidates.map((candidate) => candidate.domain),
      ),
      examineOriginal(context, original, pages),
    ]);
    const exists = new Set([...Object.keys(addresses), ...withoutAddress]);
    const existing = candidates.filter((candidate) => exists.has(candidate.domain));
    const rows = await Promise.all(
      existing.map(async (candidate, rank) => {
        const ips = addresses[candidate.domain] ?? [];
        const facts = await examineLookAlike(context, {
          domain: candidate.domain,
          addresses: ips,
          rank,
          withPage: pages,
        });
        return presentRow(candidate, facts, assessLookAlike(facts, originalFacts, context.now.getTime()));
      }),
    );
    rows.sort((a, b) => CONCERN_ORDER[a.concern] - CONCERN_ORDER[b.concern] || b.signals.length - a.signals.length);
    if (existing.length > EXAMINED.pages)
      context.evidence.addGap(
        `of ${existing.length} look-alikes the records of ${Math.min(existing.length, EXAMINED.records)}, the registrations and certificates of ${Math.min(existing.length, EXAMINED.registrations)} and the pages of ${pages ? EXAMINED.pages : 0} were looked at`,
      );
    if (unknown.length > 0)
      context.evidence.addGap(
        `whether ${formatCount(unknown.length, 'name')} of ${candidates.length} exist is not known`,
      );
    const isKnown = unknown.length < candidates.length;
    const grave = rows.filter(({ concern }) => concern === 'high');
    return {
      domain: original,
      look_alikes: isKnown ? rows : null,
      count: isKnown ? rows.length : null,
      names_tried: candidates.length,
      names_unknown: unknown.length,
      summary: joinSummary(
        isKnown
          ? `${formatCount(rows.length, 'domain')} of ${candidates.length} that look like ${original} exist.`
          : `Which domains that look like ${original} exist is not known: the DNS did not answer.`,
        firstThree(
          'To look at first',
          grave.map((row) => row.domain),
        ),
      ),
    };
  },
  nextCalls: ({ look_alikes }) =>
    (look_alikes ?? [])
      .slice(0, 3)
      .map(({ domain }) => ({ tool: 'threat_intel', input: domain, reason: 'Whether threat lists name it.' })),
});

function presentRow(
  { domain, displayedAs, kind }: LookAlike,
  facts: LookAlikeFacts,
  assessment: ReturnType<typeof assessLookAlike>,
): z.output<typeof Row> {
  const hosts = (names: readonly string[] | null): string[] | null =>
    names?.slice(0, MAX_HOSTS).map((name) => displayText(name, 253)) ?? null;
  const text = (value: string | null | undefined): string | null => (value == null ? null : displayText(value, 200));
  return {
    domain,
    displayed_as: displayedAs,
    kind,
    ...assessment,
    ips: facts.addresses.slice(0, MAX_HOSTS),
    mail_servers: hosts(facts.mailServers),
    name_servers: hosts(facts.nameServers),
    registered_at: facts.registered,
    certificate_since: facts.certificateSince,
    page:
      facts.page === null
        ? null
        : {
            host: displayText(facts.page.host, 253),
            title: text(facts.page.title),
            site_name: text(facts.page.siteName),
          },
  };
}
