import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSuccessor, type SupportCycle } from '../../../src/analysis/support/find-support.ts';

const cycle = (name: string, ends_at: string | null, has_ended: boolean | null = null): SupportCycle => ({
  name,
  released: null,
  ends_at,
  has_ended,
  extended_ends_at: null,
  latest: null,
});
/** OpenSSL as endoflife.date has it in 2026. */
const OPENSSL = {
  product: 'openssl',
  label: 'OpenSSL',
  aliases: [],
  url: null,
  purls: [],
  cpes: ['openssl:openssl'],
  cycles: [
    cycle('4.0', '2027-05-14'),
    cycle('3.6', '2026-11-01'),
    cycle('3.5', '2030-04-08'),
    cycle('3.4', '2026-10-22'),
    cycle('3.0', '2026-09-07'),
    cycle('1.1.1', '2023-09-11'),
  ],
};
const NOW = new Date('2026-11-20T00:00:00Z');

test('a newer cycle that is supported longest follows one that has ended', () => {
  const of = (name: string, ends_at: string | null) =>
    findSuccessor([OPENSSL], { product: 'openssl', cycle: name, ends_at }, NOW);
  assert.deepEqual(of('3.0', '2026-09-07'), { cycle: '3.5', ends_at: '2030-04-08' });
  assert.deepEqual(of('3.6', '2026-11-01'), { cycle: '4.0', ends_at: '2027-05-14' });
  assert.equal(of('4.0', '2027-05-14'), null);
  assert.equal(of('0.9', null), null);
  // Tomcat: of the cycles that end on no known day the newest.
  const tomcat = {
    ...OPENSSL,
    product: 'tomcat',
    cycles: [cycle('11.0', null, false), cycle('10.1', null, false), cycle('9.0', '2027-03-31')],
  };
  assert.deepEqual(findSuccessor([tomcat], { product: 'tomcat', cycle: '9.0', ends_at: '2027-03-31' }, NOW), {
    cycle: '11.0',
    ends_at: null,
  });
  assert.equal(findSuccessor([OPENSSL], { product: 'other', cycle: '3.0', ends_at: null }, NOW), null);
});
