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
 * The secret of an installation, which names of callers and targets are made with. Made at the first start as the file
 * `secret` in the data folder, readable by its owner only; however many processes start at once, there is one. Replicas on
 * several machines must share one (`SEXTANT_SECRET`): without it they would know the same caller by different names.
 */
export function loadInstallationSecret(dataDir: string, given: string | null): string {
  if (given !== null) return given;
  const file = join(dataDir, 'secret');
  const text = readOrCreate(dataDir, file);
  if (!SECRET_PATTERN.test(text))
    throw new Error(`${file} is not a secret of this service: expected 64 hex characters`);
  if ((statSync(file).mode & GROUP_AND_OTHERS_MODE) !== 0) chmodSync(file, OWNER_ONLY_MODE);
  return text.trim();
}

/** Names (HMAC-SHA-256, lower-case hex) and seals what must not be written down: an address, a target, a key, an answer. */
export class Pseudonyms {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** `kind` keeps apart what could read the same. */
  pseudonymOf(kind: 'address' | 'key' | 'target' | 'answer', text: string): string {
    return createHmac('sha256', this.#secret).update(`${kind}:${text}`).digest('hex');
  }

  /** What nobody reads without the secret (AES-256-GCM), in Base64. */
  encrypt(kind: 'answer', text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#encryptionKey(kind), nonce);
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** What was sealed; null for what was not, or with another secret. */
  decrypt(kind: 'answer', sealed: string): string | null {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.#encryptionKey(kind), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  #encryptionKey(kind: 'answer'): Buffer {
    return createHmac('sha256', this.#secret).update(`seal ${kind}`).digest();
  }
}

function readOrCreate(dataDir: string, file: string): string {
  const found = readIfPresent(file);
  if (found !== null) return found;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeNewFile(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`);
  try {
    // Unlike a rename, a link never replaces the secret of somebody who was faster.
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
