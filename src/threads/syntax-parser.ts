import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Language, Parser, TreeCursor } from '@vscode/tree-sitter-wasm';
import type { SyntaxNode, SyntaxTree } from '../analysis/injection/syntax-tree.ts';

const require = createRequire(import.meta.url);
const MODULE_PATH = require.resolve('@vscode/tree-sitter-wasm');

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** What is used of WebAssembly: its types come with those of browsers, which are not loaded here. */
const { Memory, RuntimeError } = (
  globalThis as unknown as {
    WebAssembly: {
      Memory: new (pages: { initial: number; maximum: number }) => Memory;
      RuntimeError: new () => Error;
    };
  }
).WebAssembly;

/** Of a megabyte of ordinary code there are some 300,000. */
const MAX_NODES = 600_000;
const PARSE_TIMEOUT_MS = 2500;
const MAX_ERROR_OFFSETS = 5;
const WASM_PAGE_BYTES = 64 * 1024;
const MAX_WASM_MEMORY_BYTES = 256 * 1024 * 1024;
/** Memory of the parser only grows: beyond this, parsing ends, and the parser is replaced. */
const PARSER_MEMORY_LIMIT_BYTES = 128 * 1024 * 1024;

interface ParserRuntime {
  readonly treeSitter: typeof import('@vscode/tree-sitter-wasm');
  readonly memory: Memory;
  readonly parsers: Map<string, Parser>;
}

let runtime: ParserRuntime | null = null;

/** The syntax tree of the text, by a tree-sitter grammar (`c-sharp`); null when parsing takes too much time or memory. */
export async function parseSyntax(text: string, grammar: string): Promise<SyntaxTree | null> {
  runtime ??= await loadRuntime();
  const { memory } = runtime;
  const parser = await parserFor(runtime, grammar);
  try {
    return parseBounded(parser, text, memory);
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    // It ran out of memory, and is of no more use.
    runtime = null;
    return null;
  } finally {
    if (memory.buffer.byteLength > PARSER_MEMORY_LIMIT_BYTES) runtime = null;
  }
}

function parseBounded(parser: Parser, text: string, memory: Memory): SyntaxTree | null {
  const deadline = performance.now() + PARSE_TIMEOUT_MS;
  // The type says that nothing is returned; the library stops where it is true.
  const enough = (): boolean => performance.now() > deadline || memory.buffer.byteLength > PARSER_MEMORY_LIMIT_BYTES;
  const tree = parser.parse(text, null, { progressCallback: enough });
  if (tree === null) {
    parser.reset();
    return null;
  }
  const cursor = tree.walk();
  try {
    return copyTree(cursor, fieldNames(parser.language!));
  } finally {
    cursor.delete();
    tree.delete();
  }
}

/** The package is CommonJS and keeps one instance: another one is had by loading it anew. */
async function loadRuntime(): Promise<ParserRuntime> {
  delete require.cache[MODULE_PATH];
  const treeSitter = require(MODULE_PATH) as ParserRuntime['treeSitter'];
  const memory = new Memory({ initial: 512, maximum: MAX_WASM_MEMORY_BYTES / WASM_PAGE_BYTES });
  const options = { wasmMemory: memory } as unknown as Parameters<typeof Parser.init>[0];
  await treeSitter.Parser.init(options);
  return { treeSitter, memory, parsers: new Map() };
}

async function parserFor({ treeSitter, parsers }: ParserRuntime, grammar: string): Promise<Parser> {
  let parser = parsers.get(grammar);
  if (parser === undefined) {
    const language = await treeSitter.Language.load(join(dirname(MODULE_PATH), `tree-sitter-${grammar}.wasm`));
    parser = new treeSitter.Parser();
    parser.setLanguage(language);
    parsers.set(grammar, parser);
  }
  return parser;
}

function fieldNames(language: Language): (string | null)[] {
  return Array.from({ length: language.fieldCount + 1 }, (_, id) => language.fieldNameForId(id));
}

interface MutableNode {
  type: string;
  field: string | null;
  start: number;
  end: number;
  children: SyntaxNode[];
}

/** Copies the tree, without recursion: nesting may be as deep as the text is long. */
function copyTree(cursor: TreeCursor, fields: readonly (string | null)[]): SyntaxTree {
  const nodeOf = (): MutableNode => ({
    type: cursor.nodeType,
    field: fields[cursor.currentFieldId] ?? null,
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
  });
  const root = nodeOf();
  const path: MutableNode[] = [root];
  let count = 0;
  let errors = 0;
  const errorsAt: number[] = [];
  const noteError = (at: number): void => {
    errors += 1;
    if (errorsAt.length < MAX_ERROR_OFFSETS) errorsAt.push(at);
  };
  let endedAt: number | null = null;
  let descend = cursor.gotoFirstChild();
  while (descend && path.length > 0) {
    const missing = cursor.nodeIsMissing;
    const kept = !missing && (cursor.nodeIsNamed || cursor.currentFieldId !== 0);
    if (missing) noteError(cursor.startIndex);
    let deeper = false;
    if (kept) {
      const node = nodeOf();
      count += 1;
      if (node.type === 'ERROR') noteError(node.start);
      path.at(-1)!.children.push(node);
      if (count >= MAX_NODES) {
        endedAt = node.start;
        break;
      }
      deeper = cursor.gotoFirstChild();
      if (deeper) path.push(node);
    }
    if (deeper) continue;
    while (!cursor.gotoNextSibling()) {
      path.pop();
      if (path.length === 0 || !cursor.gotoParent()) {
        descend = false;
        break;
      }
    }
  }
  if (root.type === 'ERROR') noteError(root.start);
  return { root, errorCount: errors, errorOffsets: errorsAt, nodeCount: count, truncatedAtOffset: endedAt };
}
