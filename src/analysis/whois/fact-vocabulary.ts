import { factFromWords } from './key-grammar.ts';

/** Facts of a WHOIS record, and the section headings and keys that registries use for them. */
export type WhoisFact = keyof typeof KEYS_BY_FACT;

/** Keys that mean the fact, in the form of `normalizeKey`. Keys made of common words need no entry: `factFromWords`. */
const KEYS_BY_FACT = {
  domain: `domain, domain name, domainname, domain name ascii, query, dominio, nombre de dominio, nom de domaine,
    complete domain name, domaine, puny name`,
  registrar: `registrar, sponsoring registrar, registrar name, registrar organization, current registrar,
    registrar company, domain registrar, registration service provider, authorized agency, registered by,
    registrar id name, sponsoring registrar organization, sponsoring registrar name, registrador,
    registrar organisation, domain support, maintained by, record maintained by, current registar, agente registrador,
    domain managers`,
  registrarHandle: `registrar handle, registrar id`,
  registrarIanaId: `registrar iana id, sponsoring registrar iana id, registrar number iana`,
  registrarAbuseEmail: `registrar abuse contact email, registrar abuse email`,
  created: `created, created on, created date, creation date, domain created, domain create date, record created,
    record created on, registered, registered on, registered date, registration date, registration time,
    date registered, domain registered, domain registration date, domain name commencement date,
    domain dateregistered, entry created, fecha de registro, fecha de creacion, activated on, activated, registration,
    domain date registered, first registration date, created at, creation, registered at, fecha de activacion,
    date de creation, date created, registration created, domain record activated, relevant dates registered on,
    domain created on, create date, record created date, commencement date, create`,
  updated: `updated, updated on, updated date, last updated, last update, last updated on, last updated date,
    last modified, modified, modified date, modification date, changed, record changed on, record last updated,
    record last updated on, record updated, domain last updated, domain last updated date, domain datelastmodified,
    entry updated, ultima actualizacion, fecha de ultima modificacion, fecha de modificacion, date modified,
    domain record last updated, last modification, last modified date, last updated at, update date,
    derniere modification, mise a jour, fecha ultima modificacion, last update date, updated at, modify date,
    last change`,
  expires: `expires, expires on, expires at, expired, expire date, expire on, expiry, expiry date, expiration,
    expiration date, expiration time, registry expiry date, registrar registration expiration date,
    domain expiration date, domain expires, domain currently expires, record expires on, record will expire on,
    renewal date, renewal, valid date, paid till, domain datebilleduntil, fecha de vencimiento, fecha de expiracion,
    validity, exp date, expires date, free date, option expiration date, registry expiration date, registered until,
    date d expiration, domain expire date, expire, domain expires on, domain name expiration date, valid until,
    expiry on`,
  nameServer: `name server, name servers, nameserver, nameservers, nserver, ns, ns name, dns, dns name, dns server,
    dns servers, domain servers, domain nameservers, domain name servers, domain servers in listed order,
    domain name servers listed in order, name servers information, name server information, current nameservers,
    domain name servers in listed order, domain name server, host name, primary ns, secondary ns, servers,
    servidores de nombre, servidores de nombre domain servers, servidor dns, servidor es de nombres de dominio,
    primary server, secondary server, name server hostname, nameservers in listed order, name servers in listed order,
    ns list, primary nameserver, secondary nameserver, domain server, serveur de noms, serveur dns, nserver name,
    servidores dns, servidor de nombres, nom serveur, delegated name servers, host, primary name server,
    secondary name server, nameserver information, dns nodes, domain dns, name server fqdn, authoritative name servers`,
  status: `domain status, status, state, registration status, domain state, query status, estatus del dominio,
    domaintype, ren status, eppstatus, epp status, record status, estado, status domain, domain prohibit status, flags`,
  signed: `dnssec, domain signed, dnssec signed`,
  referral: `registrar whois server, whois server, registrar whois`,
};

export const WHOIS_FACTS = Object.keys(KEYS_BY_FACT) as WhoisFact[];

const FACT_BY_KEY: ReadonlyMap<string, WhoisFact> = new Map(
  WHOIS_FACTS.flatMap((fact) => splitList(KEYS_BY_FACT[fact]).map((key) => [key, fact] as const)),
);

/** The fact that a key means where no heading says otherwise; null: none. */
export function factOfKey(key: string): WhoisFact | null {
  return FACT_BY_KEY.get(key) ?? factFromWords(key);
}

/** Keys that mean the fact only outside the sections of contacts, name servers and registrars, which have their own. */
const SECTION_DEPENDENT_KEYS = new Set(
  splitList(`created, updated, changed, modified, registered, last updated, last update, last modified, status, state, domain,
    host, create, registered on, updated on, created on, expires, registration, flags, last change`),
);

/** What a section is about, by its heading. */
type WhoisSection = 'domain' | 'registrar' | 'servers' | 'other';

/** Headings that are a line of their own, without a colon. */
const HEADINGS_BY_SECTION: Readonly<Record<WhoisSection, string>> = {
  registrar: `registrar, registrar information, domain managers`,
  domain: `domain information, domain details, additional information, additional info`,
  servers: `nservers`,
  other: `registrant, domain owners registrant, organization using domain name, administrative contact,
    administrative contact agent, admin contact, technical contact, technical contacts, billing contact, owner contact,
    administrativ contact, holder, tech, whois, whois server`,
};

const SECTION_BY_HEADING: ReadonlyMap<string, WhoisSection> = new Map(
  Object.entries(HEADINGS_BY_SECTION).flatMap(([section, headings]) =>
    splitList(headings).map((heading) => [heading, section as WhoisSection] as const),
  ),
);

const MAX_HEADING_WORDS = 5;

/** Whether a line without a colon is a heading: a known one, or one in words of contacts, name servers or registrars. */
export function isHeading(text: string): boolean {
  if (SECTION_BY_HEADING.has(text)) return true;
  if (text.split(' ').length > MAX_HEADING_WORDS) return false;
  const fact = factOfKey(text);
  return fact === 'nameServer' || fact === 'registrar';
}

/** Keys that begin another object within the text (RPSL, RFC 2622, and similar formats). */
export const OBJECT_START_KEYS = new Set(
  splitList('nic hdl, nic hdl br, nic handle, person, personname, role, contact, contact type, ds list, nsset, keyset'),
);

const CONTACT_HEADING =
  /\b(registrant|holder|owner|admin|administrative|administrator|tech|technical|billing|zone|contact|contacts|person|titular|contacto|nic hdl|nic handle|personname|role|ds list|reseller|organi[sz]ation|domicile|keyset)\b/;

const REGISTRAR_NAME_KEYS = new Set(['name', 'organization', 'organisation', 'nom', 'nombre', 'organization name']);
const SERVER_NAME_KEYS = new Set(['name', 'host', 'hostname', 'host name', 'server']);

/** The fact that a key means under a heading ('' without one), both as `normalizeKey` makes them; null: none. */
export function factOf(key: string, heading: string): WhoisFact | null {
  const section = sectionOf(heading);
  const fact = factOfKey(key);
  if (section === 'registrar') {
    if (REGISTRAR_NAME_KEYS.has(key)) return 'registrar';
    return isSectionDependent(key) ? null : fact;
  }
  if (section === 'servers' && SERVER_NAME_KEYS.has(key)) return 'nameServer';
  if (key === 'name' && factOfKey(heading) === 'domain') return 'domain';
  return section !== 'domain' && isSectionDependent(key) ? null : fact;
}

/** Keys that are in no list may mean anything within a contact, but for name servers. */
function isSectionDependent(key: string): boolean {
  return SECTION_DEPENDENT_KEYS.has(key) || (!FACT_BY_KEY.has(key) && factOfKey(key) !== 'nameServer');
}

function sectionOf(heading: string): WhoisSection {
  const known = SECTION_BY_HEADING.get(heading);
  if (known !== undefined) return known;
  if (CONTACT_HEADING.test(heading)) return 'other';
  const fact = factOfKey(heading);
  if (fact === 'nameServer') return 'servers';
  return fact === 'registrar' ? 'registrar' : 'domain';
}

/** The items of a list with commas between them. */
export function splitList(text: string): string[] {
  return text.split(/,\s+/);
}
