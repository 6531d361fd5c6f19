import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  describeNearMiss,
  recognizeLines,
  recognizeText,
  splitProductVersion,
} from '../../src/analysis/recognize-text.ts';

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
      assert.deepEqual([recognized.kind, recognized.value, recognized.isDefanged], [kind, value, false]);
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

  test('a line of identifiers alone is several, other lines are one; repetitions are left out', () => {
    assert.deepEqual(
      recognizeLines('CVE-2021-44228, CVE-2014-0160\n\napache log4j\r\ncve-2021-44228').map(({ value }) => value),
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

test('words that end with a version', () => {
  assert.deepEqual(splitProductVersion('apache log4j 2.14.1'), { name: 'apache log4j', version: '2.14.1' });
  assert.deepEqual(splitProductVersion('openssl v1.0.1f'), { name: 'openssl', version: '1.0.1f' });
  assert.equal(splitProductVersion('log4j'), null);
});
