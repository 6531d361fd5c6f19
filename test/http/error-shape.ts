import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import type { Reply } from '../support/service.ts';

/** What must never be in a body: stacks, paths of this machine, SQL. */
const LEAKS =
  /\bat [\w.<>]+ \(|node_modules|\/src\/|\.ts:\d|file:\/\/|\/tmp\/|\bSELECT\b|SQLITE|sqlite|ECONN|ENOENT|127\.0\.0\.1/;
const FIELDS = new Set(['error', 'message', 'detail', 'request_id']);
const ERROR_FIELDS = new Set(['code', 'message', 'retry_after_seconds', 'docs_url']);
const MAX_MESSAGE = 1000;
const MAX_BODY = 64 * 1024;

/** The body of decisions section 2, with the status that belongs to the code. */
export function assertError(reply: Reply, expected?: { status?: number; code?: ErrorCode }): void {
  const shown = `${reply.status} ${reply.text.slice(0, 300)}`;
  assert.match(String(reply.headers['content-type']), /^application\/json/, shown);
  assert.ok(reply.text.length <= MAX_BODY, `${reply.text.length} bytes of error`);
  const body = reply.body;
  for (const name of Object.keys(body)) assert.ok(FIELDS.has(name), shown);
  for (const name of Object.keys(body.error)) assert.ok(ERROR_FIELDS.has(name), shown);
  const { code, message, docs_url } = body.error;
  assert.ok(Object.hasOwn(ERRORS, code), shown);
  assert.equal(reply.status, ERRORS[code as ErrorCode].status, shown);
  assert.ok(typeof message === 'string' && message.length > 0 && message.length <= MAX_MESSAGE, shown);
  assert.equal(body.message, message, 'clients of services of this kind read it at the top');
  assert.equal(docs_url, `/docs/errors#${code}`);
  assert.deepEqual(
    ['x-content-type-options', 'referrer-policy', 'cache-control'].map((name) => reply.headers[name]),
    ['nosniff', 'no-referrer', 'no-store'],
    shown,
  );
  assert.equal(body.request_id, reply.headers['x-request-id'], shown);
  assert.equal('detail' in body, reply.status === 422, shown);
  if (reply.status === 422) assertDetail(body.detail);
  assert.doesNotMatch(reply.text, LEAKS, shown);
  if (expected?.status !== undefined) assert.equal(reply.status, expected.status, shown);
  if (expected?.code !== undefined) assert.equal(code, expected.code, shown);
}

function assertDetail(detail: unknown): void {
  assert.ok(Array.isArray(detail) && detail.length > 0);
  for (const row of detail) {
    assert.deepEqual(Object.keys(row).toSorted(), ['loc', 'msg', 'type']);
    assert.ok(['query', 'path', 'body'].includes(row.loc[0]), JSON.stringify(row).slice(0, 200));
    assert.ok(row.loc.every((part: unknown) => typeof part === 'string' || Number.isInteger(part)));
    assert.ok(typeof row.msg === 'string' && row.msg.length > 0 && typeof row.type === 'string');
  }
}
