import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'dns-packet';
import fc from 'fast-check';
import { decodeResponse, encodeQuery, isResponseTo, type DnsQuery } from '../../../src/net/dns/message.ts';
import { parseDnsServer } from '../../../src/net/dns/servers.ts';
import { normalizeDnsName } from '../../../src/analysis/domain-name.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const QUESTION: DnsQuery = { name: 'example.com', type: 'A', dnssec: false };
const ID = 0x1234;

/** Header of an answer with these counts, then the question as it is on the wire. */
function begin(counts: readonly [number, number, number, number]): Buffer {
  const header = Buffer.from([0x12, 0x34, 0x81, 0x80, ...counts.flatMap((count) => [count >> 8, count & 0xff])]);
  return Buffer.concat([header, Buffer.from('\x07example\x03com\0', 'latin1'), Buffer.from([0, 1, 0, 1])]);
}

/** A record: its name as bytes, type A, class IN, TTL 60. */
const record = (name: readonly number[], data: readonly number[]) =>
  Buffer.from([...name, 0, 1, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]);

const AT_QUESTION = [0xc0, 0x0c];

test('a question as RFC 1035 and RFC 6891 write it', () => {
  const bytes = encodeQuery(ID, { name: 'a.b', type: 'MX', dnssec: true }, true);
  const opt = '00 0029 04d0 00 00 8000 0000';
  const expected = `1234 0120 0001 0000 0000 0001 01 61 01 62 00 000f 0001 ${opt}`;
  assert.equal(bytes.toString('hex'), expected.replaceAll(' ', ''));
  assert.equal(encodeQuery(ID, { name: 'a.b', type: 'MX', dnssec: false }, false).length, 12 + 5 + 4);
});

test('an answer written by hand', () => {
  const message = decodeResponse(Buffer.concat([begin([1, 1, 0, 0]), record(AT_QUESTION, [192, 0, 2, 7])]), QUESTION);
  assert.deepEqual(message.answers, [{ name: 'example.com', type: 'A', ttl: 60, data: '192.0.2.7' }]);
});

test('malformed answers are refused', () => {
  const good = Buffer.concat([begin([1, 1, 0, 0]), record(AT_QUESTION, [192, 0, 2, 7])]);
  const table: Record<string, Buffer> = {
    'a pointer to itself': Buffer.concat([begin([1, 1, 0, 0]), record([0xc0, 29], [192, 0, 2, 7])]),
    'a pointer ahead': Buffer.concat([begin([1, 1, 0, 0]), record([0xc0, 60], [192, 0, 2, 7])]),
    'pointers to each other': Buffer.concat([begin([1, 1, 0, 0]), record([0xc0, 31, 0xc0, 29], [192, 0, 2, 7])]),
    'a name without an end': Buffer.concat([begin([1, 1, 0, 0]), Buffer.alloc(300, 1)]),
    'a label of a kind that nobody uses': Buffer.concat([begin([1, 1, 0, 0]), record([0x80, 1], [192, 0, 2, 7])]),
    'records that are not there': begin([1, 40, 0, 0]),
    'more records than allowed': begin([1, 0xffff, 0xffff, 0xffff]),
    'more bytes than allowed': Buffer.concat([good, Buffer.alloc(32 * 1024)]),
    'no header': Buffer.from([0x12, 0x34]),
    'a question sent back': Buffer.concat([good.subarray(0, 2), Buffer.from([0x01, 0x00]), good.subarray(4)]),
    'another kind of message': Buffer.concat([good.subarray(0, 2), Buffer.from([0xa9, 0x80]), good.subarray(4)]),
  };
  for (let end = 12; end < good.length; end++) table[`cut at ${end}`] = good.subarray(0, end);
  for (const [what, bytes] of Object.entries(table)) assert.throws(() => decodeResponse(bytes, QUESTION), Error, what);
});

test('names through thousands of pointers take no time', () => {
  // A record that is all pointers, each to the one before and the first to the question's name; the records after it begin at the last.
  const start = begin([1, 999, 0, 0]);
  const first = start.length + 12;
  const pointers = [...AT_QUESTION];
  for (let at = first + 2; at < 16_000; at += 2) pointers.push(0xc0 | ((at - 2) >> 8), (at - 2) & 0xff);
  const filler = Buffer.from([
    ...AT_QUESTION,
    0xff,
    0,
    0,
    1,
    0,
    0,
    0,
    60,
    pointers.length >> 8,
    pointers.length & 0xff,
  ]);
  const last = first + pointers.length - 2;
  const records = Array.from({ length: 998 }, () => record([0xc0 | (last >> 8), last & 0xff], [192, 0, 2, 7]));
  const began = cpuMs();
  const { answers } = decodeResponse(Buffer.concat([start, filler, Buffer.from(pointers), ...records]), QUESTION);
  assert.equal(answers.filter(({ name, type }) => name === 'example.com' && type === 'A').length, 998);
  assert.ok(cpuMs() - began < 5000);
});

test('any bytes are an answer or an Error, at once', () => {
  const whole = encode({
    id: ID,
    type: 'response',
    questions: [{ name: 'example.com', type: 'A' }],
    answers: [
      { name: 'example.com', type: 'A', data: '192.0.2.7' },
      { name: 'example.com', type: 'TXT', data: 'text' },
      { name: 'example.com', type: 'MX', data: { preference: 1, exchange: 'mx.example.com' } },
      { name: 'example.com', type: 'CAA', data: { tag: 'issue', value: 'ca.example' } },
      { name: 'example.com', type: 'NSEC', data: { nextDomain: 'b.example', rrtypes: ['A', 'TXT', 'CAA'] } },
      {
        name: '.',
        type: 'OPT',
        udpPayloadSize: 1232,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
  const began = cpuMs();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
      fc.nat(40),
      (changes, cut) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          for (const { name } of decodeResponse(bytes.subarray(0, bytes.length - cut), QUESTION).answers) {
            assert.equal(name, normalizeDnsName(name));
          }
        } catch (error) {
          assert.ok(error instanceof Error);
        }
      },
    ),
    { numRuns: 5000 },
  );
  assert.ok(cpuMs() - began < 5000);
});

test('only bytes with the id are looked at', () => {
  assert.equal(isResponseTo(ID, begin([1, 0, 0, 0])), true);
  assert.equal(isResponseTo(ID ^ 1, begin([1, 0, 0, 0])), false);
  assert.equal(isResponseTo(ID, Buffer.from([0x12, 0x34])), false);
});

test('addresses of resolvers', () => {
  assert.deepEqual(parseDnsServer('9.9.9.9'), { host: '9.9.9.9', port: 53 });
  assert.deepEqual(parseDnsServer('9.9.9.9:5353'), { host: '9.9.9.9', port: 5353 });
  assert.deepEqual(parseDnsServer('[2620:fe::fe]:5353'), { host: '2620:fe::fe', port: 5353 });
  assert.deepEqual(parseDnsServer('[2620:fe::fe]'), { host: '2620:fe::fe', port: 53 });
  assert.deepEqual(parseDnsServer('2620:fe::fe'), { host: '2620:fe::fe', port: 53 });
  assert.deepEqual(parseDnsServer('fe80::1%eth0'), { host: 'fe80::1%eth0', port: 53 });
  assert.deepEqual(parseDnsServer('[fe80::1%eth0]:54'), { host: 'fe80::1%eth0', port: 54 });
  assert.deepEqual(parseDnsServer('unbound.local:53'), { host: 'unbound.local', port: 53 });
  for (const text of ['', ':53', 'a:b', 'a:99999', 'a:0', 'http://a', 'a/b:53', '[::1', 'a b', 'u@h']) {
    assert.equal(parseDnsServer(text), null, text);
  }
});
