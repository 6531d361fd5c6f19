import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Language, Parser, TreeCursor } from '@vscode/tree-sitter-wasm';
import type { SyntaxNode, SyntaxTree } from '../analysis/injection/syntax-tree.ts';

const require = createRequire(import.meta.url);
const MODULE_PATH = require.resolve('@vscode/tree-sitter-wasm');

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** The types of WebAssembly are part of the browser types, which are not loaded here. */
const { Memory, RuntimeError } = (
  globalThis as unknown as {
    WebAssembly: {
      Memory: new (pages: { initial: number; maximum: number }) => Memory;
      RuntimeError: new () => Error;
    };
  }
).WebAssembly;

/** A megabyte of ordinary code has about 300,000. */
const MAX_NODES = 600_000;
/** CPU time of this thread: the answer must not depend on what else the machine does. */
const MAX_PARSE_CPU_MS = 2500;
/** Wall-clock time, for a machine so busy that the thread gets hardly any CPU time; below the time limit of a task. */
const MAX_PARSE_WALL_MS = 7500;
const MAX_ERROR_OFFSETS = 5;
const WASM_PAGE_BYTES = 64 * 1024;
const MAX_WASM_MEMORY_BYTES = 256 * 1024 * 1024;
/** The parser's memory never shrinks: beyond this size parsing stops, and the parser is replaced. */
const PARSER_MEMORY_LIMIT_BYTES = 128 * 1024 * 1024;

interface ParserRuntime {
  readonly treeSitter: typeof import('@vscode/tree-sitter-wasm');
  readonly memory: Memory;
  readonly parsers: Map<string, Parser>;
}

let runtime: ParserRuntime | null = null;

/** The syntax tree of the text, by a tree-sitter grammar (`c-sharp`); null when parsing takes too much time or memory. */
export async function parseSyntax(text: string, grammar: string): Promise<SyntaxTree | null> {
  const isFresh = runtime === null;
  const tree = await parseInRuntime(text, grammar);
  // Memory still held for earlier texts must not count for this one.
  return tree === null && !isFresh && runtime === null ? parseInRuntime(text, grammar) : tree;
}

async function parseInRuntime(text: string, grammar: string): Promise<SyntaxTree | null> {
  runtime ??= await loadRuntime();
  const { memory } = runtime;
  const parser = await parserFor(runtime, grammar);
  try {
    return parseBounded(parser, text, memory);
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    // Out of memory: the runtime cannot be used again.
    runtime = null;
    return null;
  } finally {
    if (memory.buffer.byteLength > PARSER_MEMORY_LIMIT_BYTES) runtime = null;
  }
}

function parseBounded(parser: Parser, text: string, memory: Memory): SyntaxTree | null {
  const startCpu = process.threadCpuUsage();
  const wallDeadline = performance.now() + MAX_PARSE_WALL_MS;
  // Typed as void, but the library stops when it returns true.
  const shouldStop = (): boolean => {
    const { user, system } = process.threadCpuUsage(startCpu);
    return (
      user + system > MAX_PARSE_CPU_MS * 1000 ||
      performance.now() > wallDeadline ||
      memory.buffer.byteLength > PARSER_MEMORY_LIMIT_BYTES
    );
  };
  const tree = parser.parse(text, null, { progressCallback: shouldStop });
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

/** The package (CommonJS) keeps one instance; loading the module again makes a new one. */
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

/** Copies the tree without recursion, because nesting may be as deep as the text is long. */
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
  let nodeCount = 0;
  let errorCount = 0;
  const errorOffsets: number[] = [];
  const recordError = (offset: number): void => {
    errorCount += 1;
    if (errorOffsets.length < MAX_ERROR_OFFSETS) errorOffsets.push(offset);
  };
  let truncatedAtOffset: number | null = null;
  let descend = cursor.gotoFirstChild();
  while (descend && path.length > 0) {
    const missing = cursor.nodeIsMissing;
    const kept = !missing && (cursor.nodeIsNamed || cursor.currentFieldId !== 0);
    if (missing) recordError(cursor.startIndex);
    let deeper = false;
    if (kept) {
      const node = nodeOf();
      nodeCount += 1;
      if (node.type === 'ERROR') recordError(node.start);
      path.at(-1)!.children.push(node);
      if (nodeCount >= MAX_NODES) {
        truncatedAtOffset = node.start;
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
  if (root.type === 'ERROR') recordError(root.start);
  return { root, errorCount, errorOffsets, nodeCount, truncatedAtOffset };
}
