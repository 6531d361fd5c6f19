import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { redactError } from '../../src/redact-error.ts';

/** Errors of the language quote what they could not read, which may be what a caller asked or a target said. */
test('of a fault its kind, its code and its place are logged, and no word', () => {
  const thrown = [
    () => new URL('quux://[secret.lab'),
    () => JSON.parse('{"secret.lab": nonsense'),
    () => {
      throw Object.assign(new Error('about secret.lab\n    at secret.lab (file:///secret.lab:1:1)'), {
        input: 'secret.lab',
        cause: new Error('secret.lab'),
      });
    },
    () => decodeURIComponent('%secret.lab'),
    () => {
      throw 'secret.lab';
    },
    () => ({})['secret.lab' as never]!['length'],
    () => (undefined as unknown as Record<string, string>)['secret.lab'],
    () => new Intl.DateTimeFormat('en', { timeZone: 'secret.lab' }),
    () => 'x'.normalize('secret.lab'),
    () => Object.assign(Object.freeze(JSON.parse('{"secret.lab":1}')), JSON.parse('{"secret.lab":2}')),
    () => Object.defineProperty(Object.preventExtensions({}), 'secret.lab', {}),
    () => readFileSync('/secret.lab'),
    () => {
      throw new TypeError("Cannot read properties of undefined (reading 'it's secret.lab')");
    },
    () => {
      throw new TypeError('www.secret.lab/x is not a function');
    },
  ];
  for (const provoke of thrown) {
    let fault: unknown;
    try {
      provoke();
    } catch (error) {
      fault = error;
    }
    const logged = JSON.stringify(redactError(fault));
    assert.doesNotMatch(logged, /secret/);
    if (fault instanceof Error) assert.match(logged, /faults\.test\.ts:\d+/);
  }
  const { type, code } = redactError(Object.assign(new TypeError('x'), { code: 'ERR_INVALID_URL' }));
  assert.deepEqual([type, code], ['TypeError', 'ERR_INVALID_URL']);
});

test('a message that holds no value is logged', () => {
  const nothing = undefined as unknown as { length: number; go(): void };
  const messages = [
    () => nothing.length,
    () => [{} as typeof nothing].forEach((service) => service.go()),
    () => new Date(Number.NaN).toISOString(),
    () => readFileSync('/secret.lab'),
  ].map((provoke) => {
    try {
      provoke();
      return null;
    } catch (error) {
      return redactError(error).message;
    }
  });
  assert.deepEqual(messages, [
    "Cannot read properties of undefined (reading '…')",
    'service.go is not a function',
    'Invalid time value',
    'there is no such file or folder',
  ]);
});
