import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Modules that a process, a thread or the service starts with, and large libraries that few installations need: they are opened by path, and the
 * build makes a file of each.
 */
export const ENTRY_MODULES = [
  'main.ts',
  'cli/serve-command.ts',
  'server/live-process.ts',
  'server/watch-process.ts',
  'watches/postgres/pg-boss.ts',
  'watches/delivery/nodemailer.ts',
  'threads/thread-entry.ts',
  'sources/reader-thread.ts',
  'catalog/recovery-thread.ts',
  'catalog/sync/record-thread.ts',
] as const;
export type EntryModule = (typeof ENTRY_MODULES)[number];

/** This file is `src/program-files.ts`, or in the build a part of `dist/*.js`: both folders lie in that of the package. */
export const IS_BUILT = !import.meta.url.endsWith('.ts');

/** Where an entry module is, for this form of the program. */
export function entryModuleUrl(entry: EntryModule): URL {
  return new URL(IS_BUILT ? builtName(entry) : entry, import.meta.url);
}

/** The name of an entry module's file in `dist`. */
export function builtName(entry: EntryModule): string {
  return `${basename(entry, '.ts')}.js`;
}

/** A file of the package that is not code, by its path in the package. */
export function packageFileUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

/**
 * The library that parses code, in the folder of the build; its WebAssembly files lie beside it, those of grammars packed (`.br`, Brotli): they
 * are twenty times smaller so. CommonJS, as its name says.
 */
export const BUILT_SYNTAX_PARSER = 'tree-sitter/tree-sitter.cjs';

/** Path of the library that parses code. */
export function syntaxParserPath(): string {
  return IS_BUILT
    ? fileURLToPath(new URL(BUILT_SYNTAX_PARSER, import.meta.url))
    : createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm');
}
