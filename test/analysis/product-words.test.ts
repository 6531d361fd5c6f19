import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readProductWords, splitProductVersion } from '../../src/analysis/product-words.ts';

describe('a product with its version', () => {
  for (const [text, name, version] of [
    ['OpenSSL 3.0.6', 'OpenSSL', '3.0.6'],
    ['apache log4j 2.14.1', 'apache log4j', '2.14.1'],
    ['openssl v1.0.1f', 'openssl', '1.0.1f'],
    ['Apache HTTP Server 2.4.49', 'Apache HTTP Server', '2.4.49'],
    ['log4j-core 2.14.1', 'log4j-core', '2.14.1'],
    ['nginx/1.18.0', 'nginx', '1.18.0'],
    ['nginx/1.18.0 (Ubuntu)', 'nginx', '1.18.0'],
    ['OpenSSH_8.9p1 Ubuntu-3ubuntu0.1', 'OpenSSH', '8.9p1'],
    ['Apache/2.4.49 (Unix) OpenSSL/1.1.1k', 'Apache HTTP Server', '2.4.49'],
    ['Microsoft-IIS/10.0', 'IIS', '10.0'],
    ['PHP 5.6.40', 'PHP', '5.6.40'],
    ['Exim version 4.92', 'Exim', '4.92'],
    ['Node.js v18.12.1', 'Node.js', '18.12.1'],
    ['openssl-1.0.2k', 'openssl', '1.0.2k'],
    ['jquery-ui-1.12.1', 'jquery-ui', '1.12.1'],
    ['Log4j 2.0-beta9', 'Log4j', '2.0-beta9'],
    ['OpenSSL (3.0.6)', 'OpenSSL', '3.0.6'],
    ['Cisco IOS XE 17.3.1', 'Cisco IOS XE', '17.3.1'],
    ['Microsoft Exchange Server 2019 15.2.986.5', 'Microsoft Exchange Server 2019', '15.2.986.5'],
    ['Chrome 120', 'Chrome', '120'],
    ['is curl 7.88.1 vulnerable?', 'curl', '7.88.1'],
  ] as const) {
    test(text, () => {
      assert.deepEqual(readProductWords(text).readings[0], { name, version });
      assert.deepEqual(splitProductVersion(text), { name, version });
    });
  }
});

describe('a number that may be part of the name is read both ways', () => {
  for (const [text, ...names] of [
    ['Windows Server 2019', 'Windows Server 2019', 'Windows Server'],
    ['Windows 10 22H2', 'Windows 10 22H2', 'Windows 10'],
    ['sql server 2019', 'sql server 2019', 'sql server'],
    ['Windows 10', 'Windows', 'Windows 10'],
    ['Chrome 120', 'Chrome', 'Chrome 120'],
  ] as const) {
    test(text, () =>
      assert.deepEqual(
        readProductWords(text).readings.map(({ name }) => name),
        names,
      ),
    );
  }

  test('a year is no version for certain', () => assert.equal(splitProductVersion('Windows Server 2019'), null));
});

describe('beside CVE ids', () => {
  for (const [text, name, version, ...cveIds] of [
    ['spring framework 5.3.17 CVE-2022-22965', 'spring framework', '5.3.17', 'CVE-2022-22965'],
    ['CVE-2022-22965 spring framework 5.3.17', 'spring framework', '5.3.17', 'CVE-2022-22965'],
    ['is openssl 3.0.6 affected by cve-2022-3602?', 'openssl', '3.0.6', 'CVE-2022-3602'],
    ['OpenSSL 3.0.6: CVE-2022-3602, CVE-2022-3786', 'OpenSSL', '3.0.6', 'CVE-2022-3602', 'CVE-2022-3786'],
    ['Fortinet FortiOS 7.2.3 and CVE-2022-42475', 'Fortinet FortiOS', '7.2.3', 'CVE-2022-42475'],
    ['log4j CVE-2021-44228', 'log4j', null, 'CVE-2021-44228'],
  ] as const) {
    test(text, () => assert.deepEqual(readProductWords(text), { cveIds, readings: [{ name, version }] }));
  }
});

describe('no product with a version', () => {
  for (const text of [
    'log4j',
    'apache log4j',
    'no such words',
    '2.14.1',
    '10',
    'CVE-2021-44228',
    'CVE-2021-44228 CVE-2014-0160',
    'affected by CVE-2021-44228',
    'TLS 1.2',
    'SSL 3.0',
    'HTTP/1.1',
    'TCP/80',
    'port 443',
    'RFC 2616',
    'ISO 27001',
    'PCI DSS 4.0',
    'top 10',
    'Patch Tuesday 2024',
    '24/7',
    'n/a',
    'and/or',
    '/etc/passwd',
    'openssl 2022-11-01',
    'the 3 best 2024 tools',
    'curl is old',
    '',
    '🙂 🙂',
    '(((((',
  ]) {
    test(JSON.stringify(text), () => assert.deepEqual(readProductWords(text).readings, []));
  }

  test('in a time that grows with the text alone', () => {
    for (const text of ['a '.repeat(50_000), '1.'.repeat(50_000), `a${' '.repeat(100_000)}1`, 'x-'.repeat(50_000)])
      assert.ok(Array.isArray(readProductWords(text).readings));
  });
});
