import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startService } from '../support/service.ts';

const service = await startService({ after });
const ask = (number: string) => service.get(`/v1/phone/${encodeURIComponent(number)}`);

describe('phone_lookup', () => {
  /** Numbers that regulators reserve for drama (Ofcom, Bundesnetzagentur), and services that publish theirs. */
  test('a London number', async () => {
    const { body } = await ask('+44 20 7946 0958');
    assert.equal(body.valid, true);
    assert.equal(body.number, '+44 20 7946 0958');
    assert.deepEqual(body.format, {
      e164: '+442079460958',
      international: '+44 20 7946 0958',
      national: '020 7946 0958',
    });
    assert.equal(body.country_code, 'GB');
    assert.equal(body.country_name, 'United Kingdom');
    assert.equal(body.calling_code, '44');
    assert.equal(body.type, 'fixed_line');
    assert.equal(body.timezone, 'Europe/London');
    assert.equal(body.carrier, null);
  });

  for (const [number, country, type, timezone] of [
    ['+4915212345678', 'DE', 'mobile', 'Europe/Berlin'],
    ['+18004444444', null, 'toll_free', null],
    ['+12024561111', 'US', 'fixed_line_or_mobile', null],
    ['+80012345678', null, 'toll_free', null],
    ['0033142921200', 'FR', 'fixed_line', 'Europe/Paris'],
  ] as const) {
    test(`${number}: ${type}`, async () => {
      const { body } = await ask(number);
      assert.equal(body.valid, true);
      if (country !== null) assert.equal(body.country_code, country);
      assert.equal(body.type, type);
      assert.equal(body.timezone, timezone, 'one zone, or none said');
    });
  }

  for (const [number, why] of [
    ['020 7946 0958', /prefix/],
    ['+4412', /short or too long/],
    ['+999123456789', /numbering plan/],
  ] as const) {
    test(`not valid: ${number}`, async () => {
      const { status, body } = await ask(number);
      assert.equal(status, 200);
      assert.equal(body.valid, false);
      assert.deepEqual(body.format, { e164: null, international: null, national: null });
      assert.match(body.summary, why);
    });
  }

  for (const bad of ['call me', 'abc', '++', '+'.repeat(51), '1'.repeat(51), '+44<script>']) {
    test(`400: ${bad.slice(0, 12)}`, async () => assert.equal((await ask(bad)).status, 400));
  }
});
