import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Parser } from '@vscode/tree-sitter-wasm';
import type { SyntaxTree } from '../analysis/injection/syntax-tree.ts';
import { IS_BUILT, syntaxParserPath } from '../program-files.ts';
import { type GrammarTables, readSyntaxTree, requireKnownLayout } from './syntax-memory.ts';

const require = createRequire(import.meta.url);
const MODULE_PATH = syntaxParserPath();

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

/** CPU time of this thread: the answer must not depend on what else the machine does. */
const MAX_PARSE_CPU_MS = 2500;
/** Wall-clock time, for a machine so busy that the thread gets hardly any CPU time; below the time limit of a task. */
const MAX_PARSE_WALL_MS = 7500;
/** The library asks every hundred operations; reading the clocks takes as long as some of them. */
const PROGRESS_CALLS_PER_CHECK = 16;
const WASM_PAGE_BYTES = 64 * 1024;
const MAX_WASM_MEMORY_BYTES = 256 * 1024 * 1024;
/** The parser's memory never shrinks: beyond this size parsing stops, and the parser is replaced. */
const PARSER_MEMORY_LIMIT_BYTES = 128 * 1024 * 1024;

interface ParserRuntime {
  readonly treeSitter: typeof import('@vscode/tree-sitter-wasm');
  readonly memory: Memory;
  readonly grammars: Map<string, LoadedGrammar>;
}

interface LoadedGrammar {
  readonly parser: Parser;
  readonly tables: GrammarTables;
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
  const loaded = await loadGrammar(runtime, grammar);
  try {
    return parseBounded(loaded, text, memory);
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    // Out of memory: the runtime cannot be used again.
    runtime = null;
    return null;
  } finally {
    if (memory.buffer.byteLength > PARSER_MEMORY_LIMIT_BYTES) runtime = null;
  }
}

function parseBounded({ parser, tables }: LoadedGrammar, text: string, memory: Memory): SyntaxTree | null {
  const startCpu = process.threadCpuUsage();
  const wallDeadline = performance.now() + MAX_PARSE_WALL_MS;
  let calls = 0;
  // Typed as void, but the library stops when it returns true.
  const shouldStop = (): boolean => {
    calls += 1;
    if (calls % PROGRESS_CALLS_PER_CHECK !== 0) return false;
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
  try {
    return readSyntaxTree(memory.buffer, tree, tables);
  } finally {
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
  return { treeSitter, memory, grammars: new Map() };
}

async function readGrammar(grammar: string): Promise<Uint8Array> {
  const path = join(dirname(MODULE_PATH), `tree-sitter-${grammar}.wasm`);
  return IS_BUILT ? brotliDecompressSync(await readFile(`${path}.br`)) : readFile(path);
}

async function loadGrammar({ treeSitter, memory, grammars }: ParserRuntime, grammar: string): Promise<LoadedGrammar> {
  let loaded = grammars.get(grammar);
  if (loaded === undefined) {
    const language = await treeSitter.Language.load(await readGrammar(grammar));
    const parser = new treeSitter.Parser();
    parser.setLanguage(language);
    loaded = { parser, tables: requireKnownLayout(memory.buffer, language) };
    grammars.set(grammar, loaded);
  }
  return loaded;
}
