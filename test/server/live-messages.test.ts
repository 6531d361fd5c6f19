import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import { ApiError, CallerDisconnectedError, toApiError } from '../../src/errors.ts';
import { redactError } from '../../src/redact-error.ts';
import { fromSentError, toSentError } from '../../src/server/live-messages.ts';

/** An error as the other process gets it: what a channel between processes does to it. */
function sent(error: unknown): unknown {
  return fromSentError(deserialize(serialize(toSentError(error))));
}

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not throw');
}

test('an error for the caller arrives whole', () => {
  const operationHint = { operation: 'cve_search', address: '/v1/cves', does: 'finds it' };
  const issues = [{ loc: ['query', 'limit'], msg: 'too large', type: 'too_big' }];
  const error = new ApiError('not_ready', 'Wait.', { retryAfterSeconds: 7, operationHint, issues });
  const arrived = sent(error) as ApiError;
  assert.ok(arrived instanceof ApiError);
  assert.deepEqual(arrived.toBody('id'), error.toBody('id'));
  assert.equal(
    arrived.messageFor(() => 'cve_search'),
    error.messageFor(() => 'cve_search'),
  );
});

test('a caller who has gone is still no failure of an upstream', () => {
  const arrived = sent(new CallerDisconnectedError());
  assert.ok(arrived instanceof CallerDisconnectedError);
  assert.equal(toApiError(arrived).status, 499);
});

test('the log shows the same of an internal error', () => {
  const ofSystem = thrownBy(() => readFileSync('/no/such/file'));
  const ofProgram = thrownBy(() => (undefined as unknown as { x: { y: number } }).x.y);
  const withUnsendable = Object.assign(new RangeError('Invalid array length'), { cause: () => {} });
  for (const error of [ofSystem, ofProgram, withUnsendable, new Error('secret.example')])
    assert.deepEqual(redactError(sent(error)), redactError(error));
  assert.equal(redactError(sent(ofSystem)).code, 'ENOENT');
});
