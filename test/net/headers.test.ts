import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextLink } from '../../src/net/link-header.ts';
import { NetError, toNetError } from '../../src/net/net-error.ts';
import { retryAfterSeconds } from '../../src/net/retry-after.ts';
import { USER_AGENT } from '../../src/net/user-agent.ts';
import { VERSION } from '../../src/version.ts';
import { cpuMs } from '../support/cpu-time.ts';

test('the next link of RFC 8288 and of the GitHub API', () => {
  const base = 'http://example.com/a/';
  // RFC 8288, section 3.5.
  assert.equal(nextLink('<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"', base), null);
  assert.equal(
    nextLink(
      `</TheBook/chapter2>; rel="previous"; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel="next"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel`,
      base,
    ),
    'http://example.com/TheBook/chapter4',
  );
  assert.equal(nextLink('<http://example.org/>; rel="start http://example.net/relation/other"', base), null);
  // docs.github.com, "Using pagination in the REST API".
  assert.equal(
    nextLink(
      '<https://api.github.com/repositories/1300192/issues?page=2>; rel="prev", <https://api.github.com/repositories/1300192/issues?page=4>; rel="next", <https://api.github.com/repositories/1300192/issues?page=515>; rel="last"',
      base,
    ),
    'https://api.github.com/repositories/1300192/issues?page=4',
  );
});

test('links with odd spelling', () => {
  const base = 'http://h/a/';
  assert.equal(nextLink('<b>;REL=Next', base), 'http://h/a/b');
  assert.equal(nextLink('<a,b>; title="x, <c>; rel=next"; rel="prev", <d>; rel="last next"', base), 'http://h/a/d');
  assert.equal(nextLink('<b>; rel=prev; rel=next', base), null);
  for (const header of ['', 'rel=next', '<b', '<b>', '<http://[>; rel=next', '<b>; rel="next']) nextLink(header, base);
});

test('a hostile Link header takes no time', () => {
  const start = cpuMs();
  for (const part of ['<', '<>"\\', '<>;', '<>; ', '<>,"', '<>;a'])
    nextLink(part.repeat(32_768 / part.length), 'http://h/');
  assert.ok(cpuMs() - start < 2500);
});

test('Retry-After as RFC 9110 has it', () => {
  const now = Date.UTC(1999, 11, 31, 23, 59, 0);
  assert.equal(retryAfterSeconds('120', now), 120);
  assert.equal(retryAfterSeconds('Fri, 31 Dec 1999 23:59:59 GMT', now), 59);
  assert.equal(retryAfterSeconds('Fri, 31 Dec 1998 23:59:59 GMT', now), 0);
  for (const value of [undefined, '', '-1', '1.5', 'soon', '99999999999'])
    assert.equal(retryAfterSeconds(value, now), null);
});

test('the user agent names the service and its version', () => {
  assert.match(VERSION, /^\d+\.\d+\.\d+/);
  assert.equal(USER_AGENT, `Sextant/${VERSION}`);
});

test('system and TLS errors have one of our codes', () => {
  const table: [string, NetError['code']][] = [
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['ETIMEDOUT', 'timeout'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['EPROTO', 'tls'],
    ['HPE_INVALID_CONSTANT', 'protocol'],
  ];
  for (const [code, expected] of table) {
    assert.equal(toNetError(Object.assign(new Error('x'), { code }), 'h').code, expected, code);
  }
  const each = Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' });
  const all = Object.assign(new AggregateError([each]), { code: 'ECONNREFUSED' });
  assert.equal(toNetError(all, 'h').message, 'h: connect ECONNREFUSED ::1:80');
});
