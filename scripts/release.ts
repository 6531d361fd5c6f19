/**
 * Writes the files of a release into the folder `release`, or `--out`: the tarballs of the program and of its TypeScript client for npm, the
 * SBOM of the program (CycloneDX), the bundle for clients with windows (MCPB), and SHA256SUMS; with `--repository` (its address) the entry
 * for the registry of MCP servers, too. They are the same, to the byte, wherever they are made with the same Node. `--vex`: also an
 * OpenVEX document by the catalog of the data folder; fails where a package has a known vulnerability or could not be checked.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { VERSION } from '../src/version.ts';
import { writeClientPackage } from './client/write-client-package.ts';
import { createBundle } from './package/bundle.ts';
import { registryEntry } from './package/registry.ts';
import { cycloneDxSbom, PACKAGE_PURL } from './package/sbom.ts';
import { checkSbom } from './package/vex.ts';
import { writePackage } from './package/write-package.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: fileURLToPath(new URL('../release', import.meta.url)) },
    repository: { type: 'string' },
    vex: { type: 'boolean', default: false },
  },
});
const folder = resolve(values.out);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const sbom = await writePackageFiles();
await inTemporaryFolder(async (unpacked) => {
  await writeClientPackage(unpacked, values.repository ?? null);
  await pack(unpacked);
});
if (values.vex) await writeVex();
await writeChecksums();

function writePackageFiles(): Promise<object> {
  return inTemporaryFolder(async (unpacked) => {
    const packages = await writePackage(unpacked, values.repository ?? null);
    await pack(unpacked);
    const document = cycloneDxSbom(packages);
    await write(`sextant-${VERSION}.cdx.json`, document);
    await writeBundle(unpacked);
    return document;
  });
}

async function inTemporaryFolder<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  const path = await mkdtemp(join(tmpdir(), 'sextant-release-'));
  try {
    return await work(path);
  } finally {
    await rm(path, { recursive: true });
  }
}

async function pack(unpacked: string): Promise<void> {
  await promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd: unpacked });
}

async function writeBundle(unpacked: string): Promise<void> {
  const repository = values.repository ?? null;
  const fileName = `sextant-${VERSION}.mcpb`;
  const bundle = await createBundle(unpacked, repository);
  await writeFile(join(folder, fileName), bundle);
  const sha256 = createHash('sha256').update(bundle).digest('hex');
  const entry = repository === null ? null : registryEntry(repository, { fileName, sha256 });
  if (entry !== null) await write('server.json', entry);
}

async function writeVex(): Promise<void> {
  const { document, problems } = await checkSbom(sbom, PACKAGE_PURL, new Date());
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  if (document === null) process.stdout.write('no vulnerability of a package is known: no VEX document\n');
  else await write(`sextant-${VERSION}.openvex.json`, document);
}

async function write(name: string, document: object): Promise<void> {
  await writeFile(join(folder, name), `${JSON.stringify(document, null, 2)}\n`);
}

/** In the form of `sha256sum`. */
async function writeChecksums(): Promise<void> {
  const names = (await readdir(folder)).toSorted();
  const lines = await Promise.all(
    names.map(async (name) => {
      const hash = createHash('sha256').update(await readFile(join(folder, name)));
      return `${hash.digest('hex')}  ${name}\n`;
    }),
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}
