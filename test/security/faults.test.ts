import assert from 'node:assert/strict';
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
