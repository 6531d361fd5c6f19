import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WhoisFacts, WhoisParser } from './whois-facts.ts';

/** One field of one text. `absent`: there is none, and none was given; `invented`: there is none, and one was given. */
export interface Judged {
  text: string;
  field: string;
  verdict: 'right' | 'wrong' | 'missing' | 'absent' | 'invented';
}

// biome-ignore lint/suspicious/noExplicitAny: the suites' own shapes.
type Expected = any;

const jsonOf = (path: string): Expected => JSON.parse(readFileSync(path, 'utf8'));

/** UTF-8, or ISO 8859-1 where it is not that. */
export function whoisTextOf(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/https?:.*/, '')
    .replace(/[^a-z]/g, '');
const sorted = (texts: readonly string[]): string => [...new Set(texts)].sort().join(' ');
const plainHost = (name: string): string => name.toLowerCase().replace(/\.$/, '');
const plainName = (name: string): string => name.toLowerCase().replace(/\s+/g, ' ').trim();

/** The same day, or within the hours that zones are apart. */
function sameTime(expected: string, got: string): boolean {
  const text = expected
    .replace(/^(\d\d)\/(\d\d)\/(\d\d)$/, '20$3-$2-$1')
    .replace(/^(\d{4})(\d\d)(\d\d)\b.*$/, '$1-$2-$3')
    .replace(/ (UTC|EAT)$/, 'Z')
    .replace(/ ([+-]\d\d):?(\d\d)$/, '$1:$2');
  return text.slice(0, 10) === got.slice(0, 10) || Math.abs(Date.parse(text) - Date.parse(got)) <= 14 * 3600 * 1000;
}

type Judge = (field: string, right: boolean, missing: boolean) => void;

function collect(text: string): {
  judged: Judged[];
  judge: Judge;
  judgeDate: (field: string, expected: string | null, got: string | null) => void;
} {
  const judged: Judged[] = [];
  const judge: Judge = (field, right, missing) =>
    void judged.push({ text, field, verdict: right ? 'right' : missing ? 'missing' : 'wrong' });
  return {
    judged,
    judge,
    judgeDate(field, expected, got) {
      if (expected === null) judged.push({ text, field, verdict: got === null ? 'absent' : 'invented' });
      else judge(field, got !== null && sameTime(expected, got), got === null);
    },
  };
}

/** The suite by the servers of registries. */
export function judgeRegistrySuite(root: string, { parse }: WhoisParser): Judged[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const expected = jsonOf(join(root, file));
    const tld = file.split('/').at(-2)!.split('.').at(-1)!;
    const got = parse(whoisTextOf(join(root, file.replace(/json$/, 'txt'))), `example.${tld}`);
    const { judged, judge, judgeDate } = collect(file.replace(/\.json$/, ''));
    for (const [key, field] of [
      ['created_on', 'created'],
      ['updated_on', 'updated'],
      ['expires_on', 'expires'],
    ] as const)
      if (key in expected) judgeDate(field, expected[key], got[field]);
    if ('nameservers' in expected) {
      const count = expected.count?.nameservers;
      const names = expected.nameservers.map(({ name }: { name: string }) => plainHost(name));
      const given = got.nameServers.map(plainHost);
      const right = count === undefined ? sorted(names) === sorted(given) : given.length === count;
      judge('name servers', right, given.length === 0);
    }
    if ('registrar' in expected) {
      const names = [expected.registrar?.name, expected.registrar?.organization].filter(Boolean).map(plainName);
      const right =
        expected.registrar === null ? got.registrar === null : names.includes(plainName(got.registrar ?? ''));
      judge('registrar', right, got.registrar === null);
    }
    if (Array.isArray(expected.status))
      judge(
        'status',
        sorted(expected.status.map(letters)) === sorted(got.status.map(letters)),
        got.status.length === 0,
      );
    const outcome = outcomeIn(expected);
    if (outcome !== null) judge('outcome', outcome === got.outcome, got.outcome === 'unreadable');
    return judged;
  });
}

function outcomeIn(expected: Expected): WhoisFacts['outcome'] | null {
  if (expected.response_throttled || expected.response_unavailable || expected.response_blocked) return 'refused';
  if (expected.reserved || expected.status === 'reserved') return 'reserved';
  if (expected.invalid || expected.status === 'invalid') return 'invalid';
  if (expected.available) return 'available';
  return expected.registered ? 'registered' : null;
}

/** The suite of registered names, with `domain` and `registrar` of a parsed record. */
export function judgeFoundSuite(root: string, { parse }: WhoisParser): Judged[] {
  const files = readdirSync(join(root, 'found')).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const text = file.replace(/\.json$/, '');
    const { domain, registrar } = jsonOf(join(root, 'found', file));
    const got = parse(whoisTextOf(join(root, 'found', text)), `example.${text.split('_')[0]!}`);
    const { judged, judge, judgeDate } = collect(text);
    judge('outcome', got.outcome === 'registered', got.outcome === 'unreadable');
    // A top-level domain is not a name that this service is asked about.
    if (domain?.punycode?.includes('.')) judge('domain', got.domain === domain.punycode, got.domain === null);
    if (/^\d+$/.test(registrar?.id ?? ''))
      judge('IANA id', got.registrarIanaId === registrar.id, got.registrarIanaId === null);
    for (const [key, field] of [
      ['created_date', 'created'],
      ['updated_date', 'updated'],
      ['expiration_date', 'expires'],
    ] as const) {
      const said = domain?.[`${key}_in_time`] ?? domain?.[key];
      if (said) judgeDate(field, said, got[field]);
    }
    if (domain?.name_servers) {
      const right = sorted(domain.name_servers.map(plainHost)) === sorted(got.nameServers.map(plainHost));
      judge('name servers', right, got.nameServers.length === 0);
    }
    if (domain?.status)
      judge('status', sorted(domain.status.map(letters)) === sorted(got.status.map(letters)), got.status.length === 0);
    if (registrar?.name) {
      const name = plainName(registrar.name.replace(/\s*\(\s*https?:[^)]*\)$/, ''));
      judge('registrar', plainName(got.registrar ?? '') === name, got.registrar === null);
    }
    return judged;
  });
}

/** The suite of names that are not registered. */
export function judgeNotFoundSuite(root: string, { parse }: WhoisParser): Judged[] {
  return readdirSync(join(root, 'notfound')).map((text) => {
    const got = parse(whoisTextOf(join(root, 'notfound', text)), text.slice(text.indexOf('_') + 1));
    const nothing =
      got.registrar === null && got.created === null && got.expires === null && got.nameServers.length === 0;
    const right = got.outcome === 'available' && nothing;
    return { text, field: 'outcome', verdict: right ? 'right' : got.outcome === 'unreadable' ? 'missing' : 'wrong' };
  });
}

interface LabelledText {
  file: string;
  domain: string;
  outcome: string;
  registrar?: string | null;
  created?: string | null;
  updated?: string | null;
  expires?: string | null;
  status?: readonly string[];
  name_servers?: readonly string[];
}

/** A folder of texts with `labels.json`. Of a name that is not registered only the outcome is judged, and that no fact is invented. */
export function judgeLabelled(folder: string, { parse }: WhoisParser): Judged[] {
  return (jsonOf(join(folder, 'labels.json')) as LabelledText[]).flatMap((label) => {
    const got = parse(whoisTextOf(join(folder, label.file)), label.domain);
    const { judged, judge, judgeDate } = collect(`${label.file} ${label.domain}`);
    const outcome = label.outcome === 'rate_limited' ? 'refused' : label.outcome;
    judge('outcome', got.outcome === outcome, got.outcome === 'unreadable');
    for (const field of ['created', 'updated', 'expires'] as const) {
      const expected = label[field];
      if (expected !== undefined) judgeDate(field, expected, got[field]);
    }
    if (typeof label.registrar === 'string')
      judge('registrar', plainName(label.registrar) === plainName(got.registrar ?? ''), got.registrar === null);
    else if (label.registrar === null)
      judged.push({
        text: `${label.file} ${label.domain}`,
        field: 'registrar',
        verdict: got.registrar === null ? 'absent' : 'invented',
      });
    const servers = label.name_servers?.map(plainHost) ?? [];
    if (servers.length > 0)
      judge('name servers', sorted(servers) === sorted(got.nameServers.map(plainHost)), got.nameServers.length === 0);
    // Remarks in brackets belong to a status or not, as one likes.
    const statuses = label.status?.map((status) => letters(status.replace(/\(.*$/, ''))) ?? [];
    if (label.outcome === 'registered' && statuses.length > 0)
      judge('status', sorted(statuses) === sorted(got.status.map(letters)), got.status.length === 0);
    return judged;
  });
}
