import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** NIST SP 800-38D, 8.2.1. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts (AES-256-GCM), `key`: 32 bytes; Base64. It is decrypted with the same `context` only: what the text belongs to. */
export function encryptText(key: Buffer, text: string, context = ''): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const encrypted = [nonce, cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([...encrypted, cipher.getAuthTag()]).toString('base64');
}

/** Decrypts; null where the text was not encrypted with this key and context. */
export function decryptText(key: Buffer, encrypted: string, context = ''): string | null {
  const bytes = Buffer.from(encrypted, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
