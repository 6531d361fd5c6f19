import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { VERSION } from '../../src/version.ts';
import { type ClientDocument, renderClientSource } from './client-source.ts';
import { clientManifest } from './client-manifest.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLIENT = join(ROOT, 'clients/typescript');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
/** The module that is generated, beside the hand-written ones. */
const GENERATED = 'index.ts';

/**
 * Writes the package of the client for npm into a folder: one module, its types, README and licence. The same source makes the same
 * bytes. Throws where the compiler finds an error. `repository`: its address, for the registry.
 */
export async function writeClientPackage(folder: string, repository: string | null): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), 'sextant-client-'));
  try {
    await cp(join(CLIENT, 'src'), join(work, 'src'), { recursive: true });
    const document = createOpenApiDocument(OPERATIONS, VERSION) as unknown as ClientDocument;
    await writeFile(join(work, 'src', GENERATED), renderClientSource(document));
    await writeFile(join(work, 'package.json'), JSON.stringify({ type: 'module' }));
    await Promise.all([writeDeclarations(work, join(folder, 'types')), writeModule(work, join(folder, 'index.js'))]);
  } finally {
    await rm(work, { recursive: true });
  }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(clientManifest(repository), null, 2)}\n`);
  await cp(join(CLIENT, 'README.md'), join(folder, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

async function writeDeclarations(work: string, folder: string): Promise<void> {
  const configuration = {
    extends: join(CLIENT, 'tsconfig.json'),
    compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: 'src', outDir: folder },
    include: ['src'],
  };
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify(configuration));
  try {
    await promisify(execFile)(process.execPath, [COMPILER, '-p', work], { maxBuffer: 2 ** 24 });
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (stdout === undefined || stdout === '') throw error;
    throw new Error(`the client does not compile:\n${stdout}`, { cause: error });
  }
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Compilers before 5.7 do not know declarations by the name of their source.
    const text = (await readFile(path, 'utf8')).replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
    await writeFile(path, text.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
}

/** One module, so that a browser loads one file. */
async function writeModule(work: string, outfile: string): Promise<void> {
  await build({
    absWorkingDir: work,
    entryPoints: [`src/${GENERATED}`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
}
