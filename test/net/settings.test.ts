import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { ConfigError, describeConfig, readConfig } from '../../src/config.ts';

const read = (environment: Record<string, string> = {}) => readConfig([], environment);
const shown = (environment: Record<string, string>, variable: string) =>
  describeConfig(read(environment)).find((row) => row.variable === variable)?.value;

describe('settings of the way out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-ca-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  test('by default: the resolvers of the system, no private target, no proxy, the usual certificates', () => {
    const { dnsServers, allowPrivateTargets, proxy, extraCa } = read();
    assert.deepEqual([dnsServers, allowPrivateTargets, proxy, extraCa], [[], [], null, []]);
  });

  test('as given', () => {
    const bundle = file('ca.pem', `# two of them\n${rootCertificates[0]}\ntext between\n${rootCertificates[1]}\n`);
    const given = {
      SEXTANT_DNS_SERVERS: '9.9.9.9, unbound:5353,[2620:fe::fe]:53',
      SEXTANT_ALLOW_PRIVATE_TARGETS: '10.0.0.0/8, fd00::/8,192.0.2.7',
      SEXTANT_PROXY: 'http://user:hunter2@proxy.example:3128',
      SEXTANT_EXTRA_CA: bundle,
    };
    const { dnsServers, allowPrivateTargets, proxy, extraCa } = read(given);
    assert.deepEqual(dnsServers, ['9.9.9.9', 'unbound:5353', '[2620:fe::fe]:53']);
    assert.deepEqual(allowPrivateTargets, ['10.0.0.0/8', 'fd00::/8', '192.0.2.7']);
    assert.equal(proxy, 'http://user:hunter2@proxy.example:3128');
    const fingerprints = (all: readonly string[]) => all.map((pem) => new X509Certificate(pem).fingerprint256);
    assert.deepEqual(fingerprints(extraCa), fingerprints(rootCertificates.slice(0, 2)));
    assert.equal(shown(given, 'SEXTANT_PROXY'), 'http://proxy.example:3128');
    assert.equal(shown(given, 'SEXTANT_EXTRA_CA'), '2 certificates');
  });

  const broken = file('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  for (const [variable, value] of [
    ['SEXTANT_DNS_SERVERS', 'https://dns.example/hunter2'],
    ['SEXTANT_DNS_SERVERS', '9.9.9.9:99999'],
    ['SEXTANT_ALLOW_PRIVATE_TARGETS', 'intranet'],
    ['SEXTANT_ALLOW_PRIVATE_TARGETS', '10.0.0.0/33'],
    ['SEXTANT_ALLOW_PRIVATE_TARGETS', 'fe80::1%eth0'],
    ['SEXTANT_PROXY', 'socks5://user:hunter2@proxy.example'],
    ['SEXTANT_PROXY', 'http://user:hunter2@proxy.example/path'],
    ['SEXTANT_PROXY', 'proxy.example:3128'],
    ['SEXTANT_EXTRA_CA', join(folder, 'missing.pem')],
    ['SEXTANT_EXTRA_CA', file('empty.pem', 'no certificate')],
    ['SEXTANT_EXTRA_CA', broken],
  ] as const) {
    test(`${variable}=${value.replace(folder, '')} is refused`, () => {
      assert.throws(
        () => read({ [variable]: value }),
        (error) =>
          error instanceof ConfigError &&
          error.message.startsWith(`${variable}: `) &&
          !error.message.includes('user:hunter2'),
      );
    });
  }
});
