import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { GivenWatch } from '../../src/engine/watch-book.ts';
import { ApiError } from '../../src/errors.ts';
import { checkWatch, type ReceiverRules } from '../../src/watches/book/check-watch.ts';
import { AT_ONCE, givenWatch } from './sample-watch.ts';

const PUBLIC: ReceiverRules = { allowedPrivate: [], mailTo: ['example.com', 'one@other.example'] };

/** What is wrong, in words; empty: it is kept. */
function problems(changes: Partial<GivenWatch>, rules = PUBLIC): string[] {
  try {
    checkWatch(givenWatch(changes), rules);
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 422);
    return error.issues!.map(({ msg }) => msg);
  }
}
const ofUrl = (url: string, rules = PUBLIC) =>
  problems({ channels: [{ kind: 'webhook', url, format: 'standard' }] }, rules);
const ofMail = (to: string, rules = PUBLIC) => problems({ channels: [{ kind: 'email', to }] }, rules);

describe('receivers', () => {
  for (const url of ['https://hooks.example.com/x?y=1', 'https://[2606:4700::1111]/', 'https://192.0.43.8:8443/'])
    test(`${url} is accepted`, () => assert.deepEqual(ofUrl(url), []));

  for (const url of [
    'https://127.0.0.1/',
    'https://localhost/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://metadata.google.internal/',
    'https://7.0.0.10.in-addr.arpa/',
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'https://user:password@hooks.example.com/',
    'https://hooks.example.com:22/',
    'not a url',
    `https://hooks.example.com/${'x'.repeat(2048)}`,
  ])
    test(`${url.slice(0, 60)} is refused`, () => assert.equal(ofUrl(url).length, 1));

  test('a network that the operator allows is reached, also without TLS', () => {
    const rules = { ...PUBLIC, allowedPrivate: ['10.1.0.0/16'] };
    assert.deepEqual(ofUrl('http://10.1.2.3/', rules), []);
    assert.equal(ofUrl('http://10.2.2.3/', rules).length, 1);
  });

  test('mail goes to addresses and domains that the operator allows', () => {
    for (const to of ['a@example.com', 'A@EXAMPLE.com', 'one@other.example']) assert.deepEqual(ofMail(to), []);
    for (const to of [
      'a@sub.example.com',
      'a@notexample.com',
      'two@other.example',
      'a@example.com, b@example.com',
      'example.com',
      'a@b@example.com',
      'a b@example.com',
      '"x"@example.com\r\nBcc: y@example.com',
    ])
      assert.equal(ofMail(to).length, 1, to);
    assert.deepEqual(ofMail('any@where.example', { ...PUBLIC, mailTo: ['*'] }), []);
    assert.match(ofMail('a@example.com', { ...PUBLIC, mailTo: null })[0]!, /no mail server/);
  });
});

test('times, zones and sizes are checked, all at once', () => {
  const schedule = { ...AT_ONCE, at: '24:00', weekday: 8, time_zone: 'Mars/Base', quiet: { from: '7:00', to: '7:00' } };
  assert.equal(problems({ schedule, name: 'x'.repeat(201) }).length, 7);
  assert.deepEqual(problems({ schedule: { ...AT_ONCE, time_zone: 'Asia/Kathmandu' } }), []);
  const hook = { kind: 'webhook', url: 'https://hooks.example.com/', format: 'slack' } as const;
  assert.deepEqual(problems({ channels: Array.from({ length: 20 }, () => hook) }), []);
  assert.equal(problems({ channels: Array.from({ length: 21 }, () => hook) }).length, 1);
});
