import assert from 'node:assert/strict';
import { join } from 'node:path';
import { symlinkSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OPERATIONS } from '../../src/operations/list.ts';
import { fixtureCatalog, temporaryFolder } from '../operations/fixture-catalog.ts';
import { startService } from '../support/service.ts';
import { CLIENTS, connect, type Server, type TestClient } from './clients.ts';
import { parseMarked } from './parse-marked.ts';

/** Decisions, section 5: an answer over a tool stays under this by default. */
const ANSWER_BYTES = 24 * 1024;

const service = await startService({ after }, { sources: 'lab' });
const TRANSPORTS: Record<string, Server> = {
  'Streamable HTTP': { url: `${await service.listen()}/mcp/` },
  stdio: { dataDir: dataFolder(), inLab: true },
};

for (const [transport, server] of Object.entries(TRANSPORTS)) {
  for (const name of CLIENTS) {
    describe(`${name} over ${transport}`, async () => {
      const client = await connect(name, server);
      after(() => client.close());
      const validators = await validatorsOf(client);

      test('speaks the newest protocol that it knows', () => {
        const expected = name.endsWith('2026') ? '2026-07-28' : '2025-11-25';
        if (client.version() !== undefined) assert.equal(client.version(), expected);
        assert.match(client.raw.getInstructions(), /verdict/);
      });

      for (const { id, examples, tool } of OPERATIONS) {
        if (tool === undefined) continue;
        for (const { title, input } of examples) {
          test(`${id}: ${title}`, async (t) => {
            const { isError, content, structuredContent } = await client.call(id, input);
            const { text } = content[0]!;
            assert.ok(isError !== true, text);
            assert.deepEqual(parseMarked(text), structuredContent);
            const validate = validators.get(id)!;
            assert.ok(validate(structuredContent), JSON.stringify(validate.errors));
            const bytes = Buffer.byteLength(text);
            t.diagnostic(`${bytes} bytes`);
            assert.ok(bytes < ANSWER_BYTES, `${bytes} bytes`);
          });
        }
      }

      test('a refusal comes through as one', async () => {
        const { isError, content } = await client.call('cve_lookup', { cve_id: 'nonsense' });
        assert.equal(isError, true);
        assert.equal(JSON.parse(content[0]!.text).error.code, 'invalid_argument');
      });

      test('an unknown tool is thrown', async () => {
        await assert.rejects(client.call('nope', {}), /Unknown tool/);
      });

      test('resources, prompts, completion', async () => {
        const { resources } = await client.raw.listResources();
        const { resourceTemplates } = await client.raw.listResourceTemplates();
        assert.equal(resources.length + resourceTemplates.length, 8);
        assert.equal((await client.read('cwe://weakness/79')).cwe_id, 'CWE-79');
        await assert.rejects(client.read('cwe://weakness/99999'), (error: { code: number }) => error.code === -32602);
        const { prompts } = await client.raw.listPrompts();
        assert.equal(prompts.length, 3);
        assert.match(await client.prompt('contrast_triage', { target: 'CVE-2021-44228' }), /1\. cve_lookup/);
        const { completion } = await client.raw.complete({
          ref: { type: 'ref/resource', uri: 'cwe://weakness/{id}' },
          argument: { name: 'id', value: '7' },
        });
        assert.ok(completion.values.includes('79'));
      });
    });
  }
}

async function validatorsOf(client: TestClient) {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  const tools = await client.listTools();
  return new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));
}

/** A data folder with the fixture as its catalog. */
function dataFolder(): string {
  const folder = temporaryFolder();
  symlinkSync(fixtureCatalog(), join(folder, 'catalog'));
  return folder;
}
