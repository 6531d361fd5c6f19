import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { BundleError } from '../catalog/bundle-header.ts';
import { publishCatalog } from '../catalog/published/publish-catalog.ts';
import { PublishedCatalogError, publicKeyText } from '../catalog/published/signed-metadata.ts';
import { SyncBusyError } from '../catalog/sync/sync-errors.ts';
import { catalogFolderOf } from '../server/runner-deps.ts';
import { readEd25519Key } from './catalog-file.ts';
import { NO_CATALOG_MESSAGE } from './catalog-info.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';
import { printOutput } from './output.ts';
import { runInterruptible } from './run-interruptible.ts';
import { formatBytes } from './terminal-text.ts';

const MAX_DAYS = 3650;
const MAX_DELTAS = 1000;

/** `sextant catalog keygen`. Throws `CliError`. */
export function makePublishingKey(file: string, json: boolean): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CliError('usage', `${file} is there already`);
    throw error;
  }
  const public_key = publicKeyText(privateKey);
  printOutput(json, { file, public_key }, () => [
    `${file}: the private key. Who has it can publish catalogs in your name.`,
    `SEXTANT_CATALOG_KEY=${public_key}`,
  ]);
}

/** `sextant catalog publish`. Throws `CliError`: refused, busy, not found, usage. */
export async function publish(options: {
  folder: string;
  key: string;
  root?: string;
  oldRoot?: string;
  expiresDays: string;
  keep: string;
  json: boolean;
}): Promise<void> {
  const keyOf = (file: string | undefined): KeyObject | null =>
    file === undefined ? null : readEd25519Key(file, createPrivateKey);
  const work = {
    folder: catalogFolderOf(loadConfig()),
    target: options.folder,
    publishKey: readEd25519Key(options.key, createPrivateKey),
    rootKey: keyOf(options.root),
    oldRootKey: keyOf(options.oldRoot),
    expiresDays: wholeNumber('--expires-days', options.expiresDays, MAX_DAYS),
    keepDeltas: wholeNumber('--keep', options.keep, MAX_DELTAS),
    now: new Date(),
  };
  try {
    const result = await runInterruptible((signal) => publishCatalog({ ...work, signal }));
    if (result === null) throw new CliError('not_found', NO_CATALOG_MESSAGE);
    const { catalog, full, delta, ...published } = result;
    const document = { folder: options.folder, ...published, created_at: catalog.created_at, full, delta };
    printOutput(options.json, document, () => [
      published.is_new
        ? `The catalog of ${catalog.created_at} is published: ${formatBytes(full.bytes)} in full, ${delta === null ? 'no delta' : `${formatBytes(delta.bytes)} as a delta`}.`
        : `The catalog of ${catalog.created_at} was published already: its time was renewed.`,
      `Publish again before ${published.expires_at}, or followers call it too old. The root key's signature holds until ${published.root_expires_at}.`,
    ]);
  } catch (error) {
    if (error instanceof PublishedCatalogError || error instanceof BundleError)
      throw new CliError('refused', `nothing was published: ${error.message}`);
    throw error instanceof SyncBusyError ? new CliError('busy', error.message) : error;
  }
}

function wholeNumber(option: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  throw new CliError('usage', `${option} is a whole number from 1 to ${max}`);
}
