import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** NIST SP 800-38D, 8.2.1. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ENTITY_TAG_CHARACTERS = 22;

/** Pseudonyms of addresses, targets, keys and subjects of access tokens, and encryption of answers, with keys derived from the installation secret. */
export class Pseudonyms {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** HMAC-SHA-256, lower-case hex. `kind` separates equal texts of different kinds. */
  pseudonymOf(kind: 'address' | 'key' | 'subject' | 'target' | 'answer', text: string): string {
    return createHmac('sha256', this.#secret).update(`${kind}:${text}`).digest('hex');
  }

  /** Names an answer by its bytes, the same on all replicas; nobody else can compute the name. 22 characters of base64url (132 bits). */
  entityTagOf(parts: readonly Buffer[]): string {
    const hash = createHmac('sha256', this.#secret).update('entity tag:');
    for (const part of parts) hash.update(part);
    return hash.digest('base64url').slice(0, ENTITY_TAG_CHARACTERS);
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
