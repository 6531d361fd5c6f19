import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMON_SUBDOMAINS } from '../../../src/analysis/dns/common-subdomains.ts';

test('the usual names: at least a thousand, each a label, each once', () => {
  assert.ok(COMMON_SUBDOMAINS.length >= 1000);
  assert.equal(new Set(COMMON_SUBDOMAINS).size, COMMON_SUBDOMAINS.length);
  for (const word of COMMON_SUBDOMAINS) assert.match(word, /^(?=.{1,63}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/);
  for (const word of ['www', 'mail', 'api', 'dev', 'ns1', 'vpn', 'staging'])
    assert.ok(COMMON_SUBDOMAINS.includes(word), word);
});
