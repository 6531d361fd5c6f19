import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
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
/** NIST SP 800-38D, 8.2.1. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OWNER_ONLY_MODE = 0o600;
const GROUP_AND_OTHERS_MODE = 0o077;
const SECRET_PATTERN = /^[0-9a-f]{64}\n?$/;

/**
 * The secret of an installation, from which pseudonyms are made: `configuredSecret`, else the file `secret` in the data folder, which
 * the first start creates, readable by its owner only; safe when several processes start at once. Replicas on several machines must
 * share one (`SEXTANT_SECRET`), else they know the same caller by different pseudonyms. Throws for a file that holds no secret.
 */
export function loadInstallationSecret(dataDir: string, configuredSecret: string | null): string {
  if (configuredSecret !== null) return configuredSecret;
  const file = join(dataDir, 'secret');
  const text = readOrCreate(dataDir, file);
  if (!SECRET_PATTERN.test(text))
    throw new Error(`${file} is not a secret of this service: expected 64 hex characters`);
  if ((statSync(file).mode & GROUP_AND_OTHERS_MODE) !== 0) chmodSync(file, OWNER_ONLY_MODE);
  return text.trim();
}

/** Pseudonyms of addresses, targets and keys, and encryption of answers, with keys derived from the installation secret. */
export class Pseudonyms {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** HMAC-SHA-256, lower-case hex. `kind` separates equal texts of different kinds. */
  pseudonymOf(kind: 'address' | 'key' | 'target' | 'answer', text: string): string {
    return createHmac('sha256', this.#secret).update(`${kind}:${text}`).digest('hex');
  }

  /** Encrypts (AES-256-GCM) with a key derived from the secret; Base64. */
  encrypt(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#encryptionKey(), nonce);
    const encrypted = [nonce, cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([...encrypted, cipher.getAuthTag()]).toString('base64');
  }

  /** Decrypts; null where the text was not encrypted with this secret. */
  decrypt(encrypted: string): string | null {
    const bytes = Buffer.from(encrypted, 'base64');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.#encryptionKey(), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  #encryptionKey(): Buffer {
    return createHmac('sha256', this.#secret).update('seal answer').digest();
  }
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
