import { createHmac } from 'node:crypto';
import { decryptText, encryptText } from './encrypted-text.ts';

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
    return encryptText(this.#encryptionKey(), text);
  }

  /** Decrypts; null where the text was not encrypted with this secret. */
  decrypt(encrypted: string): string | null {
    return decryptText(this.#encryptionKey(), encrypted);
  }

  #encryptionKey(): Buffer {
    return createHmac('sha256', this.#secret).update('seal answer').digest();
  }
}
