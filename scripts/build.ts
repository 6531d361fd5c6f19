/**
 * Builds the program into `dist`: modules and packages joined into few files, which start several times faster than the source.
 * `bin/sextant.js` uses the build while nothing in it is older than the source.
 */
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { builtName, ENTRY_MODULES, type EntryModule } from '../src/program-files.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Packages whose files are read from `node_modules` when the program runs, and one that `pg` can do without. */
const EXTERNAL_PACKAGES = ['@vscode/tree-sitter-wasm', 'pg-native'];

/** Modules named `*.computed.ts` export plain data: the data takes their place, so that it is not computed at each start. */
const computedModules: Plugin = {
  name: 'computed modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.computed\.ts$/ }, async ({ path }) => {
      const values = { ...((await import(pathToFileURL(path).href)) as Record<string, unknown>) };
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(values)), values))
        throw new Error(`${path} exports more than data`);
      const lines = Object.entries(values).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};

/**
 * An `import` of a module of Node reads all its properties, also those that load more when they are read: with node:http come fetch and
 * WebSocket, which the program does not use. `getBuiltinModule` reads none.
 */
const builtinModules: Plugin = {
  name: 'modules of Node without all their properties',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { external: true } : { path, namespace: 'builtin' },
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
      loader: 'js',
    }));
  },
};

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node26',
  sourcemap: true,
  // The maps name the source files, which need not be there.
  sourcesContent: false,
  // Names of files in the build are those in this folder, also where `node_modules` is a link.
  preserveSymlinks: true,
  chunkNames: 'chunk-[hash]',
  external: EXTERNAL_PACKAGES,
  plugins: [computedModules, builtinModules],
  // Packages in CommonJS call `require` for the modules of Node.
  banner: {
    js: "import { createRequire as createRequireForPackages } from 'node:module';\nvar require = createRequireForPackages(import.meta.url);",
  },
  logLevel: 'warning',
} satisfies BuildOptions;

const DIST = fileURLToPath(new URL('../dist', import.meta.url));

/** Builds the program into `dist`. An older build stays until the new one is complete. */
async function buildProgram(): Promise<void> {
  const unfinished = `${DIST}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const [program, service, liveProcess, ...threads] = ENTRY_MODULES;
  // Apart, because what parts have in common is split off for each set of them: they would start with more files.
  for (const entries of [[program], [service], [liveProcess], threads]) {
    await build({ ...OPTIONS, outdir: unfinished, entryPoints: entries.map(toEntryPoint) });
  }
  await rm(DIST, { recursive: true, force: true });
  await rename(unfinished, DIST);
}

function toEntryPoint(entry: EntryModule): { in: string; out: string } {
  return { in: `src/${entry}`, out: builtName(entry).replace(/\.js$/, '') };
}

await buildProgram();
