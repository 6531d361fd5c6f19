import { z } from 'zod';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { requireDomainExists } from './lib/look-up-dns-records.ts';
import { Subdomain, findSubdomains } from './lib/find-subdomains.ts';
import { findTakeovers, TakeoverRow } from './lib/find-takeovers.ts';

export const subdomainEnum = defineOperation({
  id: 'subdomain_enum',
  area: 'domain',
  title: 'Subdomains',
  description:
    'Names below a domain: from the certificate logs (crt.sh), and by resolving a list of usual names, with wildcards recognised. Each says where it is from.',
  route: 'GET /v1/subdomains/:domain',
  input: z.strictObject({
    domain: Domain,
    limit: z
      .number()
      .int()
      .min(1)
      .max(2000)
      .default(500)
      .meta({ description: 'Names listed, 1-2000; `count` is of all.' }),
  }),
  output: lookupOutputSchema('Subdomains', {
    domain: z.string(),
    subdomains: z.array(Subdomain).nullable().meta({ description: 'null: neither the logs nor the DNS answered.' }),
    count: z.number().int().nullable().meta({ description: 'Of all that were found.' }),
    truncated: z.boolean(),
    from_ct: z.number().int().nullable().meta({ description: 'Null: the log did not answer.' }),
    from_dns: z.number().int().nullable(),
    found_via_crtsh: z.number().int().nullable().meta({ description: 'As from_ct.' }),
    found_via_wordlist: z.number().int().nullable().meta({ description: 'As from_dns.' }),
    names_tried: z.number().int(),
    wildcard: z.boolean().nullable().meta({ description: 'Any name resolves.' }),
    takeovers: z.array(TakeoverRow).nullable().meta({
      description:
        'Names that somebody else may be able to take over, because what they are aliases of is unclaimed. null: the DNS did not answer.',
    }),
  }),
  cost: 1,
  deadlineMs: 30_000,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      "Subdomains of a domain, by certificate logs and DNS; takes up to half a minute. For one name's records use dns_lookup.",
    openWorld: true,
    longRunning: true,
    inputDefaults: { limit: 100 },
  },
  falsifiableFields: ['subdomains'],
  async answer({ domain, limit }, context) {
    await requireDomainExists(context, domain);
    const {
      subdomains: all,
      total,
      from_ct,
      from_dns,
      wildcard,
      triedCount,
      aliases,
    } = await findSubdomains(context, domain);
    // Without the DNS no name is known to be an alias.
    const takeovers = from_dns === null ? null : await findTakeovers(context, aliases, domain);
    const resolving = all.filter(({ ips }) => ips !== null).length;
    return {
      domain,
      subdomains: total === null ? null : all.slice(0, limit),
      count: total,
      truncated: total !== null && total > Math.min(all.length, limit),
      from_ct,
      from_dns,
      found_via_crtsh: from_ct,
      found_via_wordlist: from_dns,
      names_tried: triedCount,
      wildcard,
      takeovers,
      summary: joinSummary(
        total === null
          ? `What names there are below ${domain} is not known: neither the certificate logs nor the DNS answered.`
          : `${formatCount(total, 'name')} below ${domain}, ${resolving} of them resolving: ${from_ct === null ? 'the certificate logs did not answer' : `${from_ct} from certificate logs`}, ${from_dns === null ? 'no usual name could be looked up' : `${from_dns} of ${triedCount} usual names`}.`,
        wildcard === true && 'Any name there resolves (wildcard).',
        takeovers !== null &&
          takeovers.length > 0 &&
          `${formatCount(takeovers.length, 'name')} may be taken over, first ${takeovers[0]!.name}.`,
      ),
    };
  },
  nextCalls: ({ subdomains: found }) =>
    (found ?? [])
      .slice(0, 3)
      .map(({ name }) => ({ tool: 'ssl_check', input: name, reason: 'Its certificate and TLS settings.' })),
});
