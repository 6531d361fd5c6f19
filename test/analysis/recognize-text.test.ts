import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeNearMiss, recognizeLines, recognizeText } from '../../src/analysis/recognize-text.ts';

describe('what a text is', () => {
  for (const [text, kind, value] of [
    ['CVE-2021-44228', 'cve', 'CVE-2021-44228'],
    ['  - cve-2014-0160,', 'cve', 'CVE-2014-0160'],
    ['CVE 2021 44228', 'cve', 'CVE-2021-44228'],
    ['"CVE-2021-44228"', 'cve', 'CVE-2021-44228'],
    ['GHSA-jfh8-c2jp-5v3q', 'ghsa', 'GHSA-jfh8-c2jp-5v3q'],
    ['AS13335', 'asn', 'AS13335'],
    ['T1059.001', 'attack_technique', 'T1059.001'],
    ['AML.T0051', 'atlas_technique', 'AML.T0051'],
    ['D3-FA', 'd3fend', 'D3-FA'],
    ['pkg:npm/%40babel/core@7.0.0', 'purl', 'pkg:npm/%40babel/core@7.0.0'],
    ['cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*', 'cpe', 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*'],
    ['cpe:/a:apache:log4j:2.14.1', 'cpe', 'cpe:/a:apache:log4j:2.14.1'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'cvss_vector', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['security@example.com', 'email', 'security@example.com'],
    ['someone@163.com', 'email', 'someone@163.com'],
    ['someone[at]example[.]com', 'email', 'someone@example.com'],
    ['lodash@4.17.20', 'package', 'lodash@4.17.20'],
    ['@babel/core@7.0.0-rc.1', 'package', '@babel/core@7.0.0-rc.1'],
    ['org.apache.logging.log4j:log4j-core@2.14.1', 'package', 'org.apache.logging.log4j:log4j-core@2.14.1'],
    ['org.springframework:spring-beans:5.3.17', 'purl', 'pkg:maven/org.springframework/spring-beans@5.3.17'],
    ['log4j:log4j:1.2.17', 'purl', 'pkg:maven/log4j/log4j@1.2.17'],
    ['django==2.2.0', 'purl', 'pkg:pypi/django@2.2.0'],
    ['https://registry.example/lodash@4.17.20', 'url', 'https://registry.example/lodash@4.17.20'],
    ['+44 20 7946 0958', 'phone', '+44 20 7946 0958'],
    ['2021 44 228', 'words', '2021 44 228'],
    ['(AV:N/AC:L/Au:N/C:C/I:C/A:C)', 'cvss_vector', 'AV:N/AC:L/Au:N/C:C/I:C/A:C'],
    ['1.1.1.1:53', 'ip', '1.1.1.1'],
    ['2606:4700:4700::1111', 'ip', '2606:4700:4700::1111'],
    // The empty file.
    ['d41d8cd98f00b204e9800998ecf8427e', 'hash', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['apache log4j 2.14.1', 'words', 'apache log4j 2.14.1'],
    ['CVE-2021-442', 'words', 'CVE-2021-442'],
    ['WordPress', 'words', 'WordPress'],
  ] as const) {
    test(`${text}: ${kind}`, () => {
      const recognized = recognizeText(text);
      assert.deepEqual([recognized.kind, recognized.value], [kind, value]);
      assert.equal(recognized.isDefanged, text.includes('[at]'));
    });
  }

  test('defanged ones are read, and told apart from what is to be visited', () => {
    for (const [text, kind, value] of [
      ['hxxps://evil[.]example/a', 'url', 'https://evil.example/a'],
      ['evil[.]example', 'domain', 'evil.example'],
      ['1.2.3[.]4', 'ip', '1.2.3.4'],
      ['evil(dot)example', 'domain', 'evil.example'],
    ] as const) {
      assert.deepEqual(recognizeText(text), { kind, value, isDefanged: true }, text);
    }
    assert.equal(recognizeText('https://example.com/a').isDefanged, false);
  });

  test('a banner is a line for each of its products', () => {
    const values = (line: string): string[] => recognizeLines(line).map(({ value }) => value);
    assert.deepEqual(values('OpenSSL/3.0.6 PHP/5.6.40 nginx/1.18.0'), ['OpenSSL/3.0.6', 'PHP/5.6.40', 'nginx/1.18.0']);
    assert.deepEqual(values('Apache/2.4.49 (Unix) OpenSSL/1.1.1k'), ['Apache/2.4.49', 'OpenSSL/1.1.1k']);
    assert.deepEqual(values('nginx/1.18.0 (Ubuntu)'), ['nginx/1.18.0 (Ubuntu)']);
    assert.deepEqual(values('log4j 1.2/2.0'), ['log4j 1.2/2.0']);
  });

  test('a line of identifiers alone is several, other lines are one; repetitions are left out', () => {
    assert.deepEqual(
      recognizeLines('# what we run\nCVE-2021-44228, CVE-2014-0160\n\napache log4j\r\ncve-2021-44228').map(
        ({ value }) => value,
      ),
      ['CVE-2021-44228', 'CVE-2014-0160', 'apache log4j'],
    );
  });

  test('long and strange texts are words', () => {
    for (const text of ['x'.repeat(100_000), '\u0000', '🙂', '[[[[', 'a '.repeat(5000)]) {
      assert.equal(recognizeText(text).kind, 'words');
    }
  });
});

test('what is nearly an identifier is told how that is written', () => {
  assert.match(describeNearMiss('CVE-2021-442')!, /four digits/);
  assert.match(describeNearMiss('999.1.1.1')!, /IPv4/);
  assert.match(describeNearMiss('d41d8cd98f00b204e9800998ecf8427')!, /MD5 has 32/);
  assert.equal(describeNearMiss('apache log4j'), null);
});
