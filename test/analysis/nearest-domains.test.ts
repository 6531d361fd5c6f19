import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nearestDomains, subjectOfText } from '../../src/analysis/nearest-domains.ts';

describe('what may have been meant by a name that does not exist', () => {
  for (const [name, nearest] of [
    ['example.con', ['example.com']],
    ['ww.example.com', ['www.example.com', 'example.com']],
    ['a.b.example.co.uk', ['example.co.uk']],
    ['example.com', []],
    ['co.uk', []],
  ] as const) {
    test(name, () => assert.deepEqual(nearestDomains(name), nearest));
  }
});

describe('what a text is about that is no domain name', () => {
  for (const [text, kind, value] of [
    ['https://www.example.com/path?q=1', 'domain', 'www.example.com'],
    ['hxxps://evil[.]example[.]com/a', 'domain', 'evil.example.com'],
    ['someone@example.com', 'domain', 'example.com'],
    ['https://user:secret@example.com:8443/', 'domain', 'example.com'],
    ['*.example.com', 'domain', 'example.com'],
    ['192.0.2.7', 'ip', '192.0.2.7'],
    ['http://[2001:db8::1]:80/', 'ip', '2001:db8::1'],
  ] as const) {
    test(text, () => assert.deepEqual(subjectOfText(text), { kind, value }));
  }

  test('nothing', () => assert.equal(subjectOfText('no domain at all'), null));
});
