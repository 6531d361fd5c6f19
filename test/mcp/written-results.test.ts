import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FittedAnswer } from '../../src/mcp/answer-links.ts';
import { errorResultFields, uncachedResultFields, ToolResultCache } from '../../src/mcp/tool-result-cache.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const LINK = {
  type: 'resource_link' as const,
  uri: 'sextant://answer/x?input=%7B%22a%22%3A%22%5C%22%22%7D',
  name: 'x',
};
const answerOf = (value: unknown, link: FittedAnswer['link'] = null): FittedAnswer => ({
  json: bytes(value),
  link,
  marker: null,
});
const read = (parts: Buffer[]) => JSON.parse(`{${Buffer.concat(parts).toString()}}`);

/** What the protocol wants of an answer: itself as data, and its JSON as text. */
function assertHolds(parts: Buffer[], { json, link }: FittedAnswer): void {
  assert.deepEqual(read(parts), {
    content: [{ type: 'text', text: json.toString() }, ...(link === null ? [] : [link])],
    structuredContent: JSON.parse(json.toString()),
  });
}

const answer = fc.record({
  summary: fc.string({ unit: 'binary' }),
  list: fc.array(fc.jsonValue(), { maxLength: 4 }),
  verdict: fc.record({ data_age_seconds: fc.option(fc.nat()), gaps: fc.array(fc.string(), { maxLength: 2 }) }),
});

test('a result holds its answer as text and as data, whatever it says and whatever was written before under its key', () => {
  const results = new ToolResultCache();
  fc.assert(
    fc.property(answer, fc.constantFrom('a', 'b'), (value, key) => {
      const older = { ...value, verdict: { ...value.verdict, data_age_seconds: 86_400 } };
      for (const link of [null, LINK]) {
        assertHolds(uncachedResultFields(answerOf(value, link)), answerOf(value, link));
        const linkedKey = link === null ? key : `${key} linked`;
        assertHolds(results.resultFields(linkedKey, answerOf(value, link)), answerOf(value, link));
        assertHolds(results.resultFields(linkedKey, answerOf(older, link)), answerOf(older, link));
      }
    }),
  );
});

test('an age that a third party wrote is no age', () => {
  const results = new ToolResultCache();
  for (const age of [7, 8, 1000, null]) {
    const value = {
      description: '"data_age_seconds":5',
      verdict: { data_age_seconds: age },
      next_calls: ['"data_age_seconds":9'],
    };
    assertHolds(results.resultFields('x', answerOf(value)), answerOf(value));
  }
});

test('a refusal is text alone', () => {
  const json = bytes({ error: { message: '"quoted" \u2028 \\' } });
  assert.deepEqual(read(errorResultFields(json)), {
    content: [{ type: 'text', text: json.toString() }],
    isError: true,
  });
});

test('what is kept holds no more memory than its bytes', () => {
  const [head, , middle] = new ToolResultCache().resultFields('key', answerOf({ summary: 'short' }));
  for (const part of [head!, middle!]) assert.equal(part.buffer.byteLength, part.length);
});
