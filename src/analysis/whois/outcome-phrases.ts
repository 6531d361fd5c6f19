import { splitList } from './fact-vocabulary.ts';
import { outcomeFromSentences } from './outcome-sentences.ts';
import type { WhoisOutcome } from './registration.ts';

type UnregisteredOutcome = Exclude<WhoisOutcome, 'registered' | 'unreadable'>;

/**
 * Phrases with which servers say that there is no record, and why: beginnings of lines in the form of `normalizeLine`; `@` stands for a
 * domain name. A phrase that ends with `$` is a whole line. The first line that has one decides; of several outcomes the first here.
 */
const LINE_STARTS_BY_OUTCOME: Readonly<Record<UnregisteredOutcome, string>> = {
  available: `no match, not found, no found, domain not found, no data found, no data was found, no entries found,
    no entry found, no object found, no objects found, no records matching, no records found, no record found,
    no such domain, nothing found, no results, no information, there is no information available on,
    object does not exist, object not found, object @ not found, not registered, available$, available domain @,
    is available$, is free$, @ is free, @ is available, @ free$, @ available$, @ not found, @ was not found,
    @ is not found, @ no existe, @ no match, @ no entries found, @ is not registered, @ not registered,
    @ has not been registered, @ does not exist, domain @ not found, domain @ was not found, domain @ is available,
    domain @ is free, domain @ not registered, domain @ is not registered, domain @ has not been registered,
    domain @ does not exist, domain @ available, the domain @ was not found, the domain @ is not registered,
    the domain @ is available, the domain @ has not been registered, the domain @ is free,
    the domain has not been registered, the domain is available, the domain name is available,
    the domain name is not registered, the domain name @ is not registered, the requested domain was not found,
    the queried object does not exist, domain not registered, domain is not registered, domain is available,
    domain is free, domain available, domain does not exist, domain has not been registered, domain unknown,
    domain name not found, domain name not registered, domain name is available, domain name has not been registered,
    domain name @ is not registered, domain name @ does not exist, domain name @ not found,
    domain name @ is available, above domain name is not registered, we do not have an entry in our database,
    we could not find the requested domain, we have no record, error no entries found, error no entry,
    error no objects found, error not found, error no such, error domain not found, error domain is not registered,
    error object not found, error no match, no domain records were found, no domains matched, no existe,
    no se encontro, unfortunately no results were found, key not found, this query returned objects,
    this domain is available, this domain is not registered, this domain has not been registered,
    this domain name is available, this domain name has not been registered, this name is available,
    invalid query or domain name not known, whois domain not found, record not found, entry not found,
    requested domain not found, nincs talalat, @ solo acepta consultas con dominios`,
  reserved: `reserved$, reserved by, reserved domain, reserved name, name is reserved, domain reserved,
    domain is reserved, domain name is reserved, domain @ is reserved, @ is reserved, @ is a reserved,
    this name is reserved, this domain is reserved, the domain @ is reserved, the domain is reserved, restricted$,
    restricted restricted domain name, domain is restricted, domain name restricted,
    the registration of this domain is restricted, the requested domain is restricted,
    the domain you requested is prohibited, sorry the domain you requested is in the reserved list, blocked$,
    prohibited string, not available for registration, @ is not available for registration,
    is not available for registration, this domain cannot be registered, not available for second level registration,
    this name is not available`,
  refused: `error connection refused, connection refused, connection limit exceeded, error connection limit, too many,
    error too many, sorry too many, query rate limit exceeded$, rate limit, limit exceeded, you have exceeded,
    you exceeded, sorry you have exceeded, you have been blocked, you have been banned,
    your request is being rate limited, request limit, quota exceeded, lookup quota exceeded, whois limit exceeded,
    whois query limit, number of allowed queries exceeded, daily limit, the maximum number of, maximum query rate,
    maximum queries, maximum number of, excessive querying, excessive access, @ only request per second,
    @ daily whois limit exceeded, @ server too busy, server too busy, access denied, permission denied,
    error permission denied, query denied, request denied, service unavailable, service temporarily unavailable,
    temporarily unavailable, the ip address used to perform the query is not authori,
    requests of this client are not permitted, error your ip, your ip, your connection, ip address blocked,
    blacklisted, has exceeded, try again later, out of service, limit reached, whois server is temporarily,
    internal error, error internal, not authorised to, the query was blocked, you are not allowed,
    look up limit exceeded, error access control limit, lookup limit, query limit exceeded, please go away,
    your request could not be performed`,
  invalid: `invalid$, invalid domain, invalid query, invalid request, invalid input, invalid characters,
    error invalid, not a valid, malformed, error malformed, bad request, error non bijective, illegal, error illegal,
    @ is not a valid, domain @ is invalid, domain is invalid, domain name is invalid, domain name @ is invalid,
    the domain name is invalid, the domain name is not valid, this domain name is invalid, tld is not supported,
    tld not supported, no whois server, error parse, error syntax, incorrect domain, unsupported`,
};

/** Statuses of names that are not registered, or cannot be. */
const STATUSES_BY_OUTCOME: Readonly<Record<UnregisteredOutcome, string>> = {
  available: `available, free, no object found, not registered, unregistered, available for registration, not found,
    no match, unassigned, none`,
  reserved: `reserved, no registration status listed, prohibited, restricted, not available for registration, not open`,
  refused: `request denied`,
  invalid: `not allowed, invalid characters in query string,
    this whois server does not have any records for that zone, unavailable, invalid`,
};

const PHRASES = Object.entries(LINE_STARTS_BY_OUTCOME).map(
  ([outcome, phrases]) => [outcome as UnregisteredOutcome, splitList(phrases)] as const,
);
const OUTCOME_BY_STATUS = new Map(
  Object.entries(STATUSES_BY_OUTCOME).flatMap(([outcome, statuses]) =>
    splitList(statuses).map((status) => [status, outcome as UnregisteredOutcome] as const),
  ),
);

const DOMAIN = /[\p{L}\p{N}][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]{1,63})+/gu;
const MAX_LINES = 200;

/** Lower case, letters and `@` (a domain name) only, one space between words. */
function normalizeLine(line: string): string {
  return line
    .slice(0, 200)
    .replace(DOMAIN, ' @ ')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}@]+/gu, ' ')
    .trim();
}

/** The outcome that a text without a record states, by a known phrase, else by its sentences; null: it is not understood. */
export function outcomeFromText(text: string): Exclude<WhoisOutcome, 'unreadable'> | null {
  const lines = text.split(/\r\n?|\n/, MAX_LINES);
  for (const line of lines.map(normalizeLine)) {
    const found = PHRASES.find(([, phrases]) => phrases.some((phrase) => matchesPhrase(line, phrase)));
    if (found !== undefined) return found[0];
  }
  return outcomeFromSentences(lines, normalizeLine);
}

function matchesPhrase(line: string, phrase: string): boolean {
  return phrase.endsWith('$') ? line === phrase.slice(0, -1) : line.startsWith(phrase);
}

/** The outcome that a status of an unregistered name states; null: any other status. */
export function outcomeFromStatus(status: string): UnregisteredOutcome | null {
  return OUTCOME_BY_STATUS.get(normalizeLine(status)) ?? null;
}
