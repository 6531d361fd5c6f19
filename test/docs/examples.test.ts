import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import { AREAS, type Operation } from '../../src/engine/operation.ts';
import type { HttpSource } from '../../src/sources/http-source.ts';
import { startService } from '../support/service.ts';

/** The documents for newcomers: their examples compile and do what the text says, and the files that they name exist. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = ['docs/add-an-operation.md', 'docs/add-a-source.md'];
const text = new Map(DOCUMENTS.map((document) => [document, readFileSync(join(ROOT, document), 'utf8')]));
/** Examples by the path in their first line. */
const examples = new Map(
  [...text.values()].flatMap((page) =>
    [...page.matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs)].map(([, path, code]) => [path!, code!] as const),
  ),
);
const folder = mkdtempSync(join(tmpdir(), 'docs-examples-'));
after(() => rmSync(folder, { recursive: true }));

/** An example imports other examples, or files of the repository. */
function placeOf(path: string): string {
  return join(examples.has(path) ? folder : ROOT, path);
}

before(() => {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [path, code] of examples) {
    const resolved = code.replace(/ from '(\.[^']+)'/g, (_, specifier: string) => {
      return ` from '${placeOf(resolve('/', dirname(path), specifier).slice(1))}'`;
    });
    mkdirSync(dirname(placeOf(path)), { recursive: true });
    writeFileSync(placeOf(path), resolved);
  }
});

async function exportOf<Exported>(path: string, name: string): Promise<Exported> {
  return ((await import(pathToFileURL(placeOf(path)).href)) as Record<string, Exported>)[name]!;
}

test('all examples compile', () => {
  const config = { extends: join(ROOT, 'tsconfig.json'), include: [], files: [...examples.keys()].map(placeOf) };
  const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')], rewriteRelativeImportExtensions: false };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions }));
  const { status, stdout } = spawnSync(
    join(ROOT, 'node_modules/.bin/tsc'),
    ['--noEmit', '--singleThreaded', '-p', folder],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stdout);
});

describe('the examples work', () => {
  test('a lookup, a list, and an operation that asks a source', async (t) => {
    const operations = [
      await exportOf<Operation>('src/operations/cve/weakness-count.ts', 'weaknessCount'),
      await exportOf<Operation>('src/operations/cve/kev-ids.ts', 'kevIds'),
      await exportOf<Operation>('src/operations/indicators/known-file.ts', 'knownFile'),
    ];
    const service = await startService(t, { operations });
    assert.equal((await service.get('/v1/cwe/79/count')).body.cves, 3);
    const list = (await service.get('/v1/kev-ids?limit=1')).body;
    assert.match(list.results[0].cve_id, /^CVE-/);
    const asked = await service.get(`/v1/known-file/${'a'.repeat(40)}`);
    assert.equal(asked.status, 200, asked.text);
    assert.equal(asked.body.known, null);
    assert.deepEqual(asked.body.verdict.sources_unavailable, ['hashlookup']);
  });

  test('a source reads what it is sent', async () => {
    const source = await exportOf<HttpSource<string, unknown>>('src/sources/hashlookup.ts', 'hashlookup');
    const sha1 = 'a'.repeat(40);
    const body = JSON.stringify({ 'SHA-1': sha1.toUpperCase(), FileName: './bin/ls' });
    assert.deepEqual(source.read(200, body, sha1), { file_name: './bin/ls' });
    assert.equal(source.read(404, '{"message":"Non existing SHA-1"}', sha1), null);
    assert.throws(() => source.read(200, body, 'b'.repeat(40)), /another file/);
    assert.throws(() => source.read(500, '', sha1), /status 500/);
  });

  test('the test asserts what its operation answers', () => {
    const code = examples.get('test/operations/weakness-count.test.ts')!;
    assert.match(code, /get\('\/v1\/cwe\/79\/count'\)/);
    assert.match(code, /assert\.equal\(body\.cves, 3\)/);
  });
});

for (const [document, page] of text) {
  test(`${document}: the files that it names exist`, () => {
    const named = [...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path]) => path!);
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
  });
}

test('all areas, and all that the catalog can be asked, are in the document', () => {
  const page = text.get('docs/add-an-operation.md')!;
  const areas = Object.keys(AREAS).toSorted();
  assert.ok(page.includes(`// ${areas.slice(0, -1).join(', ')} or ${areas.at(-1)}`), areas.join(', '));
  const reads = Object.getOwnPropertyNames(CatalogView.prototype).filter((name) => name !== 'constructor');
  assert.deepEqual(
    reads.filter((name) => !page.includes(`\`${name}(`) && !page.includes(`\`${name}\``)),
    [],
    'reads of CatalogView that docs/add-an-operation.md does not name: add a row to "What can be read"',
  );
});
