import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';
import { FeedState } from '../generation.ts';

/**
 * What a folder of a published catalog says about itself (docs/decisions/042-published-catalogs.md). Root and timestamp are texts of
 * three lines or four:
 *
 *     sextant-catalog-root 1
 *     {"version":1, ...}
 *     ed25519 <base64>                over the two lines above with their line ends (RFC 8032)
 *     ed25519 <base64>                of the root that changes the root key: of the key before
 */

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Base64 of the 32 bytes of an Ed25519 public key. */
const PublicKeyText = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
/** A name in the folder itself. */
const FileName = z.string().regex(/^\w[\w.-]{0,120}$/);
const Time = z.iso.datetime();
const Bytes = z.number().int().positive();

const FileOfSnapshot = z.object({ file: FileName, bytes: Bytes, sha256: Sha256 });

/** Which keys are trusted. Version 1 is trusted because its root key is the configured one, each next one because the one before signed it. */
export const Root = z.object({
  version: z.number().int().positive(),
  expires_at: Time,
  root_key: PublicKeyText,
  publish_key: PublicKeyText,
});
export type Root = z.infer<typeof Root>;

/** What is current now; signed anew, and with a higher version, at each publication. */
export const Timestamp = z.object({
  version: z.number().int().positive(),
  published_at: Time,
  expires_at: Time,
  snapshot: FileOfSnapshot,
});
export type Timestamp = z.infer<typeof Timestamp>;

/** All files that belong together. Not signed itself: the timestamp has its hash. */
export const Snapshot = z.object({
  schema_version: z.number().int(),
  catalog: z.object({ sha256: Sha256, bytes: Bytes, created_at: Time, sources: z.record(z.string(), FeedState) }),
  /** A bundle, as `exportBundle` writes it. */
  full: FileOfSnapshot,
  /** `from` and `to`: SHA-256 of the database files; oldest first. */
  deltas: z.array(FileOfSnapshot.extend({ from: Sha256, to: Sha256 })).max(1000),
});
export type Snapshot = z.infer<typeof Snapshot>;
export type PublishedFile = z.infer<typeof FileOfSnapshot>;
export type PublishedDelta = Snapshot['deltas'][number];

export type Role = 'root' | 'timestamp';
const SCHEMAS = { root: Root, timestamp: Timestamp };

/** What was published is not what its publisher signed, or too old. The message says which, for every caller. */
export class PublishedCatalogError extends Error {
  override readonly name = 'PublishedCatalogError';
  /** `frozen`: signed, but expired. `refused`: all else. */
  readonly kind: 'refused' | 'frozen';

  constructor(kind: PublishedCatalogError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export function refusedError(message: string): PublishedCatalogError {
  return new PublishedCatalogError('refused', message);
}

/** The text of one role, signed with each of the keys. */
export function signMetadata<R extends Role>(
  role: R,
  content: z.input<(typeof SCHEMAS)[R]>,
  keys: readonly KeyObject[],
): string {
  const signed = `${magicOf(role)}${JSON.stringify(content)}\n`;
  return signed + keys.map((key) => `ed25519 ${sign(null, Buffer.from(signed), key).toString('base64')}\n`).join('');
}

/** Reads the text of one role, whoever signed it. Throws `PublishedCatalogError`. */
export function parseMetadata<R extends Role>(role: R, text: string): z.output<(typeof SCHEMAS)[R]> {
  const { content } = splitMetadata(role, text);
  const parsed = SCHEMAS[role].safeParse(parseJsonOrNull(content));
  if (!parsed.success) throw refusedError(`its ${role} cannot be read`);
  return parsed.data as z.output<(typeof SCHEMAS)[R]>;
}

/** Whether one of the signatures of the text is by this key. Throws `PublishedCatalogError` where the text is none of the role. */
export function isSignedBy(role: Role, text: string, publicKey: string): boolean {
  const { signed, signatures } = splitMetadata(role, text);
  const key = publicKeyFromText(publicKey);
  return signatures.some((signature) => verify(null, Buffer.from(signed), key, signature));
}

/** The 32 bytes of an Ed25519 public or private key's public half in base64: the form in which keys are configured and published. */
export function publicKeyText(key: KeyObject): string {
  const { x = '' } = (key.type === 'public' ? key : createPublicKey(key)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** The inverse of `publicKeyText`. */
export function publicKeyFromText(text: string): KeyObject {
  const x = Buffer.from(text, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Of which role a text is stands in its first line, which is signed: a text of one role cannot take the place of another. */
function magicOf(role: Role): string {
  return `sextant-catalog-${role} 1\n`;
}

function splitMetadata(role: Role, text: string): { signed: string; content: string; signatures: Buffer[] } {
  const [magic = '', content = '', ...lines] = text.split(/(?<=\n)/);
  const signatures = lines.map((line) => /^ed25519 ([A-Za-z0-9+/]{86}==)\n$/.exec(line)?.[1]);
  if (magic !== magicOf(role) || signatures.length > 2 || signatures.includes(undefined)) {
    throw refusedError(`its ${role} cannot be read`);
  }
  return { signed: magic + content, content, signatures: signatures.map((text64) => Buffer.from(text64!, 'base64')) };
}

function parseJsonOrNull(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return null;
  }
}
