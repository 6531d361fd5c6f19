import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { splitRecords } from '../../src/feeds/nvd/split-records.ts';
import { inChunks } from './parse-feed.ts';

const LIMIT = 1024 * 1024;

async function split(
  text: string | Uint8Array,
  chunk = 64 * 1024,
  limit = LIMIT,
): Promise<{ records: unknown[]; head: any }> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const records: unknown[] = [];
  let head: unknown;
  for await (const parts of splitRecords(inChunks(bytes, chunk), limit)) {
    for (const part of parts) {
      if (part.kind === 'record') records.push(JSON.parse(part.json.toString()));
      else head = JSON.parse(part.json.toString());
    }
  }
  return { records, head };
}

suite('a document is cut into its records', () => {
  test('wherever the chunks end', async () => {
    const records = [
      { cve: { id: 'A', text: 'a "quoted" } ] \\' } },
      { cve: { id: 'Ä€😀', nested: [[{}], { a: { b: [] } }] } },
      {},
    ];
    const text = JSON.stringify({ format: 'NVD_CVE', vulnerabilities: records, after: 'last' });
    for (let chunk = 1; chunk <= Buffer.byteLength(text); chunk++) {
      const found = await split(text, chunk);
      assert.deepEqual(found.records, records, `chunks of ${chunk}`);
      assert.deepEqual(found.head, { format: 'NVD_CVE', vulnerabilities: [], after: 'last' }, `chunks of ${chunk}`);
    }
  });

  test('whatever is in them', async () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue());
    const spacing = fc.constantFrom(undefined, 1, '\t');
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 5 }),
        fc.integer({ min: 1, max: 40 }),
        spacing,
        async (records, chunk, space) => {
          const text = JSON.stringify(
            { format: 'NVD_CVE', totalResults: records.length, vulnerabilities: records },
            null,
            space,
          );
          const found = await split(text, chunk);
          assert.deepEqual(found.records, JSON.parse(JSON.stringify(records)));
          assert.deepEqual(found.head, { format: 'NVD_CVE', totalResults: records.length, vulnerabilities: [] });
        },
      ),
      { numRuns: 200 },
    );
  });

  test('a document without records', async () => {
    assert.deepEqual(await split('{"vulnerabilities": [ ]}'), { records: [], head: { vulnerabilities: [] } });
    assert.deepEqual(await split('[]'), { records: [], head: [] });
  });
});

suite('fields that are new to us', () => {
  const records = [{ cve: { id: 'A' } }, { cve: { id: 'B' } }];
  for (const [what, more] of Object.entries({
    'a text with braces': { note: '{"a": [{' },
    'a list of texts': { sources: ['nvd', 'cna'] },
    'an object': { generator: { name: 'nvd', version: '9' } },
    'an object within an object': { generator: { by: { name: 'nvd' } } },
    'a list of objects': { sources: [{ name: 'nvd' }, { name: 'cna' }] },
  })) {
    test(`${what} before the records`, async () => {
      const found = await split(JSON.stringify({ ...more, vulnerabilities: records }));
      assert.deepEqual(found.records, records);
      assert.deepEqual(found.head, { ...more, vulnerabilities: [] });
    });
    test(`${what} after the records`, async () => {
      const found = await split(JSON.stringify({ vulnerabilities: records, ...more }));
      assert.deepEqual(found.records, records);
      assert.deepEqual(found.head, { vulnerabilities: [], ...more });
    });
  }
});

suite('what is no whole document', () => {
  const whole = JSON.stringify({ vulnerabilities: [{ cve: { id: 'A "b"' } }, { cve: { id: 'B' } }] });
  test('cut anywhere', async () => {
    for (let length = 0; length < whole.length; length++) {
      await assert.rejects(split(whole.slice(0, length)), FeedFormatError, `${length} characters`);
    }
  });
  test('a record that does not end is not held forever', async () => {
    const endless = `{"vulnerabilities": [{"text": "${'x'.repeat(5000)}`;
    await assert.rejects(split(endless, 100, 1000), /longer than 1000 bytes/);
  });
});
