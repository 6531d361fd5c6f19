/**
 * Builds the program into `dist`: modules and packages joined into few files, which start several times faster than the source and need
 * no `node_modules`. `bin/sextant.js` uses the build while nothing in it is older than the source.
 */
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { LANGUAGES } from '../src/analysis/injection/languages.ts';
import { builtName, BUILT_SYNTAX_PARSER, ENTRY_MODULES, type EntryModule } from '../src/program-files.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');

/** Its files are opened by path; those that are needed are copied. */
export const SYNTAX_PARSER_PACKAGE = '@vscode/tree-sitter-wasm';
/** Grammars of the syntax parser that the program uses. */
export const GRAMMARS = [...new Set(LANGUAGES.flatMap(({ parsers }) => parsers))].toSorted();
/** Also one that `pg` can do without. */
const EXTERNAL_PACKAGES = [SYNTAX_PARSER_PACKAGE, 'pg-native'];

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
  target: 'node24',
  // Names stay. The maps say where in the source a place is.
  minifyWhitespace: true,
  sourcemap: 'external',
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

/**
 * Builds the program into `dist`. An older build stays until the new one is complete. Returns the packages that are part of it, by
 * their path as in the lock file: `node_modules/fastify`.
 */
export async function buildProgram(): Promise<Set<string>> {
  const unfinished = `${DIST}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const [program, service, liveProcess, watchProcess, queue, mail, ...threads] = ENTRY_MODULES;
  const packages = new Set([`node_modules/${SYNTAX_PARSER_PACKAGE}`]);
  // Apart, because what parts have in common is split off for each set of them: they would start with more files. Both processes beside the
  // service run operations: a copy of all of them for each would be megabytes.
  for (const entries of [[program], [service], [liveProcess, watchProcess], threads, [queue, mail]]) {
    const entryPoints = entries.map(toEntryPoint);
    // Libraries alone, whose places in stack traces say nothing here.
    const more = entries[0] === queue ? ({ minify: true, sourcemap: false } as const) : {};
    const { metafile } = await build({ ...OPTIONS, ...more, metafile: true, outdir: unfinished, entryPoints });
    for (const path of packagesIn(metafile)) packages.add(path);
  }
  await Promise.all([compressMaps(unfinished), copySyntaxParser(unfinished)]);
  await rm(DIST, { recursive: true, force: true });
  await rename(unfinished, DIST);
  return packages;
}

function toEntryPoint(entry: EntryModule): { in: string; out: string } {
  return { in: `src/${entry}`, out: builtName(entry).replace(/\.js$/, '') };
}

/** Packages of which something is in the output. */
function packagesIn({ outputs }: Metafile): string[] {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
}

/** A map is as large as its file and hardly ever read. */
async function compressMaps(folder: string): Promise<void> {
  const maps = (await readdir(folder)).filter((name) => name.endsWith('.map'));
  for (const path of maps.map((name) => join(folder, name))) {
    await writeFile(`${path}.gz`, await promisify(gzip)(await readFile(path), { level: 9 }));
    await rm(path);
  }
}

async function copySyntaxParser(folder: string): Promise<void> {
  const module = createRequire(import.meta.url).resolve(SYNTAX_PARSER_PACKAGE);
  const copied = join(folder, BUILT_SYNTAX_PARSER);
  await mkdir(dirname(copied));
  await copyFile(module, copied);
  await copyFile(join(dirname(module), 'tree-sitter.wasm'), join(dirname(copied), 'tree-sitter.wasm'));
  for (const name of GRAMMARS.map((grammar) => `tree-sitter-${grammar}.wasm`)) {
    const packed = await promisify(brotliCompress)(await readFile(join(dirname(module), name)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
    });
    await writeFile(join(dirname(copied), `${name}.br`), packed);
  }
}

if (import.meta.main) await buildProgram();
