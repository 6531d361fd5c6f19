import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkHost } from '../../../src/analysis/email/spf/check-host.ts';
import { lookUpSpf } from '../../../src/analysis/email/spf/look-up-spf.ts';
import { readSpfSuite } from '../../../quality/mail/spf-suite.ts';
import { zoneDns } from '../../../quality/mail/zone-dns.ts';
import { sharedPath } from '../../support/shared.ts';

const SUITE = sharedPath('suites', 'spf', 'rfc7208-tests.yml');
const skip = SUITE === null && 'no suites';
const CASES = SUITE === null ? [] : readSpfSuite(SUITE);

test('the public suite of RFC 7208 has 200 cases', { skip }, () => assert.equal(CASES.length, 200));

describe('SPF: check_host() by the public suite of RFC 7208', { skip }, () => {
  for (const { section, name, zone, ip, sender, helo, results, explanation } of CASES) {
    test(`${section}: ${name}`, async () => {
      const answer = await checkHost({ ip, sender, helo }, zoneDns(zone));
      assert.ok(results.includes(answer.result), `${answer.result} (${answer.reason}), not ${results.join(' or ')}`);
      if (answer.result !== 'fail' || explanation === null) return;
      assert.equal(answer.explanation, explanation === 'DEFAULT' ? null : explanation);
    });
  }
});

/** The survey judges no message, so of the suite's results it can confirm only that a record is broken, or that it is not. */
test('SPF: the survey of records finds what the suite calls permerror, and nothing else', { skip }, async () => {
  for (const { name, zone, sender, helo, results } of CASES) {
    if (results.includes('none') || results.includes('temperror')) continue;
    const domain = (sender === '' ? helo : sender.slice(sender.lastIndexOf('@') + 1)).replace(/\.$/, '');
    const found = await lookUpSpf(domain, zoneDns(zone));
    const { records, syntaxError, loops, brokenIncludes, crowdedMx, lookupCount, voids } = found;
    if (!results.includes('permerror')) assert.equal(syntaxError, null, name);
    else if (results.length === 1) {
      const problems = [...loops, ...brokenIncludes, ...crowdedMx, ...voids.slice(2), ...records.slice(1)];
      assert.ok(syntaxError !== null || problems.length > 0 || lookupCount! > 10, name);
    }
  }
});
