import { cleanText, displayLine } from '../display-text.ts';
import { type DateOrder, parseRegistryDate } from './registry-dates.ts';
import { type WhoisField, parseWhoisFields } from './whois-fields.ts';
import { parseHostName, findHostNames, parseMailAddress } from './host-names.ts';
import { outcomeFromStatus, outcomeFromText } from './outcome-phrases.ts';
import type { Registration } from './registration.ts';
import { parseEppStatus } from './epp-status.ts';
import { type WhoisFact, factOf } from './fact-vocabulary.ts';

const MAX_VALUE_LENGTH = 120;
const MAX_LIST_ITEMS = 30;
const MONTH_FIRST_TLDS: ReadonlySet<string> = new Set(['tk', 'us', 'ws']);
const HANDLE_PATTERN = /^[A-Z]{2,8}-\d+$/;
/** What is longer is a sentence, and may say anything. */
const MAX_STATUS_LENGTH = 40;
const MAX_EXCERPT_LENGTH = 300;

/** A server of WHOIS that another refers to for a name: `refer` of IANA's, `whois` of its record of a top-level domain. */
export function findReferralServer(text: string): string | null {
  const line = /^(?:refer|whois):[ \t]*(\S+)/im.exec(text)?.[1] ?? '';
  return parseHostName(line);
}

/** What a server said, short and without lines that may hold data of people; for texts that could not be read. */
export function createWhoisExcerpt(text: string): string {
  const lines = cleanText(text)
    .split('\n', 100)
    .filter((line) => line.trim() !== '' && !line.includes('@') && !/(?:\d[\s().-]*){7}/.test(line));
  return displayLine(lines.join(' '), MAX_EXCERPT_LENGTH);
}

/** Reads what a WHOIS server (RFC 3912) said of a domain, in whatever layout and words. `tld` settles how dates are to be read. */
export function parseWhois(text: string, tld: string | null = null): Registration {
  const facts = collectFacts(parseWhoisFields(text));
  const domain = firstParsed(facts.domain, parseHostName);
  const order: DateOrder = MONTH_FIRST_TLDS.has(tld ?? domain?.split('.').at(-1) ?? '') ? 'month-first' : 'day-first';
  const date = (values: readonly string[]): string | null =>
    firstParsed(values, (value) => parseRegistryDate(value, order));
  const hosts = [...new Set(facts.nameServer.flatMap(findHostNames))].slice(0, MAX_LIST_ITEMS);
  const statuses = [...new Set(facts.status.flatMap(parseStatuses))].slice(0, MAX_LIST_ITEMS);
  const found = {
    domain,
    registrar:
      firstParsed(
        facts.registrar.filter((value) => !HANDLE_PATTERN.test(value)),
        parseRegistrarName,
      ) ?? firstParsed(facts.registrar, parseRegistrarName),
    registrarIanaId: firstParsed(facts.registrarIanaId, (value) => /^\d{1,7}$/.exec(value.trim())?.[0] ?? null),
    registrarAbuseEmail: firstParsed(facts.registrarAbuseEmail, parseMailAddress),
    created: date(facts.created),
    updated: date(facts.updated),
    expires: date(facts.expires) ?? date(facts.status.map((value) => /\(([^)]*)\)$/.exec(value)?.[1] ?? '')),
    nameServers: hosts.length > 1 ? hosts.filter((host) => host !== domain) : hosts,
    status: statuses,
    signed: firstParsed(facts.signed, parseSigned),
    referral: firstParsed(facts.referral, parseHostName),
  };
  return { outcome: decideOutcome(found, text), ...found };
}

function decideOutcome(found: Omit<Registration, 'outcome'>, text: string): Registration['outcome'] {
  const byStatus = found.status.map(outcomeFromStatus).find((outcome) => outcome !== null);
  if (byStatus !== undefined) return byStatus;
  if (found.registrar ?? found.created ?? found.expires ?? found.nameServers[0]) return 'registered';
  const said = outcomeFromText(text);
  if (said !== null) return said;
  // A name by itself may be but the question repeated.
  const state = found.updated !== null || found.status.some((status) => status.length <= MAX_STATUS_LENGTH);
  return state ? 'registered' : 'unreadable';
}

function collectFacts(fields: readonly WhoisField[]): Record<WhoisFact, string[]> {
  const facts: Record<WhoisFact, string[]> = {
    domain: [],
    registrar: [],
    registrarIanaId: [],
    registrarAbuseEmail: [],
    created: [],
    updated: [],
    expires: [],
    nameServer: [],
    status: [],
    signed: [],
    referral: [],
  };
  let again = false;
  for (const { section, key, value } of fields) {
    const fact = factOf(key, section);
    if (fact === null) continue;
    const text = cleanText(value).trim();
    if (fact === 'domain')
      again = parseHostName(text) !== null && facts.domain.some((name) => parseHostName(name) === parseHostName(text));
    // A registrar may put its own record after the registry's: its servers stand for themselves.
    if (fact === 'nameServer' && again) facts.nameServer.length = 0;
    if (fact === 'nameServer') again = false;
    facts[fact].push(text);
  }
  return facts;
}

function firstParsed<Read>(values: readonly string[], read: (value: string) => Read | null): Read | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

/** Without address of the web site, handle and tag. */
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
    .trim();
  const whole = parseEppStatus(text);
  if (whole !== null) return [whole];
  const words = text.split(/\s+/);
  if (words.length > 1 && words.every((word) => parseEppStatus(word) !== null))
    return words.map((word) => parseEppStatus(word)!);
  return text
    .split(/[,;|/]/)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}]/u.test(part))
    .map((part) => parseEppStatus(part) ?? displayLine(part, MAX_VALUE_LENGTH));
}

function parseSigned(value: string): boolean | null {
  const said = value.trim().toLowerCase();
  if (/^(unsigned|no\b|n$|inactive|none|not |off|false|disabled)/.test(said)) return false;
  return /^(signed|yes|y$|active|on$|true|enabled)/.test(said) ? true : null;
}
