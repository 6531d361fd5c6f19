import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { clientOperations, type ClientDocument } from '../../scripts/client/client-source.ts';
import { restOperations } from '../../src/engine/route.ts';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { EXAMPLE_ID } from '../../src/operations/watches/lib/watch-fields.ts';
import { variantsOf } from '../operations/answer-variants.ts';
import { WAITING_FOR_WATCHES, whileWatching } from '../operations/request-of.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { CHECKOUT } from '../support/build-once.ts';
import { CLIENT_FOLDER } from '../support/built-client.ts';
import { startService } from '../support/service.ts';
import { fieldsNeverSeen } from './seen-fields.ts';

/** The types of the client are those of the wire: the compiler compares them with answers that came over it. */

interface Call {
  id: string;
  title: string;
  input: Record<string, unknown>;
  answer: Record<string, unknown>;
}
type AnyClient = Record<string, (...given: unknown[]) => Promise<Record<string, unknown>>>;
type ClientClass = new (options: object) => AnyClient;

/** What the service of these tests cannot show; the list may only shrink. */
const UNSEEN = new URL('unseen-fields.txt', import.meta.url);

const document = createOpenApiDocument(OPERATIONS, '0.0.0') as unknown as ClientDocument;
const described = clientOperations(document);
const calls: Call[] = [];
let client: AnyClient;

const service = await startService(
  { after },
  {
    sources: 'lab',
    keys: { SEXTANT_ABUSECH_KEY: 'lab', SEXTANT_ABUSEIPDB_KEY: 'lab', SEXTANT_SHODAN_KEY: 'lab' },
  },
);

before(async () => {
  const { authorization = '' } = await service.proHeaders();
  const { SextantClient } = (await import(pathToFileURL(join(CLIENT_FOLDER, 'index.js')).href)) as {
    SextantClient: ClientClass;
  };
  client = new SextantClient({ baseUrl: await service.listen(), apiKey: authorization.replace('Bearer ', '') });
  for (const operation of restOperations(OPERATIONS))
    for (const { title, input } of [...operation.examples, ...variantsOf(operation)])
      calls.push({ id: operation.id, title, input, answer: await answerOf(operation.id, input) });
});

/** The answer over the wire; what is about a watch is asked about one that is made before. */
async function answerOf(id: string, example: Record<string, unknown>): Promise<Record<string, unknown>> {
  const call = client['call']!;
  const made =
    example['id'] === EXAMPLE_ID
      ? await call.call(client, 'watch_create', { subject: { cve_id: 'CVE-2021-44228' } })
      : null;
  const input = made === null ? example : { ...example, id: (made['watch'] as { id: string }).id };
  const answer = call.call(client, id, input);
  return WAITING_FOR_WATCHES.includes(id) ? whileWatching(service, answer) : answer;
}

test('the client has a method for each operation that REST has, named as the operation is exported', async () => {
  assert.deepEqual(
    described.map(({ id }) => id).toSorted(),
    restOperations(OPERATIONS)
      .map(({ id }) => id)
      .toSorted(),
  );
  for (const { method } of described) assert.equal(typeof client[method], 'function', method);
  const { id, input, answer } = calls[0]!;
  assert.deepEqual([id, input], ['cve_lookup', { cve_id: 'CVE-2021-44228' }]);
  assert.deepEqual(await client['cveLookup']!(input), answer);
});

describe('the compiler', () => {
  test('takes every input and every answer; not one with a field more, nor one with a field less', () => {
    const lines = calls.flatMap(({ id, input, answer }) => {
      const { inputType, answerType } = described.find((one) => one.id === id)!;
      const [first = '', ...others] = Object.keys(answer);
      const less = Object.fromEntries(others.map((name) => [name, answer[name]]));
      return [
        declaration(`client.${inputType}`, input),
        declaration(`client.${answerType}`, answer),
        '// @ts-expect-error: a field more',
        declaration(`client.${inputType}`, { ...input, surprise: 1 }),
        '// @ts-expect-error: a field more',
        declaration(`client.${answerType}`, { ...answer, surprise: 1 }),
        `// @ts-expect-error: without ${first}`,
        declaration(`client.${answerType}`, less),
      ];
    });
    assert.equal(compile([`import type * as client from '@sextant/client';`, ...lines].join('\n')), '');
  });

  test('finds a wrong type of a field in an answer', () => {
    const { answer } = calls[0]!;
    const text = (changed: object): string =>
      [
        `import type * as client from '@sextant/client';`,
        declaration('client.CveRecord', { ...answer, ...changed }),
      ].join('\n');
    assert.equal(compile(text({})), '');
    assert.match(compile(text({ cvss_v3: 'high' })), /TS2322/);
    assert.match(compile(text({ kev: { ...(answer['kev'] as object), surprise: 1 } })), /TS2353/);
  });

  test('knows calls, pages and rows by the id of the operation', () => {
    const lines = [
      `import { SextantClient, type CveRecord, type CveList } from '@sextant/client';`,
      `declare const client: SextantClient;`,
      `export const record: CveRecord = await client.cveLookup({ cve_id: 'CVE-2021-44228' });`,
      `export const same: CveRecord = await client.call('cve_lookup', { cve_id: 'CVE-2021-44228' });`,
      `export const state: string = (await client.status()).status;`,
      `for await (const page of client.pages('cve_search', { kev: true })) export_(page);`,
      `for await (const row of client.rows('cve_search', { kev: true })) console.log(row.cve_id.length);`,
      `for await (const row of client.rows('d3fend_defense_for_attack', { attack_technique_id: 'T1566' })) row.defense_id;`,
      `for await (const page of client.pages('check_dependencies', { sbom: {} })) page.findings;`,
      `// @ts-expect-error: it has no one kind of row`,
      `client.rows('check_dependencies', { sbom: {} });`,
      `// @ts-expect-error: it does not answer in pages`,
      `client.pages('cve_lookup', { cve_id: 'CVE-2021-44228' });`,
      `// @ts-expect-error: its input is missing`,
      `client.cveLookup();`,
      `// @ts-expect-error: there is no such operation`,
      `client.call('cve_look', {});`,
      `function export_(page: CveList): void { console.log(page.results); }`,
    ];
    assert.equal(compile(lines.join('\n')), '');
  });
});

test('no field of a type is one that answers never have', () => {
  const listed = readFileSync(UNSEEN, 'utf8').trimEnd().split('\n').slice(1);
  assert.deepEqual(
    fieldsNeverSeen(document, calls),
    listed,
    'a field that no answer has: give test/operations/answer-variants.ts an input that shows it; one that is seen now: take it off the list',
  );
});

function declaration(type: string, value: unknown): string {
  declaration.count += 1;
  return `export const value${declaration.count}: ${type} = ${JSON.stringify(value)};`;
}
declaration.count = 0;

/** What the compiler finds wrong with a module in a project that has the client; empty: nothing. */
function compile(module: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules/@sextant'), { recursive: true });
  symlinkSync(CLIENT_FOLDER, join(folder, 'node_modules/@sextant/client'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'module.ts'), module);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['module.ts'] }));
  const compiler = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
  const { stdout, error } = spawnSync(process.execPath, [compiler, '--singleThreaded', '-p', folder], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  assert.equal(error, undefined);
  return stdout.slice(0, 3000);
}
