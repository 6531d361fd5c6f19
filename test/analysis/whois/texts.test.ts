import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { parseWhois } from '../../../src/analysis/whois/parse-whois.ts';
import type { WhoisOutcome } from '../../../src/analysis/whois/registration.ts';
import { sharedPath } from '../../support/shared.ts';

/**
 * Real texts of registries against the facts that two public suites hold of them. Every field that is not as the suite has it
 * stands in `KNOWN` with its reason: a new one fails the test, and so does one that no longer differs.
 */
const KNOWN: Readonly<Record<string, string>> = {
  'whois.denic.de/de/status_registered registrar': 'the suite takes a contact of the zone for the registrar',
  'whois.gandi.net/status_available outcome': 'an empty text; the suite takes that as "available"',
  'whois.gov.za/gov.za/status_registered created': 'the suite takes the date of the application form',
  'whois.nic.as/as/status_registered created': 'the text says "Registered on", the suite has null',
  'whois.nic.asia/asia/status_registered status': 'the text has two, the suite one',
  'whois.nic.es/es/status_registered name servers': 'the suite counts two empty lines',
  'whois.nic.es/es/status_available registrar': 'the suite names the registry itself, which the text does not',
  'whois.nic.es/es/status_registered registrar': 'the suite names the registry itself, which the text does not',
  'whois.registro.br/br/status_registered_limited outcome': 'a reduced answer: name and owner only',
  'ee_git.ee updated': 'the suite takes the change of the name servers',
  'ee_google.ee updated': 'the suite takes the change of the name servers',
  'ee_telia.ee updated': 'the suite takes the change of the name servers',
  'gg_google.gg status': 'the suite cuts each line to its first word',
  'it_git.it registrar': 'the suite has the tag, the text a name too',
  'it_google.it registrar': 'the suite has the tag, the text a name too',
  'nz_gre.nz status': 'the suite has an empty text',
  'nz_vote.nz status': 'the suite has an empty text',
  'uk_git.uk status': 'the suite cuts the line to its first word',
  'uk_google.uk status': 'the suite cuts the line to its first word',
  'uk_git.uk registrar': 'without its tag here',
  'uk_google.uk registrar': 'without its tag here',
  'name_science.name outcome': '"not available for second level registration" is reserved here',
};

interface Judged {
  text: string;
  field: string;
  verdict: 'right' | 'wrong' | 'missing';
}

const registry = sharedPath('suites', 'whois', 'registry');
const likexian = sharedPath('suites', 'whois', 'likexian');
const samples = sharedPath('feeds', 'samples', 'whois');

// biome-ignore lint/suspicious/noExplicitAny: the suites' own shapes.
type Expected = any;

const jsonOf = (path: string): Expected => JSON.parse(readFileSync(path, 'utf8'));

/** UTF-8, or ISO 8859-1 where it is not that. */
function textOf(path: string): string {
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

function verdictOf(right: boolean, missing: boolean): Judged['verdict'] {
  if (right) return 'right';
  return missing ? 'missing' : 'wrong';
}

function judgeRegistry(root: string): Judged[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const expected = jsonOf(join(root, file));
    const tld = file.split('/').at(-2)!.split('.').at(-1)!;
    const got = parseWhois(textOf(join(root, file.replace(/json$/, 'txt'))), tld);
    const judged: Judged[] = [];
    const judge = (field: string, right: boolean, missing: boolean): void =>
      void judged.push({ text: file.replace(/\.json$/, ''), field, verdict: verdictOf(right, missing) });
    for (const [key, field, value] of [
      ['created_on', 'created', got.created],
      ['updated_on', 'updated', got.updated],
      ['expires_on', 'expires', got.expires],
    ] as const) {
      if (!(key in expected)) continue;
      const right = expected[key] === null ? value === null : value !== null && sameTime(expected[key], value);
      judge(field, right, value === null);
    }
    if ('nameservers' in expected) {
      const count = expected.count?.nameservers;
      const names = expected.nameservers.map(({ name }: { name: string }) => plainHost(name));
      const right = count === undefined ? sorted(names) === sorted(got.nameServers) : got.nameServers.length === count;
      judge('name servers', right, got.nameServers.length === 0);
    }
    if ('registrar' in expected) {
      const names = [expected.registrar?.name, expected.registrar?.organization].filter(Boolean).map(plainName);
      const right =
        expected.registrar === null ? got.registrar === null : names.includes(plainName(got.registrar ?? ''));
      judge('registrar', right, got.registrar === null);
    }
    if (Array.isArray(expected.status)) {
      judge(
        'status',
        sorted(expected.status.map(letters)) === sorted(got.status.map(letters)),
        got.status.length === 0,
      );
    }
    const outcome = outcomeIn(expected);
    if (outcome !== null) judge('outcome', outcome === got.outcome, got.outcome === 'unreadable');
    return judged;
  });
}

function outcomeIn(expected: Expected): WhoisOutcome | null {
  if (expected.response_throttled || expected.response_unavailable || expected.response_blocked) return 'refused';
  if (expected.reserved || expected.status === 'reserved') return 'reserved';
  if (expected.invalid || expected.status === 'invalid') return 'invalid';
  if (expected.available) return 'available';
  return expected.registered ? 'registered' : null;
}

function judgeFound(root: string): Judged[] {
  const files = readdirSync(join(root, 'found')).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const text = file.replace(/\.json$/, '');
    const { domain, registrar } = jsonOf(join(root, 'found', file));
    const got = parseWhois(textOf(join(root, 'found', text)), text.split('_')[0]!);
    const judged: Judged[] = [];
    const judge = (field: string, right: boolean, missing: boolean): void =>
      void judged.push({ text, field, verdict: verdictOf(right, missing) });
    judge('outcome', got.outcome === 'registered', got.outcome === 'unreadable');
    // A top-level domain is not a name that this service is asked about.
    if (domain?.punycode?.includes('.')) judge('domain', got.domain === domain.punycode, got.domain === null);
    for (const [key, field, value] of [
      ['created_date', 'created', got.created],
      ['updated_date', 'updated', got.updated],
      ['expiration_date', 'expires', got.expires],
    ] as const) {
      const said = domain?.[`${key}_in_time`] ?? domain?.[key];
      if (said) judge(field, value !== null && sameTime(said, value), value === null);
    }
    if (domain?.name_servers) {
      judge(
        'name servers',
        sorted(domain.name_servers.map(plainHost)) === sorted(got.nameServers),
        got.nameServers.length === 0,
      );
    }
    if (domain?.status)
      judge('status', sorted(domain.status.map(letters)) === sorted(got.status.map(letters)), got.status.length === 0);
    if (registrar?.name) {
      judge(
        'registrar',
        plainName(got.registrar ?? '') === plainName(registrar.name.replace(/\s*\(\s*https?:[^)]*\)$/, '')),
        got.registrar === null,
      );
    }
    if (/^\d+$/.test(registrar?.id ?? ''))
      judge('IANA id', got.registrarIanaId === registrar.id, got.registrarIanaId === null);
    return judged;
  });
}

function judgeNotFound(root: string): Judged[] {
  return readdirSync(join(root, 'notfound')).map((text) => {
    const { outcome, registrar, created, expires, nameServers } = parseWhois(
      textOf(join(root, 'notfound', text)),
      text.split('_')[0]!,
    );
    const nothing = registrar === null && created === null && expires === null && nameServers.length === 0;
    return { text, field: 'outcome', verdict: verdictOf(outcome === 'available' && nothing, outcome === 'unreadable') };
  });
}

function print(judged: readonly Judged[]): string {
  const fields = [...new Set(judged.map(({ field }) => field))];
  const rows = fields.map((field) => {
    const count = (verdict: Judged['verdict']): string =>
      String(judged.filter((one) => one.field === field && one.verdict === verdict).length).padStart(8);
    return `${field.padEnd(14)}${count('right')}${count('wrong')}${count('missing')}`;
  });
  return [
    `${'field'.padEnd(14)}${['right', 'wrong', 'missing'].map((word) => word.padStart(8)).join('')}`,
    ...rows,
  ].join('\n');
}

describe('real WHOIS texts', () => {
  test('give the facts that the public suites hold of them', {
    skip: (registry === null || likexian === null) && 'no suites',
  }, (t) => {
    const judged = [...judgeRegistry(registry!), ...judgeFound(likexian!), ...judgeNotFound(likexian!)];
    t.diagnostic(`fields of ${new Set(judged.map(({ text }) => text)).size} texts\n${print(judged)}`);
    const differing = judged.filter(({ verdict }) => verdict !== 'right').map(({ text, field }) => `${text} ${field}`);
    assert.deepEqual(differing.sort(), Object.keys(KNOWN).sort());
    assert.ok(judged.length > 2000, 'the suites have more than two thousand fields');
  });

  for (const [folder, outcome] of [
    ['registered', 'registered'],
    ['available', 'available'],
    ['errors', 'refused'],
  ] as const) {
    test(`samples: ${folder}`, { skip: samples === null && 'no samples' }, () => {
      const root = join(samples!, folder);
      const files = readdirSync(root);
      const others = files.filter((file) => parseWhois(textOf(join(root, file))).outcome !== outcome);
      assert.deepEqual(others, []);
      assert.ok(files.length >= 6, relative('.', root));
    });
  }

  test('no text gives a name, address, telephone or mail of a person', {
    skip: registry === null && 'no suites',
  }, () => {
    for (const file of readdirSync(registry!, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    )) {
      const { contacts = {} } = jsonOf(join(registry!, file));
      const {
        registrarAbuseEmail: _,
        registrar: __,
        ...found
      } = parseWhois(textOf(join(registry!, file.replace(/json$/, 'txt'))));
      const shown = JSON.stringify(found).toLowerCase();
      for (const contact of Object.values(contacts).flat() as Record<string, string | null>[]) {
        for (const key of ['name', 'email', 'phone', 'address'] as const) {
          const value = contact?.[key]?.toLowerCase();
          if (value && value.length > 5 && !value.includes('.')) assert.ok(!shown.includes(value), `${file}: ${key}`);
          if (key === 'email' && value) assert.ok(!shown.includes(value), `${file}: ${key}`);
        }
      }
    }
  });
});
