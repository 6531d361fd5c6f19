import { isSameOrSubdomain, icannRegistrableDomain } from '../domain-name.ts';

/** What stands behind a look-alike that exists. Null: not looked at, or not answered. */
export interface LookAlikeFacts {
  domain: string;
  addresses: readonly string[];
  /** Hosts, in lower case. */
  mailServers: readonly string[] | null;
  nameServers: readonly string[] | null;
  /** Day of registration, ISO 8601. */
  registered: string | null;
  /** Begin of its certificate, ISO 8601. */
  certificateSince: string | null;
  /** Of its home page: where redirects end, and its title and name. */
  page: { host: string; title: string | null; siteName: string | null } | null;
}

/** The same of the domain that it looks like. */
export type OriginalFacts = Pick<LookAlikeFacts, 'domain' | 'addresses' | 'mailServers' | 'nameServers' | 'page'>;

export type LookAlikeSignal =
  | 'leads_to_original'
  | 'shares_addresses'
  | 'shares_mail_servers'
  | 'uses_name_servers_of_original'
  | 'shares_name_servers'
  | 'parked'
  | 'takes_mail'
  | 'registered_lately'
  | 'new_certificate'
  | 'page_shows_the_name'
  | 'page_has_the_same_title';

/** `owner`: probably registered by the owner of the original; `parked`: for sale or full of advertisements. */
export type LookAlikeConcern = 'high' | 'medium' | 'low' | 'parked' | 'owner';

/** Name servers of services that park domains. */
const PARKING_SERVICES =
  'sedoparking.com bodis.com parkingcrew.net above.com dan.com afternic.com namebrightdns.com hugedomains.com undeveloped.com parklogic.com voodoo.com cashparking.com ztomy.com sav.com uniregistrymarket.link dns-parking.com parking-page.net smartname.com fabulous.com rookdns.com dsredirection.com brandbucket.com huaweicloud-dns.park'.split(
    ' ',
  );
const DAY_MS = 86_400_000;
const LATELY_DAYS = 180;
const NEW_CERTIFICATE_DAYS = 30;

/** What speaks for and against a look-alike. `now`: milliseconds since 1970. */
export function assessLookAlike(
  facts: LookAlikeFacts,
  original: OriginalFacts,
  now: number,
): { signals: LookAlikeSignal[]; concern: LookAlikeConcern } {
  const label = original.domain.slice(0, original.domain.indexOf('.'));
  const seen = `${facts.page?.title ?? ''} ${facts.page?.siteName ?? ''}`.toLowerCase();
  const leadsToOriginal = facts.page !== null && isSameOrSubdomain(facts.page.host, original.domain);
  const tests: readonly (readonly [LookAlikeSignal, boolean])[] = [
    ['leads_to_original', leadsToOriginal],
    ['shares_addresses', haveCommon(facts.addresses, original.addresses)],
    ['shares_mail_servers', haveCommon(facts.mailServers, original.mailServers)],
    ['uses_name_servers_of_original', usesOwnNameServers(facts, original)],
    ['shares_name_servers', haveSameNameServers(facts, original)],
    ['parked', facts.nameServers?.some(isParking) === true],
    ['takes_mail', (facts.mailServers ?? []).length > 0],
    ['registered_lately', isYounger(facts.registered, LATELY_DAYS, now)],
    ['new_certificate', isYounger(facts.certificateSince, NEW_CERTIFICATE_DAYS, now)],
    ['page_shows_the_name', !leadsToOriginal && seen.includes(label)],
    ['page_has_the_same_title', !leadsToOriginal && isSameTitle(facts, original)],
  ];
  const signals = tests.filter(([, holds]) => holds).map(([signal]) => signal);
  return { signals, concern: concernOf(new Set(signals)) };
}

/** Of these, two together speak for one owner: hosting, mail or name servers of a large operator are shared by strangers. */
const OWNER_SIGNALS = [
  'leads_to_original',
  'shares_addresses',
  'shares_mail_servers',
  'shares_name_servers',
] as const satisfies readonly LookAlikeSignal[];

function concernOf(signals: ReadonlySet<LookAlikeSignal>): LookAlikeConcern {
  if (signals.has('uses_name_servers_of_original') || OWNER_SIGNALS.filter((signal) => signals.has(signal)).length >= 2)
    return 'owner';
  const imitates = signals.has('page_has_the_same_title') || signals.has('page_shows_the_name');
  const isNew = signals.has('registered_lately') || signals.has('new_certificate');
  if (imitates || (isNew && signals.has('takes_mail'))) return 'high';
  if (signals.has('parked')) return 'parked';
  return isNew || signals.has('takes_mail') ? 'medium' : 'low';
}

function haveCommon(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one !== null && other !== null && one.some((item) => other.includes(item));
}

/** Name servers below the original itself: nobody else's domain resolves there. */
function usesOwnNameServers({ nameServers }: LookAlikeFacts, original: OriginalFacts): boolean {
  const own = icannRegistrableDomain(original.domain) ?? original.domain;
  return nameServers?.some((host) => isSameOrSubdomain(host, own)) === true;
}

function haveSameNameServers({ nameServers: one }: LookAlikeFacts, { nameServers: other }: OriginalFacts): boolean {
  return (
    one !== null &&
    other !== null &&
    one.length > 0 &&
    one.length === other.length &&
    one.every((host) => other.includes(host))
  );
}

function isParking(host: string): boolean {
  return PARKING_SERVICES.some((service) => isSameOrSubdomain(host, service));
}

function isYounger(since: string | null, days: number, now: number): boolean {
  const time = since === null ? Number.NaN : Date.parse(since);
  return now - time < days * DAY_MS;
}

function isSameTitle({ page }: LookAlikeFacts, original: OriginalFacts): boolean {
  const [one, other] = [page?.title, original.page?.title].map((title) => title?.trim().toLowerCase() ?? '');
  return one !== '' && one === other;
}
