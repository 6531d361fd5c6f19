import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsFixGuide } from '../../../src/analysis/scan/dns-fix-guide.ts';
import { SCAN_FINDINGS } from '../../../src/analysis/scan/scan-findings.ts';

const SCANNED = { domain: 'www.example.com', zone: 'example.com', issuer: null };

test('findings about mail, CAA and DNSSEC have a guide with a command', () => {
  for (const id of Object.keys(SCAN_FINDINGS).filter((name) => /^(dnssec_|dns_(caa|spf|dmarc))/.test(name))) {
    const guide = dnsFixGuide(id, SCANNED);
    assert.ok(guide !== null && guide.verify.length > 0, id);
    assert.ok(guide.records.length > 0 || guide.needed !== null || guide.caution !== null, id);
  }
  assert.equal(dnsFixGuide('toString', SCANNED), null);
});

test('CAA names the authority of the certificate in use, as it documents, and says what could break', () => {
  for (const [issuer, value] of [
    ["Let's Encrypt", '0 issue "letsencrypt.org"'],
    ['Google Trust Services', '0 issue "pki.goog"'],
    ['DigiCert Inc', '0 issue "digicert.com"'],
  ] as const) {
    const { records, caution } = dnsFixGuide('dns_caa_missing', { ...SCANNED, issuer })!;
    assert.deepEqual(records, [{ name: 'www.example.com', type: 'CAA', value, replaces: false }]);
    assert.match(caution!, /every authority/);
  }
  const unknown = dnsFixGuide('dns_caa_missing', { ...SCANNED, issuer: 'Lab Intermediate CA" issue "evil' })!;
  assert.deepEqual(unknown.records, []);
  assert.match(unknown.needed!, /name of your authority/);
});

test('DNSSEC is for the operator and the registrar: nothing is given to paste', () => {
  for (const id of ['dnssec_unsigned', 'dnssec_no_ds', 'dnssec_bogus']) {
    const { records, needed } = dnsFixGuide(id, SCANNED)!;
    assert.deepEqual(records, []);
    assert.match(needed!, /registrar/);
  }
});
