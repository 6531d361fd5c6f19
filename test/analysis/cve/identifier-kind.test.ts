import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  type IdentifierKind,
  detectIdentifierKind,
  IDENTIFIER_KIND_PHRASES,
} from '../../../src/analysis/identifier-kind.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const EXAMPLES: Record<IdentifierKind, string[]> = {
  cve: ['CVE-2021-44228', 'cve-1999-0095', ' CVE-2024-1000001 '],
  cwe: ['CWE-79', 'cwe-79', 'CWE 79', 'CWE1321'],
  ghsa: ['GHSA-jfh8-c2jp-5v3q', 'ghsa-JFH8-c2jp-5v3q'],
  atlas_technique: ['AML.T0051', 'AML.T0051.000', 'aml.t0043'],
  atlas_case_study: ['AML.CS0009'],
  attack_technique: ['T1059', 'T1059.001', 't1190'],
  d3fend: [
    'D3-PSA',
    'd3-anci',
    'd3f:FileHashing',
    'D3F:FileHashing',
    'http://d3fend.mitre.org/ontologies/d3fend.owl#FileHashing',
    'https://d3fend.mitre.org/technique/d3f:FileHashing/',
  ],
  cvss_vector: [
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
    'AV:N/AC:L/Au:N/C:P/I:P/A:P',
    '(AV:L/AC:H/Au:N/C:N/I:P/A:C)',
  ],
  asn: ['AS13335', 'as15169'],
  hash: [
    '44d88612fea8a8f36de82e1278abb02f',
    '3395856CE81F2B7382DEE72602F798B642F14140',
    '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
  ],
  uuid: ['134c704f-9b21-4f2e-91b3-4a467353bcc0'],
  ip: ['192.0.2.1', '8.8.8.8', '2001:db8::1', '::1', '::ffff:192.0.2.1', '2001:0DB8:0:0:0:0:0:1'],
  email: ['someone@example.com', 'first.last+tag@sub.example.org'],
  url: ['https://example.com/', 'http://192.0.2.1:8080/a?b=c', 'HTTPS://EXAMPLE.COM/x@y'],
  domain: [
    'example.com',
    'sub.example.co.uk',
    'EXAMPLE.com.',
    'bücher.example',
    'xn--bcher-kva.example',
    'пример.испытание',
    '_dmarc.example.com',
    'example.xn--p1ai',
  ],
};

for (const [kind, texts] of Object.entries(EXAMPLES)) {
  suite(kind, () => {
    for (const text of texts) test(text, () => assert.equal(detectIdentifierKind(text), kind));
  });
}

test('what looks like nothing known', () => {
  for (const text of [
    '',
    '   ',
    'localhost',
    'log4j',
    '1.2.3',
    '999.999.999.999',
    '1.2.3.4.5',
    '12345',
    'a b.example',
    '-bad.example',
    'ftp://example.com',
    'example..com',
    '.',
    'CVE-2021',
    'T105',
    'deadbeef',
    '@example.com',
    `${'a'.repeat(64)}.example`,
    'x'.repeat(3000),
  ]) {
    assert.equal(detectIdentifierKind(text), null, JSON.stringify(text.slice(0, 40)));
  }
});

test('long and hostile text is answered at once', () => {
  const texts = [`${'a.'.repeat(1000)}!`, `${'a-'.repeat(1000)}.`, 'AV:N/'.repeat(400), `a@${'b.'.repeat(1000)}`];
  const started = cpuMs();
  for (const text of texts) for (let turn = 0; turn < 100; turn++) detectIdentifierKind(text);
  assert.ok(cpuMs() - started < 2500);
});

test('each kind has a name for sentences', () => {
  for (const kind of Object.keys(EXAMPLES)) assert.match(IDENTIFIER_KIND_PHRASES[kind as IdentifierKind], /^an? /);
});
