import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseEmailAddress } from '../../../src/analysis/email/address/parse-email-address.ts';
import { sharedPath } from '../../support/shared.ts';

const SUITE = sharedPath('suites', 'email', 'cases.json');
const skip = SUITE === null && 'no suites';

interface Case {
  id: string;
  address: string;
  category: string;
  diagnosis: string;
  comment?: string;
}

/** Our forms, as the suite names its categories. */
const CATEGORIES: Readonly<Record<string, string>> = {
  plain: 'ISEMAIL_VALID_CATEGORY',
  smtp: 'ISEMAIL_RFC5321',
  commented: 'ISEMAIL_CFWS',
  obsolete: 'ISEMAIL_DEPREC',
  header: 'ISEMAIL_RFC5322',
  broken: 'ISEMAIL_ERR',
};
/** Decided by what the DNS said in 2011 (see its comment): without, a domain of one label is not plain. */
const BY_DNS: ReadonlySet<string> = new Set(['5']);

describe('addresses: the public suite', { skip }, () => {
  const cases = skip ? [] : (Object.values(JSON.parse(readFileSync(SUITE!, 'utf8'))) as Case[]);

  test('all of them are here', () => assert.equal(cases.length, 84));

  for (const { id, address, category, diagnosis } of cases) {
    test(`${id}: ${diagnosis}`, () => {
      const { form, note } = parseEmailAddress(address);
      assert.equal(form === 'broken', category === 'ISEMAIL_ERR', note ?? form);
      const expected = category === 'ISEMAIL_DNSWARN' ? 'ISEMAIL_VALID_CATEGORY' : category;
      if (!BY_DNS.has(id)) assert.equal(CATEGORIES[form], expected, note ?? form);
    });
  }
});
