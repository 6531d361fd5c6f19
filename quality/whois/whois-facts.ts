import { parseWhois } from '../../src/analysis/whois/parse-whois.ts';
import type { NpmPeer } from '../npm-peer.ts';

/** What a parser says of a WHOIS text; null or empty: nothing. Dates are ISO 8601. */
export interface WhoisFacts {
  outcome: 'registered' | 'available' | 'reserved' | 'invalid' | 'refused' | 'unreadable';
  domain: string | null;
  registrar: string | null;
  registrarIanaId: string | null;
  created: string | null;
  updated: string | null;
  expires: string | null;
  nameServers: readonly string[];
  status: readonly string[];
}

export interface WhoisParser {
  tool: string;
  /** Fields that the parser has at all. */
  fields: readonly (keyof WhoisFacts)[];
  parse: (text: string, domain: string) => WhoisFacts;
}

export const FIELDS = [
  'outcome',
  'domain',
  'registrar',
  'registrarIanaId',
  'created',
  'updated',
  'expires',
  'nameServers',
  'status',
] as const satisfies readonly (keyof WhoisFacts)[];

export const OWN_PARSER: WhoisParser = {
  tool: 'Sextant',
  fields: FIELDS,
  parse: (text, domain) => parseWhois(text, domain.split('.').at(-1) ?? null),
};

const NOTHING: WhoisFacts = {
  outcome: 'unreadable',
  domain: null,
  registrar: null,
  registrarIanaId: null,
  created: null,
  updated: null,
  expires: null,
  nameServers: [],
  status: [],
};

/** `whoiser`, by its parser of texts: labels as keys, without an outcome. */
export function whoiserParser({ tool, load }: NpmPeer): WhoisParser {
  const { parseDomainWhois } = load('/src/parsers.js') as {
    parseDomainWhois: (domain: string, text: string) => Record<string, string | string[]>;
  };
  return {
    tool,
    fields: FIELDS.filter((field) => field !== 'outcome'),
    parse(text, domain) {
      const found = parseDomainWhois(domain, text);
      const one = (label: string): string | null => [found[label] ?? []].flat()[0]?.trim() || null;
      return {
        ...NOTHING,
        domain: one('Domain Name')?.toLowerCase() ?? null,
        registrar: one('Registrar'),
        registrarIanaId: one('Registrar IANA ID'),
        created: toIsoDay(one('Created Date')),
        updated: toIsoDay(one('Updated Date')),
        expires: toIsoDay(one('Expiry Date')),
        nameServers: [found['Name Server'] ?? []].flat(),
        status: [found['Domain Status'] ?? []].flat().map((status) => status.replace(/\s+https?:.*$/, '')),
      };
    },
  };
}

/** `whois-parsed`, by its parser of texts: no name servers; it throws where it does not know the ending, or was refused. */
export function whoisParsedParser({ tool, load }: NpmPeer): WhoisParser {
  const parseRaw = load('/parse-raw-data.js') as (
    text: string,
    domain: string,
  ) => {
    isAvailable: boolean;
    domainName?: string;
    registrar?: string;
    creationDate?: string;
    updatedDate?: string;
    expirationDate?: string;
    status?: string[];
  };
  return {
    tool,
    fields: FIELDS.filter((field) => field !== 'nameServers' && field !== 'registrarIanaId'),
    parse(text, domain) {
      try {
        const found = parseRaw(text, domain);
        return {
          ...NOTHING,
          outcome: found.isAvailable
            ? 'available'
            : found.creationDate || found.registrar
              ? 'registered'
              : 'unreadable',
          domain: found.domainName ?? null,
          registrar: found.registrar?.trim() ?? null,
          created: found.creationDate ?? null,
          updated: found.updatedDate ?? null,
          expires: found.expirationDate ?? null,
          status: (found.status ?? []).map((status) => status.replace(/\s+https?:.*$/, '').trim()),
        };
      } catch (error) {
        return /rate limited/i.test(String(error)) ? { ...NOTHING, outcome: 'refused' } : NOTHING;
      }
    },
  };
}

function toIsoDay(text: string | null): string | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}
