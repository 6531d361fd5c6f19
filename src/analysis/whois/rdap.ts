import { z } from 'zod';
import { displayLine, displayText } from '../display-text.ts';
import { parseRegistryDate } from './registry-dates.ts';
import { parseHostName, parseMailAddress } from './host-names.ts';
import { MAX_VALUE_LENGTH, type Registration, firstDistinctItems } from './registration.ts';
import { parseEppStatus } from './epp-status.ts';

const JCard = z.tuple([z.literal('vcard'), z.array(z.array(z.unknown()))]);

interface Entity {
  roles?: string[] | undefined;
  handle?: string | undefined;
  publicIds?: { type: string; identifier: string }[] | undefined;
  vcardArray?: unknown;
  entities?: Entity[] | undefined;
}

const Entity: z.ZodType<Entity> = z.lazy(() =>
  z.object({
    roles: z.array(z.string()).optional(),
    handle: z.string().optional(),
    publicIds: z.array(z.object({ type: z.string(), identifier: z.coerce.string() })).optional(),
    vcardArray: z.unknown().optional(),
    entities: z.array(Entity).optional(),
  }),
);

/** The members of a domain object (RFC 9083, 5.3) that are read. */
const DomainObject = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string().optional(),
  status: z.array(z.string()).optional(),
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string() })).optional(),
  secureDNS: z.object({ delegationSigned: z.boolean().optional() }).optional(),
  nameservers: z.array(z.object({ ldhName: z.string().optional() })).optional(),
  entities: z.array(Entity).optional(),
  links: z.array(z.object({ rel: z.string().optional(), href: z.string(), type: z.string().optional() })).optional(),
});

/** Reads an RDAP domain object; `referral` is the URL of the registrar's own record. Throws `ZodError` for any other value. */
export function readRdapDomain(value: unknown): Registration {
  const domain = DomainObject.parse(value);
  const registrar = domain.entities?.find(({ roles }) => roles?.includes('registrar'));
  const abuse = [...(registrar?.entities ?? []), ...(domain.entities ?? [])].find(({ roles }) =>
    roles?.includes('abuse'),
  );
  const event = (...actions: string[]): string | null => {
    const found = domain.events?.find(({ eventAction }) => actions.includes(eventAction.toLowerCase()));
    return found === undefined ? null : parseRegistryDate(found.eventDate, 'day-first');
  };
  const id = registrar?.publicIds?.find(({ type }) => /iana/i.test(type))?.identifier ?? '';
  return {
    outcome: 'registered',
    domain: parseHostName(domain.ldhName ?? ''),
    registrar: jcardValue(registrar, 'fn') ?? jcardValue(registrar, 'org') ?? registrar?.handle ?? null,
    registrarIanaId: /^\d{1,7}$/.test(id) ? id : null,
    registrarAbuseEmail: parseMailAddress(jcardValue(abuse, 'email') ?? ''),
    created: event('registration'),
    updated: event('last changed', 'last update'),
    expires: event('expiration'),
    nameServers: firstDistinctItems(
      (domain.nameservers ?? []).flatMap(({ ldhName = '' }) => parseHostName(ldhName) ?? []),
    ),
    status: firstDistinctItems((domain.status ?? []).map(toStatus)),
    signed: domain.secureDNS?.delegationSigned ?? null,
    referral: findRelatedRecord(domain.links ?? []),
  };
}

/** The first value of a property of an entity's card (jCard, RFC 7095). */
function jcardValue(entity: Entity | undefined, name: string): string | null {
  const card = JCard.safeParse(entity?.vcardArray);
  const value = card.success ? card.data[1].find(([property]) => property === name)?.[3] : undefined;
  const text = typeof value === 'string' ? displayLine(value, MAX_VALUE_LENGTH) : '';
  return text === '' ? null : text;
}

/** RDAP writes EPP codes with spaces, and `active` for `ok` (RFC 8056, 2). */
function toStatus(text: string): string {
  return text.toLowerCase() === 'active' ? 'ok' : (parseEppStatus(text) ?? displayText(text, MAX_VALUE_LENGTH));
}

function findRelatedRecord(
  links: readonly { rel?: string | undefined; href: string; type?: string | undefined }[],
): string | null {
  const link = links.find(({ rel, href, type }) => rel === 'related' && /rdap/i.test(type ?? href));
  const url = link === undefined ? null : URL.parse(link.href);
  return url !== null && /^https?:$/.test(url.protocol) && /\/domain\/[^/]+$/.test(url.pathname) ? url.href : null;
}
