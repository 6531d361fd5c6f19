import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FixGuide } from '../../src/analysis/fix-guide.ts';
import { presentFixGuide } from '../../src/engine/fix-guide-field.ts';

const guide = (value: string, content: string): FixGuide => ({
  why: 'Why.',
  records: [{ name: 'example.com', type: 'TXT', value, replaces: true }],
  file: { url: 'https://mta-sts.example.com/.well-known/mta-sts.txt', content },
  caution: null,
  needed: null,
  verify: [],
});

test('a text that cannot be shown whole is not given to paste: cut, it would break what works', () => {
  const whole = presentFixGuide(guide(`v=spf1 ${'ip4:192.0.2.1 '.repeat(40)}-all`, 'version: STSv1\nmode: testing\n'));
  assert.equal(whole.records[0]!.value.endsWith(' -all'), true);
  assert.equal(whole.file!.content, 'version: STSv1\nmode: testing\n');
  const tooLong = presentFixGuide(
    guide(`v=spf1 ${'ip4:192.0.2.1 '.repeat(400)}-all`, 'mx: example.com\n'.repeat(1000)),
  );
  assert.deepEqual([tooLong.records, tooLong.file], [[], null]);
});

test('nor is one with characters that nobody sees', () => {
  assert.deepEqual(presentFixGuide(guide('v=spf1 a:ex\u200bample.com -all', 'a')).records, []);
});
