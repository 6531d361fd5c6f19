import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FIELD_WORDS } from '../../../src/mcp/compact/field-words.ts';
import { TOOLS_FOR_MANY, TOOLS_FOR_ONE } from '../../../src/mcp/compact/kind-tools.ts';
import { recognizeQuery } from '../../../src/mcp/compact/recognize-query.ts';
import { ToolIndex } from '../../../src/mcp/compact/tool-index.ts';
import { createTools } from '../../../src/mcp/tools.ts';
import { OPERATIONS } from '../../../src/operations/list.ts';
import { HELD_OUT, LAST, type Phrasing, PHRASINGS } from './phrasings.ts';

const tools = createTools(OPERATIONS);
const names = tools.map(({ definition }) => definition.name);
const index = new ToolIndex(tools);
const find = (text: string) =>
  index.find(recognizeQuery(text), 5).map(({ tool, input }) => ({ name: tool.definition.name, input }));

/** For how many of the phrasings a wanted tool is among the first `limit`, of 1. */
function recall(phrasings: readonly Phrasing[], limit: number): number {
  const isFound = ({ text, wanted }: Phrasing) =>
    find(text)
      .slice(0, limit)
      .some(({ name }) => wanted.includes(name));
  return phrasings.filter(isFound).length / phrasings.length;
}

for (const [which, phrasings, first, third] of [
  ['phrasings', PHRASINGS, 0.95, 1],
  ['phrasings that were held out', HELD_OUT, 0.8, 0.95],
  ['phrasings that came last', LAST, 0.85, 1],
] as const) {
  test(`the wanted tool is first, or among the first three, of ${phrasings.length} ${which}`, (t) => {
    const [at1, at3] = [recall(phrasings, 1), recall(phrasings, 3)];
    t.diagnostic(`recall@1 ${at1.toFixed(3)}, recall@3 ${at3.toFixed(3)}`);
    assert.ok(at1 >= first, `recall@1 ${at1}`);
    assert.ok(at3 >= third, `recall@3 ${at3}`);
  });
}

test('each tool is wanted by a phrasing, or is the one of many that a list asks for', () => {
  const wanted = new Set([...PHRASINGS, ...HELD_OUT, ...LAST].flatMap((phrasing) => phrasing.wanted));
  assert.deepEqual(
    [...wanted].filter((name) => !names.includes(name)),
    [],
  );
  assert.deepEqual(
    names.filter((name) => !wanted.has(name)),
    ['bulk_atlas_technique_lookup', 'bulk_sigma_rule_lookup'],
  );
});

test('each tool is among the first two for its own title', () => {
  for (const { operation } of tools) {
    const found = find(operation.title).slice(0, 2);
    assert.ok(
      found.some(({ name }) => name === operation.id),
      operation.title,
    );
  }
});

describe('what is pasted', () => {
  test('is the input of the tool that takes it', () => {
    assert.deepEqual(find('CVE-2021-44228')[0], { name: 'cve_lookup', input: { cve_id: 'CVE-2021-44228' } });
    assert.deepEqual(find('hxxp://evil[.]example[.]com/a')[0], {
      name: 'phishing_check',
      input: { url: 'http://evil.example.com/a' },
    });
    assert.deepEqual(find('T1190 and T1059')[0], { name: 'attack_coverage', input: { techniques: 'T1190,T1059' } });
    assert.deepEqual(find('CVE-2014-0160, CVE-2017-0144')[0], {
      name: 'bulk_cve_lookup',
      input: { cve_ids: ['CVE-2014-0160', 'CVE-2017-0144'] },
    });
    assert.deepEqual(find('8.8.8.8\nevil[.]example[.]com\n275a021bbfb6489e54d471899f7db9d1')[0], {
      name: 'bulk_ioc_lookup',
      input: { indicators: ['8.8.8.8', 'evil.example.com', '275a021bbfb6489e54d471899f7db9d1'] },
    });
    for (const given of ['pkg:npm/lodash@4.17.20', 'lodash@4.17.20']) {
      assert.deepEqual(find(`is ${given} safe?`)[0], { name: 'check_dependencies', input: { packages: [given] } });
    }
    assert.deepEqual(find('+1 415 555 2671')[0], { name: 'phone_lookup', input: { number: '+1 415 555 2671' } });
    assert.deepEqual(find('apache log4j 2.14.1')[0], {
      name: 'affected_check',
      input: { product: 'apache log4j', version: '2.14.1' },
    });
    assert.deepEqual(find('is our nginx 1.18.0 affected by something?')[0], {
      name: 'affected_check',
      input: { product: 'nginx', version: '1.18.0' },
    });
    const addresses = recognizeQuery('host behind 93.184.216.34');
    assert.deepEqual([addresses.documents, addresses.product], [[], null], 'an address is no version');
  });

  test('is a document by what it has', () => {
    const lockfile = '{"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "1.0.0", "resolved": "x"}}}';
    assert.equal(find(lockfile)[0]!.name, 'check_dependencies');
    assert.equal(find('server: nginx\r\nx-frame-options: DENY\r\ncontent-type: text/html')[0]!.name, 'check_headers');
    const code = 'import os\nfrom flask import request\n\ndef run():\n    os.system("ls " + request.args["path"])\n';
    assert.equal(find(code)[0]!.name, 'check_injection');
  });

  test('is no domain where a sentence names a file', () => {
    const domains = recognizeQuery('what does main.py do with package.json and setup.sh').identifiers;
    assert.deepEqual(domains, []);
  });
});

test('words that no tool has find nothing', () => {
  assert.deepEqual(find('zxqv wvut'), []);
  assert.deepEqual(find('!!! ???'), []);
});

test('a text of a megabyte is found by its beginning', () => {
  assert.equal(find(`malware sample hash ${'x'.repeat(1_000_000)}`)[0]!.name, 'hash_lookup');
});

describe('the data of the ranking', () => {
  test('has words for each tool, and for no other', () => {
    assert.deepEqual(Object.keys(FIELD_WORDS).toSorted(), names.toSorted());
  });

  test('names tools and fields that exist', () => {
    for (const { tool, field } of [...Object.values(TOOLS_FOR_ONE), ...Object.values(TOOLS_FOR_MANY)].flat()) {
      const { inputSchema } = tools.find(({ definition }) => definition.name === tool)!.definition;
      assert.ok(field in (inputSchema.properties ?? {}), `${tool} takes no ${field}`);
    }
  });
});
