import { z } from 'zod';
import { parseDomainName } from '../../analysis/domain-name.ts';
import { findDisposableMailServer, findDisposableDomain } from '../../analysis/email/disposable.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { identifierSchema } from '../../engine/input/identifiers.ts';
import { joinSummary } from '../../engine/summary.ts';
import { recordDisposableList, parseMailbox } from './lib/mailbox-address.ts';
import { lookUpMailServers } from './lib/mail-dns.ts';

/** An address in its plain form, or a domain. */
const AddressOrDomain = identifierSchema({
  read(text) {
    if (!text.includes('@')) return parseDomainName(text);
    const mailbox = parseMailbox(text);
    return 'domain' in mailbox && mailbox.domain !== null ? mailbox.email : null;
  },
  name: 'e-mail address',
  accepted: 'an e-mail address or a domain',
  example: 'someone@example.com',
});

export const emailDisposable = defineOperation({
  id: 'email_disposable',
  area: 'email',
  title: 'Disposable address',
  description:
    'Whether an address is at a service of throw-away mailboxes: by a list of their domains and by the mail servers of the domain. Only the domain is looked at.',
  route: 'GET /v1/email/disposable/:email',
  input: z.strictObject({ email: AddressOrDomain }),
  output: lookupOutputSchema('EmailDisposable', {
    email: z.string().nullable().meta({ description: 'Null where a domain was given.' }),
    domain: z.string(),
    disposable: z.boolean().nullable().meta({ description: 'Null: not listed, and its mail servers are not known.' }),
    provider: z.string().nullable(),
    mx_disposable: z.boolean().nullable(),
    risk_level: z.enum(['high', 'medium', 'low']).nullable(),
  }),
  cost: 1,
  examples: [{ title: 'A throw-away mailbox', input: { email: 'someone@mailinator.com' } }],
  tool: {
    description:
      'Is an e-mail address (or domain) a throw-away one: list of disposable domains, and mail servers of such services. For syntax and mail servers use email_verify.',
    openWorld: true,
  },
  falsifiableFields: ['disposable', 'mx_disposable'],
  async answer({ email }, context) {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    recordDisposableList(context);
    const listed = findDisposableDomain(domain);
    const { exists, mx } = await lookUpMailServers(context, domain);
    const server =
      mx?.map(({ exchange }) => findDisposableMailServer(exchange)).find((service) => service !== null) ?? null;
    const disposable = listed !== null || server !== null || (mx === null ? null : false);
    const reachable = mx !== null && exists === true && mx.some(({ exchange }) => exchange !== '');
    return {
      email: email.includes('@') ? email : null,
      domain,
      disposable,
      provider: listed ?? server,
      mx_disposable: mx === null ? null : server !== null,
      risk_level: riskLevelOf(disposable, reachable),
      summary: joinSummary(
        disposable === true &&
          `${domain} is disposable: ${listed === null ? `its mail server belongs to ${server}` : `${listed} is listed`}.`,
        disposable === false && `${domain} is not known to be disposable.`,
        disposable === null &&
          `${domain} is not listed as disposable; its mail servers are not known, as the DNS did not answer.`,
        exists === false && 'The domain does not exist in the DNS (NXDOMAIN).',
        disposable === false && exists === true && !reachable && 'It has no mail servers.',
      ),
    };
  },
  nextCalls: ({ email, domain }) => [
    ...(email === null
      ? []
      : [{ tool: 'email_verify', input: email, reason: 'Syntax, mail servers, role and provider.' }]),
    { tool: 'email_mx', input: domain, reason: 'Mail servers and their posture.' },
  ],
});

/** A domain without mail servers is a medium risk. */
function riskLevelOf(disposable: boolean | null, reachable: boolean): 'high' | 'medium' | 'low' | null {
  if (disposable === null) return null;
  if (disposable) return 'high';
  return reachable ? 'low' : 'medium';
}
