import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Language, Parser, Tree, TreeCursor } from '@vscode/tree-sitter-wasm';
import { languageNamed, LANGUAGES } from '../../src/analysis/injection/languages.ts';
import type { SyntaxNode, SyntaxTree } from '../../src/analysis/injection/syntax-tree.ts';
import { type GrammarTables, readSyntaxTree, requireKnownLayout } from '../../src/threads/syntax-memory.ts';
import { labelledSnippets } from '../analysis/injection/labelled.ts';

const require = createRequire(import.meta.url);
const MODULE_PATH = require.resolve('@vscode/tree-sitter-wasm');
const treeSitter = require(MODULE_PATH) as typeof import('@vscode/tree-sitter-wasm');
interface Memory {
  readonly buffer: ArrayBuffer;
}
const { Memory } = (
  globalThis as unknown as { WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => Memory } }
).WebAssembly;

const memory = new Memory({ initial: 512, maximum: 4096 });
const grammars = new Map<string, { parser: Parser; language: Language; tables: GrammarTables }>();

before(async () => {
  await treeSitter.Parser.init({ wasmMemory: memory } as unknown as Parameters<typeof Parser.init>[0]);
  for (const name of new Set(LANGUAGES.flatMap(({ parsers }) => parsers))) {
    const language = await treeSitter.Language.load(join(dirname(MODULE_PATH), `tree-sitter-${name}.wasm`));
    const parser = new treeSitter.Parser();
    parser.setLanguage(language);
    grammars.set(name, { parser, language, tables: requireKnownLayout(memory.buffer, language) });
  }
});

/** The tree as the library itself shows it. */
function readByCursor(
  cursor: TreeCursor,
  { fields }: GrammarTables,
): Pick<SyntaxTree, 'root' | 'nodeCount' | 'errorCount'> {
  let nodeCount = 0;
  let errorCount = 0;
  const readNode = (): SyntaxNode => {
    const children: SyntaxNode[] = [];
    const node = {
      type: cursor.nodeType,
      field: fields[cursor.currentFieldId] ?? null,
      start: cursor.startIndex,
      end: cursor.endIndex,
      children,
    };
    if (node.type === 'ERROR') errorCount += 1;
    if (!cursor.gotoFirstChild()) return node;
    do {
      if (cursor.nodeIsMissing) errorCount += 1;
      else if (cursor.nodeIsNamed || cursor.currentFieldId !== 0) {
        nodeCount += 1;
        children.push(readNode());
      }
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
    return node;
  };
  const root = readNode();
  return { root, nodeCount, errorCount };
}

function requireEqualTrees(text: string, grammar: string): SyntaxTree {
  const { parser, tables } = grammars.get(grammar)!;
  const tree: Tree = parser.parse(text)!;
  const cursor = tree.walk();
  const fromMemory = readSyntaxTree(memory.buffer, tree, tables);
  const { root, nodeCount, errorCount } = readByCursor(cursor, tables);
  cursor.delete();
  tree.delete();
  assert.deepEqual(fromMemory.root, root);
  assert.deepEqual([fromMemory.nodeCount, fromMemory.errorCount], [nodeCount, errorCount]);
  return fromMemory;
}

/** The text and pieces of it, which do not follow the grammar: cut anywhere, and with a hole. */
function variants(text: string): string[] {
  const third = Math.floor(text.length / 3);
  return [
    text,
    text.slice(0, -third),
    text.slice(third),
    text.slice(0, third) + text.slice(third + 7),
    `\uFEFF\n\n${text}`,
    text.replaceAll(/[aeiou]/g, 'é😀'),
  ];
}

describe('the tree in the memory of the parser is the one that its cursor shows', () => {
  for (const { name, parsers, openingTag } of LANGUAGES) {
    test(name, () => {
      let errorCount = 0;
      let nodeCount = 0;
      for (const { code } of [...labelledSnippets('snippets'), ...labelledSnippets('exact')].filter(
        ({ language }) =>
          languageNamed(language)?.name === name || (name === 'typescript' && language === 'javascript'),
      )) {
        for (const text of variants(`${openingTag?.text ?? ''}${code}`)) {
          for (const parser of parsers) {
            const tree = requireEqualTrees(text, parser);
            errorCount += tree.errorCount;
            nodeCount += tree.nodeCount;
          }
        }
      }
      // Fields, aliases, errors and missing tokens were all met.
      assert.ok(nodeCount > 10_000 && errorCount > 100, `${nodeCount} nodes, ${errorCount} errors`);
    });
  }

  test('sources of this project', () => {
    for (const path of ['analysis/injection/flow/sinks.ts', 'threads/syntax-memory.ts', 'engine/runner.ts']) {
      const { errorCount, nodeCount } = requireEqualTrees(
        readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8'),
        'typescript',
      );
      assert.ok(errorCount === 0 && nodeCount > 500);
    }
  });

  test('empty text, and text without a token', () => {
    for (const text of ['', '\n\n', '// only a comment']) requireEqualTrees(text, 'typescript');
  });
});

test('the memory of another version of the parser is refused', () => {
  const { language } = grammars.get('python')!;
  const other = new Proxy(language, {
    get: (target, key) => (key === 'fieldCount' ? target.fieldCount + 1 : Reflect.get(target, key, target)),
  });
  assert.throws(() => requireKnownLayout(memory.buffer, other), /memory of this version/);
});
