import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { parseWhois } from '../../../src/analysis/whois/parse-whois.ts';
import {
  judgeFoundSuite,
  judgeLabelled,
  type Judged,
  judgeNotFoundSuite,
  judgeRegistrySuite,
  whoisTextOf,
} from '../../../quality/whois/judge.ts';
import { OWN_PARSER } from '../../../quality/whois/whois-facts.ts';
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

const registry = sharedPath('suites', 'whois', 'registry');
const likexian = sharedPath('suites', 'whois', 'likexian');
const samples = sharedPath('feeds', 'samples', 'whois');

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
    const judged = [
      ...judgeRegistrySuite(registry!, OWN_PARSER),
      ...judgeFoundSuite(likexian!, OWN_PARSER),
      ...judgeNotFoundSuite(likexian!, OWN_PARSER),
    ].filter(({ verdict }) => verdict !== 'absent');
    t.diagnostic(`fields of ${new Set(judged.map(({ text }) => text)).size} texts\n${print(judged)}`);
    const differing = judged.filter(({ verdict }) => verdict !== 'right').map(({ text, field }) => `${text} ${field}`);
    assert.deepEqual(differing.sort(), Object.keys(KNOWN).sort());
    assert.ok(judged.length > 1700, 'the suites have that many fields');
  });

  test('layouts of registries: every field', () => {
    const judged = judgeLabelled(join(import.meta.dirname, '../../../quality/corpora/whois/own'), OWN_PARSER);
    const wrong = judged.filter(({ verdict }) => verdict !== 'right' && verdict !== 'absent');
    assert.deepEqual(wrong, []);
  });

  test('written by somebody who has not seen the rules: 99 of 100 fields', () => {
    const judged = judgeLabelled(join(import.meta.dirname, '../../../quality/corpora/whois/batch1'), OWN_PARSER);
    const wrong = judged.filter(({ verdict }) => verdict !== 'right' && verdict !== 'absent');
    assert.ok(wrong.length <= judged.length / 100, JSON.stringify(wrong));
  });

  for (const [folder, outcome] of [
    ['registered', 'registered'],
    ['available', 'available'],
    ['errors', 'refused'],
  ] as const) {
    test(`samples: ${folder}`, { skip: samples === null && 'no samples' }, () => {
      const root = join(samples!, folder);
      const files = readdirSync(root);
      const others = files.filter((file) => parseWhois(whoisTextOf(join(root, file))).outcome !== outcome);
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
      const { contacts = {} } = JSON.parse(readFileSync(join(registry!, file), 'utf8'));
      const {
        registrarAbuseEmail: _,
        registrar: __,
        ...found
      } = parseWhois(whoisTextOf(join(registry!, file.replace(/json$/, 'txt'))));
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
