import { cleanText, clip } from '../text.ts';
import { type DateOrder, parseDate } from './dates.ts';
import { type Field, readFields } from './fields.ts';
import { hostOf, hostsIn, mailOf } from './hosts.ts';
import { saidByStatus, saidInWords } from './phrases.ts';
import type { Registration } from './record.ts';
import { eppStatus } from './status.ts';
import { type Fact, factOf } from './vocabulary.ts';

const MAX_VALUE = 120;
const MAX_LIST = 30;
const MONTH_FIRST: ReadonlySet<string> = new Set(['tk', 'us', 'ws']);
const HANDLE = /^[A-Z]{2,8}-\d+$/;
/** What is longer is a sentence, and may say anything. */
const MAX_STATUS = 40;
const MAX_EXCERPT = 300;

/** A server of WHOIS that another refers to for a name: `refer` of IANA's, `whois` of its record of a top-level domain. */
export function referredServer(text: string): string | null {
  const line = /^(?:refer|whois):[ \t]*(\S+)/im.exec(text)?.[1] ?? '';
  return hostOf(line);
}

/** What a server said, short and without lines that may hold data of people; for texts that could not be read. */
export function excerptOf(text: string): string {
  const lines = cleanText(text)
    .split('\n', 100)
    .filter((line) => line.trim() !== '' && !line.includes('@') && !/(?:\d[\s().-]*){7}/.test(line));
  return clip(lines.join(' ').replace(/\s+/g, ' ').trim(), MAX_EXCERPT);
}

/** Reads what a WHOIS server (RFC 3912) said of a domain, in whatever layout and words. `tld` settles how dates are to be read. */
export function parseWhois(text: string, tld: string | null = null): Registration {
  const facts = gather(readFields(text));
  const domain = first(facts.domain, hostOf);
  const order: DateOrder = MONTH_FIRST.has(tld ?? domain?.split('.').at(-1) ?? '') ? 'month-first' : 'day-first';
  const date = (values: readonly string[]): string | null => first(values, (value) => parseDate(value, order));
  const hosts = [...new Set(facts.nameServer.flatMap(hostsIn))].slice(0, MAX_LIST);
  const statuses = [...new Set(facts.status.flatMap(statusesIn))].slice(0, MAX_LIST);
  const found = {
    domain,
    registrar:
      first(
        facts.registrar.filter((value) => !HANDLE.test(value)),
        registrarIn,
      ) ?? first(facts.registrar, registrarIn),
    registrarIanaId: first(facts.registrarIanaId, (value) => /^\d{1,7}$/.exec(value.trim())?.[0] ?? null),
    registrarAbuseEmail: first(facts.registrarAbuseEmail, mailOf),
    created: date(facts.created),
    updated: date(facts.updated),
    expires: date(facts.expires) ?? date(facts.status.map((value) => /\(([^)]*)\)$/.exec(value)?.[1] ?? '')),
    nameServers: hosts.length > 1 ? hosts.filter((host) => host !== domain) : hosts,
    status: statuses,
    signed: first(facts.signed, signedIn),
    referral: first(facts.referral, hostOf),
  };
  return { outcome: outcomeOf(found, text), ...found };
}

function outcomeOf(found: Omit<Registration, 'outcome'>, text: string): Registration['outcome'] {
  const byStatus = found.status.map(saidByStatus).find((outcome) => outcome !== null);
  if (byStatus !== undefined) return byStatus;
  if (found.registrar ?? found.created ?? found.expires ?? found.nameServers[0]) return 'registered';
  const said = saidInWords(text);
  if (said !== null) return said;
  // A name by itself may be but the question repeated.
  const state = found.updated !== null || found.status.some((status) => status.length <= MAX_STATUS);
  return state ? 'registered' : 'unreadable';
}

function gather(fields: readonly Field[]): Record<Fact, string[]> {
  const facts: Record<Fact, string[]> = {
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
    if (fact === 'domain') again = hostOf(text) !== null && facts.domain.some((name) => hostOf(name) === hostOf(text));
    // A registrar may put its own record after the registry's: its servers stand for themselves.
    if (fact === 'nameServer' && again) facts.nameServer.length = 0;
    if (fact === 'nameServer') again = false;
    facts[fact].push(text);
  }
  return facts;
}

function first<Read>(values: readonly string[], read: (value: string) => Read | null): Read | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

/** Without address of the web site, handle and tag. */
function registrarIn(value: string): string | null {
  const name = value
    .replace(/\s*[([](?:Tag\s*=[^)\]]*|\s*https?:\/\/[^)\]]*|www\.[^)\]]*|[A-Z]*\d[A-Z\d-]*)[)\]]\s*$/i, '')
    .replace(/\s+https?:\/\/\S*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(name) ? clip(name, MAX_VALUE) : null;
}

function statusesIn(value: string): string[] {
  const text = value
    .replace(/^\d{3} /, '')
    .replace(/\s*(?:https?:\/\/| - |\().*$/, '')
    .trim();
  const whole = eppStatus(text);
  if (whole !== null) return [whole];
  const words = text.split(/\s+/);
  if (words.length > 1 && words.every((word) => eppStatus(word) !== null)) return words.map((word) => eppStatus(word)!);
  return text
    .split(/[,;|/]/)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}]/u.test(part))
    .map((part) => eppStatus(part) ?? clip(part.replace(/\s+/g, ' '), MAX_VALUE));
}

function signedIn(value: string): boolean | null {
  const said = value.trim().toLowerCase();
  if (/^(unsigned|no\b|n$|inactive|none|not |off|false|disabled)/.test(said)) return false;
  return /^(signed|yes|y$|active|on$|true|enabled)/.test(said) ? true : null;
}
