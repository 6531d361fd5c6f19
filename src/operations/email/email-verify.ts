import { z } from 'zod';
import { isFreeMailProvider, mailboxRole } from '../../analysis/email/mailbox-kinds.ts';
import { findDisposableMailServer, findDisposableDomain } from '../../analysis/email/disposable.ts';
import { cleanText } from '../../analysis/display-text.ts';
import { dns } from '../../sources/dns.ts';
import type { Context } from '../../engine/context.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { identifierSchema } from '../../engine/input/identifiers.ts';
import { joinSummary } from '../../engine/summary.ts';
import { recordDisposableList, parseMailbox } from './lib/mailbox-address.ts';
import { lookUpMailServers } from './lib/mail-dns.ts';
import { MxRow, presentMxRows } from './lib/present-email.ts';

const MAX_ADDRESS_CHARS = 320;

/** Accepts any text of the form x@y: whether it is valid is the answer. */
const AddressText = identifierSchema({
  read: (text) =>
    text.length <= MAX_ADDRESS_CHARS && /[^@]@./s.test(text) && !/^[a-z]+:\/\//i.test(text) ? text : null,
  name: 'e-mail address',
  accepted: 'an address of at most 320 characters',
  example: 'someone@example.com',
});

const mailDomainFields = {
  domain_exists: z.boolean().nullable(),
  accepts_mail: z
    .boolean()
    .nullable()
    .meta({ description: 'It has mail servers, or an address that takes their place (RFC 5321, 5.1).' }),
  mx_records: z.array(MxRow).nullable(),
  disposable: z.boolean().nullable(),
  disposable_provider: z.string().nullable(),
};

export const emailVerify = defineOperation({
  id: 'email_verify',
  area: 'email',
  title: 'E-mail address check',
  description:
    'Whether an address is well-formed (RFC 5321, RFC 6531) and its domain takes mail; whether it is disposable, a role or at a free provider. No mail server is connected to: that a mailbox exists is not checked.',
  route: 'GET /v1/email/verify/:email',
  input: z.strictObject({ email: AddressText }),
  output: lookupOutputSchema('EmailVerify', {
    email: z.string(),
    domain: z.string().nullable(),
    syntax_valid: z.boolean(),
    syntax_note: z.string().nullable(),
    ...mailDomainFields,
    role_address: z.boolean(),
    role_type: z.string().nullable(),
    free_provider: z.boolean().nullable(),
  }),
  cost: 1,
  examples: [
    { title: 'A role address', input: { email: 'Support@example.com' } },
    { title: 'A broken one', input: { email: 'some..one@example.com' } },
  ],
  tool: {
    description:
      'Check an e-mail address: syntax, mail servers, disposable, role, free provider. No SMTP probing, so not whether the mailbox exists. For a domain use email_mx.',
    openWorld: true,
  },
  subject: { kind: 'email', field: 'email' },
  falsifiableFields: ['syntax_valid', 'mx_records', 'disposable'],
  async answer({ email: text }, context) {
    const mailbox = parseMailbox(text);
    if (!('local' in mailbox)) return unreadableAddressAnswer(text, mailbox.note);
    const { email, local, domain, valid, note } = mailbox;
    const role = mailboxRole(local);
    const found = domain === null ? UNKNOWN_MAIL_DOMAIN : await checkMailDomain(context, domain);
    const free = domain === null ? null : isFreeMailProvider(domain);
    return {
      email: cleanText(email),
      domain,
      syntax_valid: valid,
      syntax_note: note,
      ...found,
      role_address: role !== null,
      role_type: role,
      free_provider: free,
      summary: joinSummary(
        `${cleanText(email)} is ${valid ? 'well-formed' : 'not an address that mail can be sent to'}.`,
        note,
        found.domain_exists === false
          ? 'Its domain does not exist (NXDOMAIN).'
          : found.accepts_mail === null
            ? domain !== null && 'Whether its domain takes mail could not be seen.'
            : `Its domain ${found.accepts_mail ? 'takes' : 'takes no'} mail.`,
        found.disposable === true && `Disposable (${found.disposable_provider}).`,
        role !== null && `A role address (${role}).`,
        free === true && 'A free provider.',
      ),
    };
  },
  nextCalls: ({ domain }) =>
    domain === null
      ? []
      : [{ tool: 'email_security_posture', input: domain, reason: 'How the domain protects its mail.' }],
});

type MailDomainFacts = z.output<z.ZodObject<typeof mailDomainFields>>;

const UNKNOWN_MAIL_DOMAIN: MailDomainFacts = {
  domain_exists: null,
  accepts_mail: null,
  mx_records: null,
  disposable: null,
  disposable_provider: null,
};

async function checkMailDomain(context: Context, domain: string): Promise<MailDomainFacts> {
  recordDisposableList(context);
  const { exists, mx } = await lookUpMailServers(context, domain);
  const servers = presentMxRows(mx);
  const service =
    findDisposableDomain(domain) ??
    servers?.map(({ exchange }) => findDisposableMailServer(exchange)).find((server) => server !== null) ??
    null;
  return {
    domain_exists: exists,
    accepts_mail: await acceptsMail(context, domain, {
      exists,
      mx: mx?.length ?? null,
      servers: servers?.length ?? null,
    }),
    mx_records: servers,
    disposable: service !== null || (mx === null ? null : false),
    disposable_provider: service,
  };
}

/** Without MX records mail goes to the address of the domain itself (RFC 5321, 5.1); the null MX forbids that. */
async function acceptsMail(
  context: Context,
  domain: string,
  { exists, mx, servers }: { exists: boolean | null; mx: number | null; servers: number | null },
): Promise<boolean | null> {
  if (exists === false) return false;
  if (mx === null || servers === null) return null;
  if (mx > 0) return servers > 0;
  const hosts = await Promise.all((['A', 'AAAA'] as const).map((type) => context.ask(dns, { name: domain, type })));
  if (hosts.some((host) => host.status === 'ok' && host.found.records.length > 0)) return true;
  return hosts.every(({ status }) => status === 'ok') ? false : null;
}

function unreadableAddressAnswer(text: string, note: string) {
  return {
    email: cleanText(text),
    domain: null,
    syntax_valid: false,
    syntax_note: note,
    ...UNKNOWN_MAIL_DOMAIN,
    role_address: false,
    role_type: null,
    free_provider: null,
    summary: joinSummary(`${cleanText(text)} is not an e-mail address.`, note),
  };
}
