import { parseTagList } from './tag-list.ts';
import { decodeBase64Text } from '../base64.ts';
import { DER_TAGS, type DerElement, parseDerElements } from '../der-elements.ts';

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

function decodeBase64Bytes(text: string): Buffer | null {
  const plain = text.replace(/\s+/g, '');
  if (plain === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return null;
  const decoded = decodeBase64Text(plain);
  return decoded === null ? null : Buffer.from(decoded, 'latin1');
}

function ed25519Bits(bytes: Uint8Array): number | null {
  return bytes.length === 32 ? 256 : null;
}

/** Bits of the modulus of an RSA key, as a SubjectPublicKeyInfo (the usual form) or an RSAPublicKey (RFC 8017, A.1.1). */
function rsaBits(bytes: Buffer): number | null {
  const [first, second] = sequenceIn(bytes);
  if (first?.tag !== DER_TAGS.SEQUENCE) return modulusBits(first);
  // The first byte of a bit string counts its unused bits.
  return second?.tag === DER_TAGS.BIT_STRING ? modulusBits(sequenceIn(second.content.subarray(1))[0]) : null;
}

/** The elements of the sequence that is there first; empty: something else is. */
function sequenceIn(bytes: Buffer): DerElement[] {
  const [first] = parseDerElements(bytes);
  return first?.tag === DER_TAGS.SEQUENCE ? parseDerElements(first.content) : [];
}

function modulusBits(modulus: DerElement | undefined): number | null {
  if (modulus?.tag !== DER_TAGS.INTEGER) return null;
  const first = modulus.content.findIndex((byte) => byte !== 0);
  return first === -1 ? null : (modulus.content.length - first) * 8 - Math.clz32(modulus.content[first]!) + 24;
}
