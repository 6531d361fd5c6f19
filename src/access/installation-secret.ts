import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const SECRET_BYTES = 32;
const OWNER_ONLY_MODE = 0o600;
const GROUP_AND_OTHERS_MODE = 0o077;
const SECRET_PATTERN = /^[0-9a-f]{64}\n?$/;

/**
 * The secret of an installation, from which pseudonyms are made: `configuredSecret`, else the file `secret` in the data folder, which
 * the first start creates, readable by its owner only; safe when several processes start at once. Replicas on several machines must
 * share one (`SEXTANT_SECRET`), else they know the same caller by different pseudonyms. Throws for a file that holds no secret.
 */
export function loadOrCreateInstallationSecret(dataDir: string, configuredSecret: string | null): string {
  if (configuredSecret !== null) return configuredSecret;
  const file = join(dataDir, 'secret');
  const text = readOrCreate(dataDir, file);
  if (!SECRET_PATTERN.test(text))
    throw new Error(`${file} is not a secret of this service: expected 64 hex characters`);
  if ((statSync(file).mode & GROUP_AND_OTHERS_MODE) !== 0) chmodSync(file, OWNER_ONLY_MODE);
  return text.trim();
}

function readOrCreate(dataDir: string, file: string): string {
  const found = readIfPresent(file);
  if (found !== null) return found;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeNewFile(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`);
  try {
    // Unlike rename, link fails where another process created the secret first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8');
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function writeNewFile(file: string, text: string): void {
  const handle = openSync(file, 'wx', OWNER_ONLY_MODE);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
