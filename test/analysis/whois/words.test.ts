import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { factFromWords, normalizeKey } from '../../../src/analysis/whois/key-grammar.ts';
import { parseWhois } from '../../../src/analysis/whois/parse-whois.ts';
import { dateOrderOf, parseRegistryDate } from '../../../src/analysis/whois/registry-dates.ts';

describe('keys by their words', () => {
  for (const [key, fact] of [
    ['Data de registo / Creation Date (dd/mm/yyyy)', 'created'],
    ['Date of last modification', 'updated'],
    ['Registration valid until', 'expires'],
    ['Domain registered', 'created'],
    ['Fecha de vencimiento', 'expires'],
    ['Дата регистрации', 'created'],
    ['[登録年月日]', 'created'],
    ['Secondary name server', 'nameServer'],
    ['Nome de domínio / Domain Name', 'domain'],
    ['Estado / Status', 'status'],
    ['Registrant created', null],
    ['Domain status created', null],
    ['Name', null],
    ['Date', null],
    ['Registrar URL', null],
    ['Address', null],
  ] as const)
    test(key, () => assert.equal(factFromWords(normalizeKey(key)), fact));
});

describe('dates of registries', () => {
  for (const [text, date] of [
    ['0-UANIC 20021204130000', '2002-12-04T13:00:00Z'],
    ['hostmaster AT nic.example 20010423 (Assigned)', '2001-04-23'],
    ['2025年10月31日', '2025-10-31'],
    ['13 juillet 2020', '2020-07-13'],
    ['13 juin 2020', '2020-06-13'],
    ['5 марта 2021', '2021-03-05'],
    ['1. März 2021', '2021-03-01'],
    ['before Aug-1996', null],
  ] as const)
    test(text, () => assert.equal(parseRegistryDate(text, 'day-first'), date));

  test('a number above 12 decides the order for all dates of a text', () => {
    assert.equal(dateOrderOf(['08/09/2013', '12/25/2013']), 'month-first');
    assert.equal(dateOrderOf(['08/09/2013', '25/12/2013']), 'day-first');
    assert.equal(dateOrderOf(['08/09/2013']), null);
    assert.equal(parseWhois('Domain: a.test\nCreated: 08/09/2013\nExpires: 12/25/2030').created, '2013-08-09');
  });
});

describe('what a text without a record says', () => {
  for (const [text, outcome] of [
    ['Sorry, but domain: "example.uz", not found in database', 'available'],
    ['Domain example.ai not registred.', 'available'],
    ['This Domain is not available in our whois database', 'available'],
    ['example.test may be registered by anybody.', 'available'],
    ['Le domaine example.test n’est pas enregistré.', 'available'],
    ['Домен example.test не найден', 'available'],
    ['The name example.test is on the list of reserved names', 'reserved'],
    ['example.test cannot be registered.', 'reserved'],
    ['example.test is not available for registration', 'reserved'],
    ['Your address 192.0.2.1 has been blocked', 'refused'],
    ['You reached the number of queries allowed a day', 'refused'],
    ['Wait 30 seconds before the next query', 'refused'],
    ['The query has a malformed name', 'invalid'],
    ['The domain example.test is already registered', 'registered'],
    // Terms of use speak of what is not there, too.
    [
      'By using this service you agree that\nof what is here no data is collected, that\nif there is nothing found, nobody is told, and that\nlimits are not exceeded.',
      'unreadable',
    ],
    ['All rights reserved by the registry.', 'unreadable'],
  ] as const)
    test(text.slice(0, 60), () => assert.equal(parseWhois(text).outcome, outcome));
});
