import { cleanText, displayLine } from '../display-text.ts';
import { type DateOrder, dateOrderOf, parseRegistryDate } from './registry-dates.ts';
import { type WhoisField, parseWhoisFields } from './whois-fields.ts';
import { parseHostName, findHostNames, parseMailAddress } from './host-names.ts';
import { outcomeFromStatus, outcomeFromText } from './outcome-phrases.ts';
import { MAX_VALUE_LENGTH, type Registration, type WhoisOutcome, firstDistinctItems } from './registration.ts';
import { parseEppStatus } from './epp-status.ts';
import { WHOIS_FACTS, type WhoisFact, factOf } from './fact-vocabulary.ts';

const MONTH_FIRST_TLDS: ReadonlySet<string> = new Set(['tk', 'us', 'ws']);
/** `clientHold (2030-03-02)`, `OK-UNTIL 20300302000000`: a status with the date to which it holds. */
const STATUS_DATE = /\(([^)]*)\)$|\buntil\s+(\d.*)$/i;
/** `hostmaster@nic.example 20010423 (Assigned)`: the first of the changes of an object. */
const CREATING_CHANGE = /\((?:assigned|created|registered)\)\s*$/i;
/** A line of the list of changes of an object (RPSL, RFC 2622, 3.1): who, and when. */
const LISTED_CHANGE = /^\p{L}.*\s(?:19|20)\d{6}(?:\s*\([^)]*\))?$/iu;
const HANDLE_PATTERN = /^[A-Z]{2,8}-\d+$/;
/** A longer status is a sentence, which may say anything. */
const MAX_STATUS_LENGTH = 40;
const MAX_EXCERPT_LENGTH = 300;

/** The WHOIS server of a top-level domain as IANA's server names it (`refer`, or `whois` in its record); null: it names none. */
export function findReferralServer(text: string): string | null {
  return parseHostName(/^(?:refer|whois):[ \t]*(\S+)/im.exec(text)?.[1] ?? '');
}

/** The start of a text that could not be read, at most 300 characters, without lines that may hold personal data. */
export function createWhoisExcerpt(text: string): string {
  const lines = cleanText(text)
    .split('\n', 100)
    .filter((line) => line.trim() !== '' && !line.includes('@') && !/(?:\d[\s().-]*){7}/.test(line));
  return displayLine(lines.join(' '), MAX_EXCERPT_LENGTH);
}

/** What a WHOIS server says. */
export type WhoisAnswer = Omit<Registration, 'outcome'> & { outcome: WhoisOutcome };

/** Reads the response of a WHOIS server (RFC 3912) about a domain. `tld`: decides the order of day and month in dates. */
export function parseWhois(text: string, tld: string | null = null): WhoisAnswer {
  const facts = collectFacts(parseWhoisFields(text));
  const domain = firstParsed(facts.domain, parseHostName);
  const order =
    dateOrderOf([...facts.created, ...facts.updated, ...facts.expires]) ??
    usualDateOrder(tld ?? domain?.split('.').at(-1) ?? '');
  const date = (values: readonly string[]): string | null =>
    firstParsed(values, (value) => parseRegistryDate(value, order));
  const hosts = firstDistinctItems(facts.nameServer.flatMap(findHostNames));
  const found = {
    domain,
    registrar:
      firstParsed(
        facts.registrar.filter((value) => !HANDLE_PATTERN.test(value)),
        parseRegistrarName,
      ) ?? firstParsed([...facts.registrar, ...facts.registrarHandle], parseRegistrarName),
    registrarIanaId: firstParsed(facts.registrarIanaId, (value) => /^\d{1,7}$/.exec(value.trim())?.[0] ?? null),
    registrarAbuseEmail: firstParsed(facts.registrarAbuseEmail, parseMailAddress),
    created: date(facts.created) ?? date(facts.updated.filter((value) => CREATING_CHANGE.test(value))),
    updated: date(latestChangeFirst(facts.updated)),
    expires: date(facts.expires) ?? date(facts.status.map((value) => STATUS_DATE.exec(value)?.slice(1).join('') ?? '')),
    nameServers: hosts.length > 1 ? hosts.filter((host) => host !== domain) : hosts,
    status: distinctStatuses(facts.status.flatMap(parseStatuses)),
    signed: firstParsed(facts.signed, parseSigned),
    referral: firstParsed(facts.referral, parseHostName),
  };
  return { outcome: decideOutcome(found, text), ...found };
}

function decideOutcome(found: Omit<Registration, 'outcome'>, text: string): WhoisAnswer['outcome'] {
  const byStatus = found.status.map(outcomeFromStatus).find((outcome) => outcome !== null);
  if (byStatus !== undefined) return byStatus;
  if (found.registrar ?? found.created ?? found.expires ?? found.nameServers[0]) return 'registered';
  const stated = outcomeFromText(text);
  if (stated !== null) return stated;
  // A domain name alone may be only the query repeated.
  const hasFacts = found.updated !== null || found.status.some((status) => status.length <= MAX_STATUS_LENGTH);
  return hasFacts ? 'registered' : 'unreadable';
}

function collectFacts(fields: readonly WhoisField[]): Record<WhoisFact, string[]> {
  const facts = Object.fromEntries(WHOIS_FACTS.map((fact) => [fact, [] as string[]])) as Record<WhoisFact, string[]>;
  let isDomainRepeated = false;
  for (const { section, key, value } of fields) {
    const fact = factOf(key, section);
    if (fact === null) continue;
    const text = cleanText(value).trim();
    if (fact === 'domain') {
      const name = parseHostName(text);
      isDomainRepeated = name !== null && facts.domain.some((known) => parseHostName(known) === name);
    } else if (fact === 'nameServer' && isDomainRepeated) {
      // The registrar's own record follows that of the registry: its name servers replace those of the registry.
      facts.nameServer = [];
      isDomainRepeated = false;
    }
    facts[fact].push(text);
  }
  return facts;
}

function usualDateOrder(tld: string): DateOrder {
  return MONTH_FIRST_TLDS.has(tld) ? 'month-first' : 'day-first';
}

/** A list of changes has the oldest first. */
function latestChangeFirst(values: readonly string[]): readonly string[] {
  return values.length > 1 && values.every((value) => LISTED_CHANGE.test(value)) ? values.toReversed() : values;
}

function firstParsed<Read>(values: readonly string[], read: (value: string) => Read | null): Read | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

/** The name without URL, handle and tag. */
function parseRegistrarName(value: string): string | null {
  const name = value
    .replace(/\s*[([](?:Tag\s*=[^)\]]*|\s*https?:\/\/[^)\]]*|www\.[^)\]]*|[A-Z]*\d[A-Z\d-]*)[)\]]\s*$/i, '')
    .replace(/\s+https?:\/\/\S*$/, '');
  return /[\p{L}\p{N}]/u.test(name) ? displayLine(name, MAX_VALUE_LENGTH) : null;
}

function parseStatuses(value: string): string[] {
  const text = value
    .replace(/^\d{3} /, '')
    .replace(/\s*(?:https?:\/\/| - |\().*$/, '')
    .replace(/[-\s]+until\s+\d.*$/i, '')
    .trim();
  const whole = parseEppStatus(text);
  if (whole !== null) return [whole];
  const codes = text.split(/\s+/).map(parseEppStatus);
  if (codes.length > 1 && codes.every((code) => code !== null)) return codes;
  return text
    .split(/[,;|/]/)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}]/u.test(part))
    .map((part) => parseEppStatus(part) ?? displayLine(part, MAX_VALUE_LENGTH));
}

/** Each once, whatever its case. */
function distinctStatuses(statuses: readonly string[]): string[] {
  const known = new Map(statuses.toReversed().map((status) => [status.toLowerCase(), status]));
  return firstDistinctItems(statuses.map((status) => known.get(status.toLowerCase())!));
}

function parseSigned(value: string): boolean | null {
  const text = value.trim().toLowerCase();
  if (/^(unsigned|no\b|n$|inactive|none|not |off|false|disabled)/.test(text)) return false;
  return /^(signed|yes|y$|active|on$|true|enabled)/.test(text) ? true : null;
}
