import assert from 'node:assert/strict';
import { test } from 'node:test';
import { organizationShortName } from '../../../src/analysis/cve/organization-short-name.ts';

test('the id of an organisation at the CVE Program has its short name', () => {
  assert.equal(organizationShortName('134c704f-9b21-4f2e-91b3-4a467353bcc0'), 'CISA-ADP');
  assert.equal(organizationShortName('134C704F-9B21-4F2E-91B3-4A467353BCC0'), 'CISA-ADP');
});

test('what is not known stays as it is', () => {
  for (const source of ['nvd@nist.gov', '00000000-0000-4000-8000-000000000000', 'CISA-ADP', '', 'constructor']) {
    assert.equal(organizationShortName(source), source);
  }
});
