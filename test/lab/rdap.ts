/** RDAP (RFC 7480 to 9083, bootstrap RFC 9224): IANA's files, the registry of `.lab`, a registrar, and the recorded registries. */

import { isIPv6 } from 'node:net';
import { inLab, LAB_ASN, LAB_PREFIX, LAB_PREFIX6 } from './addresses.ts';
import { samples } from './samples.ts';
import type { Handler, Site } from './site.ts';

const REGISTRY = 'https://rdap.nic.lab/';
const NUMBERS = 'https://rdap.numbers.lab/';
const ARIN = 'https://rdap.arin.net/registry/';

const SERVICES: Readonly<Record<string, readonly (readonly [string[], string])[]>> = {
  dns: [
    [['lab'], REGISTRY],
    [['com'], 'https://rdap.verisign.com/com/v1/'],
    [['no'], 'https://rdap.norid.no/'],
    [['cz'], 'https://rdap.nic.cz/'],
  ],
  ipv4: [
    [[LAB_PREFIX], NUMBERS],
    [['1.0.0.0/8'], 'https://rdap.apnic.net/'],
    [['13.0.0.0/8'], ARIN],
    [['130.0.0.0/8'], 'https://rdap.db.ripe.net/'],
  ],
  ipv6: [
    [[LAB_PREFIX6], NUMBERS],
    [['2001:4800::/23', '2600::/12'], ARIN],
  ],
  asn: [
    [[`${LAB_ASN}-${LAB_ASN}`], NUMBERS],
    [['13312-18431'], ARIN],
  ],
};

/** One of IANA's bootstrap files, or null. */
export function bootstrap(name: string): unknown {
  const services = SERVICES[name];
  if (services === undefined) return null;
  return {
    description: `RDAP bootstrap file of the lab: ${name}`,
    publication: '2026-01-01T00:00:00Z',
    version: '1.0',
    services: services.map(([entries, url]) => [entries, [url]]),
  };
}

export const FREE = /^free[\w-]*\.lab$/;

const ERRORS: Readonly<Record<number, string>> = { 404: 'Object not found', 429: 'Rate limit exceeded' };

function refuse(status: number, headers: Record<string, string> = {}): Handler {
  const body = { rdapConformance: ['rdap_level_0'], errorCode: status, title: ERRORS[status], description: [] };
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/rdap+json', ...headers }).end(JSON.stringify(body));
}

function say(body: unknown): Handler {
  return (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/rdap+json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

function vcard(...properties: [name: string, value: string][]): unknown {
  return ['vcard', [['version', {}, 'text', '4.0'], ...properties.map(([name, value]) => [name, {}, 'text', value])]];
}

function domainObject(name: string, from: 'registry' | 'registrar'): unknown {
  const registrar = {
    objectClassName: 'entity',
    handle: '9999',
    roles: ['registrar'],
    publicIds: [{ type: 'IANA Registrar ID', identifier: '9999' }],
    vcardArray: vcard(['fn', 'Lab Registrar Ltd.']),
    entities: [
      {
        objectClassName: 'entity',
        roles: ['abuse'],
        vcardArray: vcard(['fn', 'Abuse desk'], ['email', 'abuse@registrar.lab']),
      },
    ],
  };
  const registrant = {
    objectClassName: 'entity',
    roles: ['registrant'],
    vcardArray: vcard(['fn', 'Kept Publishing'], ['org', 'Kept Publishing']),
  };
  const base = from === 'registry' ? REGISTRY : 'https://rdap.registrar.lab/';
  const related = { rel: 'related', href: `https://rdap.registrar.lab/domain/${name}`, type: 'application/rdap+json' };
  return {
    rdapConformance: ['rdap_level_0', 'icann_rdap_response_profile_1'],
    objectClassName: 'domain',
    handle: `${name.length}_DOMAIN-LAB`,
    ldhName: name.toUpperCase(),
    status: ['client transfer prohibited', 'client delete prohibited'],
    events: [
      { eventAction: 'registration', eventDate: '2009-02-01T10:00:00Z' },
      { eventAction: 'expiration', eventDate: '2031-02-01T10:00:00Z' },
      { eventAction: 'last changed', eventDate: '2026-01-01T10:00:00Z' },
      { eventAction: 'last update of RDAP database', eventDate: '2026-02-01T00:00:00Z' },
    ],
    nameservers: ['NS1.LAB', 'NS2.LAB'].map((ldhName) => ({ objectClassName: 'nameserver', ldhName })),
    secureDNS: { delegationSigned: name === 'kept.lab' },
    entities: from === 'registry' ? [registrar] : [registrar, registrant],
    links: [{ rel: 'self', href: `${base}domain/${name}` }, ...(from === 'registry' ? [related] : [])],
  };
}

/** Domains of which the registry speaks in its own way; `free….lab` is held by nobody, everything else below `.lab` is registered. */
const SPECIAL_DOMAINS: Readonly<Record<string, Handler>> = {
  'throttled.lab': refuse(429, { 'retry-after': '60' }),
  'garbled.lab': say('{"objectClassName":"domain","ldhName":'),
  'nonsense.lab': say([1, 2, 3]),
  'silent-registry.lab': () => {},
  'private-registrar.lab': say({
    ...(domainObject('private-registrar.lab', 'registry') as object),
    links: [{ rel: 'related', href: 'https://10.0.0.1/domain/private-registrar.lab', type: 'application/rdap+json' }],
  }),
};

const registry: Handler = (request, response) => {
  const [, kind, name = ''] = decodeURIComponent(request.url ?? '')
    .toLowerCase()
    .split('/');
  if (kind !== 'domain' || FREE.test(name) || !name.endsWith('.lab')) return refuse(404)(request, response);
  (SPECIAL_DOMAINS[name] ?? say(domainObject(name, 'registry')))(request, response);
};

const registrar: Handler = (request, response) => {
  const name =
    decodeURIComponent(request.url ?? '')
      .toLowerCase()
      .split('/')
      .at(-1) ?? '';
  say(domainObject(name, 'registrar'))(request, response);
};

const numbers: Handler = (request, response) => {
  const [, kind, value = ''] = decodeURIComponent(request.url ?? '').split('/');
  if (kind === 'autnum' && value === LAB_ASN) {
    const autnum = {
      objectClassName: 'autnum',
      handle: `AS${LAB_ASN}`,
      startAutnum: Number(LAB_ASN),
      endAutnum: Number(LAB_ASN),
      name: 'LAB-AS',
      country: 'CH',
    };
    return say({ ...autnum, entities: [operator()] })(request, response);
  }
  const v6 = isIPv6(value);
  if (kind !== 'ip' || !inLab(value)) return refuse(404)(request, response);
  const range = v6
    ? { startAddress: '2a00:5700::', endAddress: '2a00:5700:ffff:ffff:ffff:ffff:ffff:ffff', ipVersion: 'v6' }
    : { startAddress: '5.57.0.0', endAddress: '5.57.255.255', ipVersion: 'v4' };
  const [v6prefix, v4prefix] = [LAB_PREFIX6, LAB_PREFIX].map((cidr) => cidr.split('/') as [string, string]);
  const cidr = v6
    ? { v6prefix: v6prefix![0], length: Number(v6prefix![1]) }
    : { v4prefix: v4prefix![0], length: Number(v4prefix![1]) };
  say({
    objectClassName: 'ip network',
    handle: 'LAB-NET',
    ...range,
    name: 'LAB-NET',
    country: 'CH',
    cidr0_cidrs: [cidr],
    entities: [operator()],
  })(request, response);
};

function operator(): unknown {
  return {
    objectClassName: 'entity',
    handle: 'LAB-ORG',
    roles: ['registrant', 'abuse'],
    vcardArray: vcard(['fn', 'Laboratory'], ['email', 'abuse@numbers.lab']),
  };
}

/** Plays a registry of the world with what was recorded of it; the path ends with the object's kind and name. */
const recorded: Handler = (request, response) => {
  const [kind = '', name = ''] = decodeURIComponent(request.url ?? '')
    .toLowerCase()
    .split('/')
    .slice(-2);
  const host = request.headers.host ?? '';
  const found = samples(`samples/rdap/${kind}`, `${name.replaceAll(':', '-')}.`).find(({ text }) =>
    text.includes(host),
  );
  if (found === undefined && name === EXAMPLE) return say(domainObject(EXAMPLE, 'registrar'))(request, response);
  (found === undefined ? refuse(404) : say(found.text))(request, response);
};

/** What the examples of operations ask about, whether anything was recorded or not. */
const EXAMPLE = 'example.com';

const RECORDED_HOSTS = [
  'rdap.verisign.com',
  'rdap.markmonitor.com',
  'rdap.registrar.eu',
  'rdap.norid.no',
  'rdap.nic.cz',
  'rdap.apnic.net',
  'rdap.arin.net',
  'rdap.db.ripe.net',
];

export const RDAP_SITES: readonly Site[] = [
  { host: 'rdap.nic.lab', shows: 'RDAP: the registry of .lab', on: 'https', pages: { '*': registry } },
  { host: 'rdap.registrar.lab', shows: 'RDAP: a registrar', on: 'https', pages: { '*': registrar } },
  {
    host: 'rdap.numbers.lab',
    shows: 'RDAP: the registry of addresses and AS numbers',
    on: 'https',
    pages: { '*': numbers },
  },
  ...RECORDED_HOSTS.map(
    (host): Site => ({ host, shows: 'RDAP: what was recorded of it', on: 'https', pages: { '*': recorded } }),
  ),
];
