import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseRoute, restOperations } from '../../src/engine/route.ts';
import { type Reply, startService } from '../support/service.ts';
import { assertError } from './error-shape.ts';

/** Bodies that no client sends by mistake, to every operation that takes one: each is refused, none is a fault of the service. */

const service = await startService({ after }, { sources: 'lab', localUnlimited: true });
const JSON_TYPE = { 'content-type': 'application/json' };
const POSTS = restOperations(OPERATIONS).filter(({ route }) => parseRoute(route).method === 'POST');

const send = (path: string, body: string): Promise<Reply> => service.send('POST', path, body, JSON_TYPE);
const keys = (count: number, length: number): string =>
  Array.from({ length: count }, (_, at) => `"${at.toString(36).padStart(length, '_')}":1`).join();

/** What stands in place of a field's value, as JSON. */
const VALUES: Record<string, string> = {
  null: 'null',
  true: 'true',
  'a number': '1',
  'minus zero': '-0',
  'over the largest double': '1e400',
  'under the smallest': '-1e400',
  'one that is not exact': '9007199254740993',
  'an empty text': '""',
  'a lone high surrogate': '"\\ud800"',
  'a lone low surrogate': '"\\udfff x"',
  'a NUL': '"\\u0000"',
  'an empty list': '[]',
  'a list of null': '[null]',
  'a list of lists': '[[[]]]',
  'a list of lone surrogates': '["\\ud800","\\udc00"]',
  'an empty object': '{}',
  'an object with a length': '{"length":5}',
  'an object with a length that is none': '{"length":[{"toString":1}]}',
  'a list of an object with a length that is none': '[{"length":[{"toString":1}]}]',
  'an object that hides its text': '{"toString":1,"valueOf":null,"toJSON":2}',
  'a list of objects that hide their text': '[{"toString":1,"valueOf":null,"toJSON":2}]',
  'an object with a constructor': '{"constructor":{"prototype":{"admin":1}}}',
  'an object with __proto__': '{"__proto__":{"length":1}}',
  'a list of objects with __proto__': '[{"__proto__":{"name":"x"},"name":{"constructor":1}}]',
  'an object with then': '{"then":1}',
  '50 levels of lists': `${'['.repeat(50)}${']'.repeat(50)}`,
  '2,000 levels of objects': `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  '10,000 levels of lists': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  '40,000 items of the wrong type': `[${'1,'.repeat(40_000)}{}]`,
  '40,000 keys': `{${keys(40_000, 6)}}`,
  'one key with 60,000 items': `{"x":[${'1,'.repeat(60_000)}1]}`,
  'a text of 10,000 levels': JSON.stringify(`${'['.repeat(10_000)}${']'.repeat(10_000)}`),
  'a text of 10,000 levels of objects': JSON.stringify('{"components":[{"a":'.repeat(10_000)),
};

for (const operation of POSTS) {
  const { path } = parseRoute(operation.route);
  describe(path, () => {
    for (const body of ['null', '[]', '{}', '0', '-0', '1e400', '""', '"\\ud800"', 'true', '[[]]', '{"":1}']) {
      test(`the body ${body}`, async () => assertRefused(await send(path, body)));
    }

    for (const field of Object.keys(operation.input.shape)) {
      for (const [what, value] of Object.entries(VALUES)) {
        test(`${field} is ${what}`, async () => {
          const others = Object.entries(operation.examples[0]!.input).filter(([name]) => name !== field);
          const rest = others.map(([name, given]) => `,${JSON.stringify(name)}:${JSON.stringify(given)}`).join('');
          for (const body of [`{"${field}":${value}}`, `{"${field}":${value}${rest}}`]) {
            const reply = await send(path, body);
            if (reply.status !== 200) assertRefused(reply);
            // What is wrong is told of the field that it is in.
            assert.doesNotMatch(reply.text, /cannot be read"/);
          }
        });
      }
    }

    test('2,000 fields are refused before their names are looked at', async () => {
      const reply = await send(path, `{${keys(2000, 6)}}`);
      assertError(reply, { status: 422 });
      assert.match(reply.body.error.message, /2000 fields are too many: at most 100/);
      assert.deepEqual(reply.body.detail[0].loc, ['body']);
    });

    test('a hundred unknown fields are twenty rows', async () => {
      const reply = await send(path, `{${keys(100, 6)}}`);
      assertError(reply, { status: 422 });
      assert.ok(reply.body.detail.length <= 20);
    });

    test('a body of 200,000 levels says that it is too deep', async () => {
      const reply = await send(path, `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
      assertError(reply, { status: 422 });
      assert.match(reply.body.error.message, /nested over 100 levels/);
    });
  });
}

test('a list that is long by far is refused without a message for each item', async () => {
  const reply = await send('/v1/cves/bulk', `{"cve_ids":[${'1,'.repeat(200_000)}1]}`);
  assertError(reply, { status: 422 });
  assert.match(reply.body.error.message, /cve_ids: more than 10000 values/);
});

test('an object that pretends to a length is told as what it is, where it is', async () => {
  for (const length of ['5', '[{"toString":1}]', '{"toString":1,"valueOf":1}', '{"__proto__":1}', '{"toString":{}}']) {
    const reply = await send('/v1/cves/bulk', `{"cve_ids":["CVE-2021-44228",{"length":${length}}]}`);
    assertError(reply, { status: 422 });
    const [{ loc, msg }] = reply.body.detail;
    assert.deepEqual([reply.body.detail.length, loc], [1, ['body', 'cve_ids', 1]]);
    assert.match(msg, /^an object is not a text/);
  }
});

test('of a few thousand wrong values the number is told and twenty are shown', async () => {
  const reply = await send('/v1/check/headers', `{"headers":{${keys(3000, 6)}}}`);
  assertError(reply, { status: 422 });
  assert.equal(reply.body.detail.length, 20);
  assert.match(reply.body.error.message, /and 2999 more/);
});

test('over MCP the same arguments are an error of the tool, not of the protocol or the service', async () => {
  for (const value of Object.values(VALUES)) {
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bulk_cve_lookup","arguments":{"cve_ids":${value}}}}`;
    const { status, body } = await service.send('POST', '/mcp', text, JSON_TYPE);
    // What is no JSON, and what is nested too deeply.
    if (status === 400) assert.ok([-32_700, -32_600].includes(body.error.code), text.slice(0, 200));
    else {
      assert.equal(status, 200);
      const { isError, content } = body.result;
      const { error } = JSON.parse(content[0].text);
      if (isError === true) assert.equal(error.code, 'validation_error');
    }
  }
});

test('none of it was logged as a fault', () => {
  assert.deepEqual(
    service.logLines().filter((line) => line.includes('internal error')),
    [],
  );
});

function assertRefused(reply: Reply): void {
  assert.ok([400, 413, 422].includes(reply.status), `${reply.status} ${reply.text.slice(0, 300)}`);
  assertError(reply);
}
