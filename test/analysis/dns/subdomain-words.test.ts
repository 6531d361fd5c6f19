import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SUBDOMAIN_WORDS } from '../../../src/analysis/dns/subdomain-words.ts';

test('the usual names: at least a thousand, each a label, each once', () => {
  assert.ok(SUBDOMAIN_WORDS.length >= 1000);
  assert.equal(new Set(SUBDOMAIN_WORDS).size, SUBDOMAIN_WORDS.length);
  for (const word of SUBDOMAIN_WORDS) assert.match(word, /^(?=.{1,63}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/);
  for (const word of ['www', 'mail', 'api', 'dev', 'ns1', 'vpn', 'staging'])
    assert.ok(SUBDOMAIN_WORDS.includes(word), word);
});
