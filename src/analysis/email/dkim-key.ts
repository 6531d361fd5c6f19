import { parseTagList } from './tag-list.ts';
import { decodeBase64Text } from '../base64.ts';

/** A DKIM key record (RFC 6376, section 3.6.1; Ed25519: RFC 8463). */
export interface DkimKey {
  keyType: 'rsa' | 'ed25519' | 'other';
  /** Of the modulus (RSA) or the curve; null: the key could not be read. */
  bits: number | null;
  /** `p=` is empty. */
  revoked: boolean;
  /** `t=y`: receivers must treat its mail as unsigned. */
  testing: boolean;
  /** Only SHA-1 is allowed, which RFC 8301 forbids. */
  sha1Only: boolean;
  /** The key can be read. */
  valid: boolean;
}

/** Selectors that mail services and mail servers commonly use, the most common first. */
export const COMMON_DKIM_SELECTORS: readonly string[] = [
  'google', // Google Workspace
  'selector1', // Microsoft 365
  'selector2',
  'default',
  'dkim',
  'mail',
  'k1', // Mailchimp, Mailgun
  'k2',
  'k3',
  's1', // SendGrid
  's2',
  'fm1', // Fastmail
  'fm2',
  'fm3',
  'protonmail',
  'protonmail2',
  'protonmail3',
  'sig1', // iCloud Mail
  'zmail', // Zoho
  'zoho',
  'mandrill',
  'mailjet',
  'smtp',
  'email',
  'key1',
  'cm', // Campaign Monitor
  'pic', // Mailgun
  'krs',
  'mxvault',
  'everlytickey1',
  'zendesk1',
  'ctct1', // Constant Contact
  'sm', // Sendmarc and others
  'dk',
  'brevo1',
];

/** An improbable selector: an answer to it shows a wildcard record. */
export const IMPROBABLE_SELECTOR = 'zq7-nobody-publishes-this-selector';

/** Whether a text can be a selector: up to five host name labels. */
export function isDkimSelector(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?){0,4}$/i.test(text);
}

/** RSA below 1024 bits can be broken and is ignored, below 2048 is short (RFC 8301, section 3.2). */
export type DkimKeyStrength = 'strong' | 'short' | 'broken' | 'unreadable' | 'unknown';

/** How much a key is worth; null: it is withdrawn. */
export function dkimKeyStrength({ keyType, bits, revoked }: DkimKey): DkimKeyStrength | null {
  if (revoked) return null;
  if (keyType === 'other') return 'unknown';
  if (bits === null) return 'unreadable';
  if (keyType === 'ed25519' || bits >= 2048) return 'strong';
  return bits < 1024 ? 'broken' : 'short';
}

/** Null: the text is not a key record. */
export function parseDkimKey(text: string): DkimKey | null {
  const tags = parseTagList(text);
  const value = tags?.get('p');
  if (tags === null || value === undefined) return null;
  const version = tags.get('v');
  if (version !== undefined && (version !== 'DKIM1' || [...tags.keys()][0] !== 'v')) return null;
  const type = (tags.get('k') ?? 'rsa').toLowerCase();
  const keyType = type === 'rsa' || type === 'ed25519' ? type : 'other';
  const bytes = decodeBase64Bytes(value);
  const bits =
    bytes === null ? null : keyType === 'ed25519' ? ed25519Bits(bytes) : keyType === 'rsa' ? rsaBits(bytes) : null;
  const hashes = tags
    .get('h')
    ?.toLowerCase()
    .split(':')
    .map((hash) => hash.trim());
  return {
    keyType,
    bits,
    revoked: value === '',
    testing:
      tags
        .get('t')
        ?.split(':')
        .some((flag) => flag.trim() === 'y') ?? false,
    sha1Only: hashes?.every((hash) => hash === 'sha1') ?? false,
    valid: bits !== null,
  };
}

function decodeBase64Bytes(text: string): Uint8Array | null {
  const plain = text.replace(/\s+/g, '');
  if (plain === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return null;
  const decoded = decodeBase64Text(plain);
  return decoded === null ? null : Buffer.from(decoded, 'latin1');
}

function ed25519Bits(bytes: Uint8Array): number | null {
  return bytes.length === 32 ? 256 : null;
}

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;

/** Bits of the modulus of an RSA key, as a SubjectPublicKeyInfo (the usual form) or an RSAPublicKey (RFC 8017, A.1.1). */
function rsaBits(bytes: Uint8Array): number | null {
  const outer = derElement(bytes, 0, SEQUENCE);
  if (outer === null) return null;
  const algorithm = derElement(bytes, outer.start, SEQUENCE);
  if (algorithm === null) return modulusBits(bytes, outer.start);
  const wrapped = derElement(bytes, algorithm.end, BIT_STRING);
  // The first byte of a bit string counts its unused bits.
  const key = wrapped === null ? null : derElement(bytes, wrapped.start + 1, SEQUENCE);
  return key === null ? null : modulusBits(bytes, key.start);
}

function modulusBits(bytes: Uint8Array, at: number): number | null {
  const modulus = derElement(bytes, at, INTEGER);
  if (modulus === null) return null;
  const digits = bytes.subarray(modulus.start, modulus.end);
  const first = digits.findIndex((byte) => byte !== 0);
  return first === -1 ? null : (digits.length - first) * 8 - Math.clz32(digits[first]!) + 24;
}

/** Start and end of the content of the DER element at `at`; null: another tag, or malformed. */
function derElement(bytes: Uint8Array, at: number, tag: number): { start: number; end: number } | null {
  const first = bytes[at + 1];
  if (bytes[at] !== tag || first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (lengthBytes > 3 || first === 0x80) return null;
  let length = lengthBytes === 0 ? first : 0;
  for (let index = 0; index < lengthBytes; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0);
  const start = at + 2 + lengthBytes;
  return start + length <= bytes.length ? { start, end: start + length } : null;
}
