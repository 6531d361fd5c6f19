import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiKeyOf, readConfig } from '../src/config.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../src/server/runner-deps.ts';

const read = (variable: string, value: string) =>
  readConfig(['whois', 'rdap'], { [`SEXTANT_SOURCE_${variable}_URL`]: value }).sourceUrls.get(variable.toLowerCase());

describe('addresses of sources', () => {
  test('WHOIS: whois://host or whois://host:port', () => {
    assert.equal(read('WHOIS', 'whois://127.0.0.1:4343'), 'whois://127.0.0.1:4343/');
    assert.equal(read('WHOIS', 'whois://[::1]:4343/'), 'whois://[::1]:4343/');
    assert.equal(read('WHOIS', 'whois://whois.example'), 'whois://whois.example/');
  });

  for (const value of [
    'https://whois.example',
    'whois.example:43',
    'whois://',
    'whois://user@host',
    'whois://host/path',
    'whois://host:99999',
  ]) {
    test(`no address of a WHOIS server: ${value}`, () => assert.throws(() => read('WHOIS', value), /whois:\/\/host/));
  }

  test('no other source is asked that way', () => {
    assert.equal(read('RDAP', 'https://rdap.example/bootstrap'), 'https://rdap.example/bootstrap/');
    assert.throws(() => read('RDAP', 'whois://rdap.example:43'), /not an http/);
  });

  test('what is asked of each target has no address to configure; the platforms have', () => {
    const configure = (id: string) =>
      readConfig(CONFIGURABLE_SOURCE_IDS, { [`SEXTANT_SOURCE_${id}_URL`]: 'https://mirror.example/' });
    assert.equal(configure('PLATFORMS').sourceUrls.get('platforms'), 'https://mirror.example/');
    for (const id of ['WEB', 'DNS', 'TLS', 'ROBOTS_TXT', 'REDIRECTS', 'MTA_STS', 'DNSSEC', 'DNS_SWEEP']) {
      assert.throws(() => configure(id), /no source/, id);
    }
  });
});

describe('keys of sources', () => {
  const config = readConfig([], { SEXTANT_SHODAN_KEY: 'abc', SEXTANT_PORT: '80' });

  test('by the variable of the setting', () => assert.equal(apiKeyOf(config, 'SEXTANT_SHODAN_KEY'), 'abc'));

  test('none where it is not set, is no text, or is no setting', () => {
    for (const variable of ['SEXTANT_ABUSEIPDB_KEY', 'SEXTANT_PORT', 'SEXTANT_NO_SUCH_KEY'])
      assert.equal(apiKeyOf(config, variable), null, variable);
  });
});
