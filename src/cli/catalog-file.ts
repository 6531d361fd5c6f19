import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exportBundle, importBundle } from '../catalog/bundle.ts';
import { BundleError } from '../catalog/bundle-header.ts';
import { readCurrentGeneration } from '../catalog/generation.ts';
import { SyncBusyError } from '../catalog/sync/sync-errors.ts';
import { catalogFolderOf } from '../server/runner-deps.ts';
import { NO_CATALOG_MESSAGE } from './catalog-info.ts';
import { CliError } from '../exit-codes.ts';
import { runInterruptible } from './run-interruptible.ts';
import { loadConfig } from './load-config.ts';
import { printOutput } from './output.ts';
import { formatBytes } from './terminal-text.ts';

/** `sextant catalog export`. Throws `CliError`. */
export async function exportCatalog(options: {
  file: string;
  force: boolean;
  keyFile: string | null;
  json: boolean;
}): Promise<void> {
  const folder = catalogFolderOf(loadConfig());
  const file = bundlePath(folder, options.file);
  if (!isFolder(dirname(file))) throw new CliError('usage', `${dirname(file)}: there is no such folder`);
  if (existsSync(file) && !options.force) throw new CliError('usage', `${file} is there already: --force replaces it`);
  const privateKey = options.keyFile === null ? null : readEd25519Key(options.keyFile, createPrivateKey);
  const manifest = await runInterruptible((signal) => exportBundle({ folder, file, privateKey, signal }));
  if (manifest === null) throw new CliError('not_found', NO_CATALOG_MESSAGE);
  const bytes = statSync(file).size;
  const document = { file, bytes, signed: privateKey !== null, ...manifest, sources: Object.keys(manifest.sources) };
  printOutput(options.json, document, () => [
    `${file}: ${formatBytes(bytes)}${document.signed ? ', signed' : ''}, the catalog of ${manifest.created_at} (${document.sources.join(', ')}).`,
  ]);
}

/** `sextant catalog import`. Throws `CliError`: refused, busy, not found, usage. */
export async function importCatalog(options: { file: string; keyFile: string | null; json: boolean }): Promise<void> {
  const folder = catalogFolderOf(loadConfig());
  const publicKey = options.keyFile === null ? null : readEd25519Key(options.keyFile, createPublicKey);
  if (!existsSync(options.file)) throw new CliError('not_found', `${options.file}: there is no such file`);
  if (isFolder(options.file))
    throw new CliError('usage', `${options.file}: is a folder, not a file that sextant catalog export wrote`);
  try {
    const { generation, replaced } = await runInterruptible((signal) =>
      importBundle({ folder, file: options.file, publicKey, now: new Date(), signal }),
    );
    const { created_at } = generation;
    const document = {
      file: generation.file,
      created_at,
      sources: Object.keys(generation.sources),
      replaced: replaced?.created_at ?? null,
    };
    const older =
      replaced !== null && replaced.created_at > created_at
        ? ` It is older than the one it replaces, of ${replaced.created_at}.`
        : '';
    printOutput(options.json, document, () => [
      `The catalog of ${created_at} (${document.sources.join(', ')}) answers from now on.${older}`,
    ]);
  } catch (error) {
    if (error instanceof BundleError)
      throw new CliError('refused', `${options.file} was refused, nothing was changed: ${error.message}`);
    throw error instanceof SyncBusyError ? new CliError('busy', error.message) : error;
  }
}

/** The path, or for a folder a file in it that is named after the generation: the same catalog always gets the same name. */
function bundlePath(folder: string, path: string): string {
  if (!isFolder(path)) return path;
  const generation = readCurrentGeneration(folder);
  if (generation === null) throw new CliError('not_found', NO_CATALOG_MESSAGE);
  const time = generation.created_at.replace(/\.\d+/, '').replace(/[-:]/g, '');
  return join(path, `catalog-${time}.sextant`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Throws `CliError` where the file holds no such key. */
export function readEd25519Key(file: string, parseKey: (pem: Buffer) => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = parseKey(readFileSync(file));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CliError(
      'usage',
      `${file}: ${isMissing ? 'there is no such file' : 'not a private or public key in PEM, as needed here'}`,
    );
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new CliError('usage', `${file}: not an Ed25519 key; openssl genpkey -algorithm ed25519 makes one`);
}
