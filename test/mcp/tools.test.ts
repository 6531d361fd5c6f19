import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { toolListJson, createTools } from '../../src/mcp/tools.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { NEWER_TOOL_NAMES, TOOL_NAMES } from '../operations/specified-fields.ts';
import { startService } from '../support/service.ts';
import { ask, askModern } from './rpc.ts';

const KB = 1024;
/** Decisions, section 5: over the first 55 tools, and over all. */
const CONTEXT_BYTES = 32 * KB;
const ALL_CONTEXT_BYTES = 38 * KB;
const LIST_BYTES = 120 * KB;

const service = await startService({ after });
const tools = createTools(OPERATIONS);

test('every operation that is a tool is listed under its name, and nothing else', async () => {
  const { result } = (await ask(service, 'tools/list')).body;
  const names = result.tools.map(({ name }: { name: string }) => name);
  assert.deepEqual(
    names,
    OPERATIONS.filter(({ tool }) => tool !== undefined).map(({ id }) => id),
  );
});

test('the 55 tools of the decisions, section 5, come first; those of newer operations follow', () => {
  assert.equal(TOOL_NAMES.size, 55);
  const names = tools.map(({ operation }) => operation.id);
  assert.deepEqual(
    names.slice(0, 55).filter((name) => !TOOL_NAMES.has(name)),
    [],
    'newer tools: move them behind the last of the 55 in src/operations/list.ts',
  );
  assert.deepEqual(
    [...TOOL_NAMES, ...NEWER_TOOL_NAMES].filter((name) => !names.includes(name)),
    [],
    'specified, but no operation has them as a tool',
  );
});

describe('the list stays small', () => {
  test('what comes before a model: names, descriptions, input schemas', (t) => {
    const bytesOf = (some: typeof tools): number =>
      some.reduce((sum, { definition: { name, description, inputSchema } }) => {
        return sum + Buffer.byteLength(JSON.stringify({ name, description, inputSchema }));
      }, 0);
    for (const [some, limit] of [
      [tools.slice(0, 55), CONTEXT_BYTES],
      [tools, ALL_CONTEXT_BYTES],
    ] as const) {
      t.diagnostic(`${some.length} tools: ${bytesOf(some)} bytes of ${limit}`);
      assert.ok(bytesOf(some) < limit, `${bytesOf(some)} bytes: shorten the description of a tool or of its input`);
    }
  });

  test('tools/list as a whole', (t) => {
    const bytes = Buffer.byteLength(toolListJson(tools));
    t.diagnostic(`${bytes} bytes of ${LIST_BYTES}`);
    assert.ok(bytes < LIST_BYTES, `${bytes} bytes`);
  });
});

test('the list is the same bytes in every answer, in both protocols', async () => {
  const listed = toolListJson(tools);
  assert.ok((await ask(service, 'tools/list')).text.includes(`"tools":${listed}`));
  assert.ok((await askModern(service, 'tools/list')).text.includes(`"tools":${listed}`));
});

for (const { definition } of tools) {
  describe(definition.name, () => {
    test('says when to use it, and that it only reads', () => {
      assert.ok(definition.title);
      assert.ok((definition.description ?? '').length >= 40);
      const { annotations } = definition;
      assert.equal(annotations?.readOnlyHint, true);
      assert.equal(annotations?.destructiveHint, false);
      assert.equal(typeof annotations?.openWorldHint, 'boolean');
    });

    test('has schemas that a strict validator takes, the input with an example that satisfies it', () => {
      const ajv = new Ajv2020({ strict: true, allErrors: true });
      const { inputSchema, outputSchema } = definition;
      assert.equal(inputSchema.type, 'object');
      assert.equal(outputSchema?.['type'], 'object');
      assert.ok(!JSON.stringify(definition).includes('$ref'), 'each schema stands alone');
      ajv.compile(outputSchema as object);
      const accepts = ajv.compile(inputSchema as object);
      const examples = inputSchema['examples'] as unknown[];
      assert.ok(examples.length > 0);
      for (const example of examples) assert.ok(accepts(example), JSON.stringify(accepts.errors));
    });
  });
}
