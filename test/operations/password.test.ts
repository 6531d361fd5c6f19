import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import { startService, type TestService } from '../support/service.ts';

let lab: Lab;
let service: TestService;
const ends: (() => void | Promise<void>)[] = [];

before(async () => {
  lab = await openLab();
  const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  ends.push(
    () => lab.close(),
    () => net.close(),
  );
  service = await startService(
    { after: (end) => ends.push(end) },
    { net, sources: Object.fromEntries(lab.sourceUrls), patienceMs: lab.patienceMs },
  );
});
beforeEach(() => {
  lab.source('hibp').mode = 'ok';
  lab.requests.clear();
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
// The lab's own answers know these, with the recorded ones "password" has the count of its day.
const KNOWN = sha1('letmein');

describe('a password’s hash', () => {
  test('that is known', async () => {
    for (const hash of [KNOWN, KNOWN.toUpperCase()]) {
      const { status, body } = await service.get(`/v1/password/${hash}`);
      assert.equal(status, 200);
      assert.deepEqual([body.hash_prefix, body.found], [KNOWN.slice(0, 5).toUpperCase(), true]);
      assert.deepEqual([body.breach_count, body.pwned_count], [1_234_567, 1_234_567]);
    }
  });

  test('that is not', async () => {
    const { body } = await service.get(`/v1/password/${sha1(`nobody has this ${Math.random()}`)}`);
    assert.deepEqual([body.found, body.breach_count], [false, 0]);
    assert.equal(body.verdict.completeness, 'complete');
  });

  test('that only the padding has is not known', async () => {
    // The lab pads with lines of count 0, whose suffixes begin as sha1(prefix + '0' + i) does.
    const suffix = sha1('FFFFF00').toUpperCase().slice(5);
    const { body } = await service.get(`/v1/password/FFFFF${suffix}`);
    assert.deepEqual([body.found, body.breach_count], [false, 0]);
  });

  test('goes nowhere but for its first five digits: not out, not into the log, not into an answer', async () => {
    const { text } = await service.get(`/v1/password/${KNOWN}`);
    const rows = JSON.stringify(lab.requests.rows());
    assert.ok(lab.requests.count('upstream', 'hibp', `range/${KNOWN.slice(0, 5).toUpperCase()}`) === 1, rows);
    assert.equal(lab.requests.rows().length, 1);
    const secret = new RegExp(KNOWN.slice(5, 20), 'i');
    for (const told of [text, rows, ...service.logLines()]) assert.doesNotMatch(told, secret);
    lab.source('hibp').mode = 'garbage';
    const failed = await service.get(`/v1/password/${KNOWN}`);
    for (const told of [failed.text, ...service.logLines()]) assert.doesNotMatch(told, secret);
    assert.ok(service.logLines().some((line) => line.includes('/v1/password/:sha1_hash')));
  });

  test('is asked anew each time: nothing is kept', async () => {
    for (let at = 0; at < 3; at++) await service.get(`/v1/password/${KNOWN}`);
    assert.equal(lab.requests.count('upstream', 'hibp'), 3);
  });

  for (const mode of ['hang', 'status', 'garbage', 'huge', 'reset', 'cut'] as const) {
    test(`is not known where the source fails: ${mode}`, async () => {
      lab.source('hibp').mode = mode;
      const fresh = await startService(
        { after: (end) => ends.push(end) },
        { net: openLabNet(), sources: Object.fromEntries(lab.sourceUrls), patienceMs: lab.patienceMs },
      );
      const { status, body } = await fresh.get(`/v1/password/${KNOWN}`);
      assert.equal(status, 200);
      assert.deepEqual([body.found, body.breach_count], [null, null]);
      assert.deepEqual(body.verdict.sources_unavailable, ['hibp']);
    });
  }

  for (const bad of [
    'hunter2',
    KNOWN.slice(1),
    `${KNOWN}a`,
    sha1('x').replace(/^./, 'g'),
    '5f4dcc3b5aa765d61d8327deb882cf99',
  ]) {
    test(`${bad.length} characters that are none are 400, and not repeated`, async () => {
      const { status, text } = await service.get(`/v1/password/${bad}`);
      assert.equal(status, 400);
      assert.ok(!text.includes(bad));
      assert.ok(service.logLines().every((line) => !line.includes(bad)));
      assert.equal(lab.requests.rows().length, 0);
    });
  }
});

function openLabNet() {
  const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  ends.push(() => net.close());
  return net;
}
