import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { FeedState } from './generation.ts';

/**
 * The header of a bundle: four lines of text before the zstd-compressed database.
 *
 *     sextant-catalog 1
 *     {"schema_version":1, ...}           the manifest, JSON
 *     ed25519 <base64>                    over the two lines above with their line ends (RFC 8032); or `unsigned`
 *     sha256 <hex>                        over the three lines above with their line ends
 */

const MAGIC = 'sextant-catalog 1\n';
const MAX_HEADER_BYTES = 4 * 1024 * 1024;
const HEADER_LINES = 4;
const UNSIGNED = 'unsigned';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const BundleManifest = z.object({
  schema_version: z.number().int(),
  created_at: z.iso.datetime(),
  sources: z.record(z.string(), FeedState),
  database_bytes: z.number().int().positive(),
  database_sha256: Sha256,
  /** SHA-256 of all bytes after the header. */
  payload_sha256: Sha256,
});
export type BundleManifest = z.infer<typeof BundleManifest>;

/** A file that is not a bundle, is damaged, not trusted, or made by another version. The message says which. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/** The header as bytes. Its length does not depend on the values of hashes and signature, only on whether it is signed. */
export function encodeBundleHeader(manifest: BundleManifest, privateKey: KeyObject | null): Buffer {
  const signed = `${MAGIC}${JSON.stringify(manifest)}\n`;
  const signature =
    privateKey === null ? UNSIGNED : `ed25519 ${sign(null, Buffer.from(signed), privateKey).toString('base64')}`;
  const checked = `${signed}${signature}\n`;
  return Buffer.from(`${checked}sha256 ${sha256Hex(checked)}\n`);
}

/**
 * Reads and checks the header: its own checksum, the manifest's shape and, where a public key is given, the signature.
 * Throws `BundleError`.
 */
export async function readBundleHeader(
  file: FileHandle,
  publicKey: KeyObject | null,
): Promise<{ manifest: BundleManifest; length: number }> {
  const header = await readHeaderBytes(file);
  const [magic = '', manifest = '', signature = '', checksum = ''] = header.toString('utf8').split(/(?<=\n)/);
  if (checksum !== `sha256 ${sha256Hex(magic + manifest + signature)}\n`)
    throw damagedBundleError('its header was altered');
  const parsed = BundleManifest.safeParse(parseJsonOrNull(manifest));
  if (!parsed.success) throw damagedBundleError('its manifest cannot be read');
  if (publicKey !== null) verifySignature(magic + manifest, signature.trim(), publicKey);
  return { manifest: parsed.data, length: header.length };
}

/** `how` says what is damaged. */
export function damagedBundleError(how: string): BundleError {
  return new BundleError(`the bundle is damaged: ${how}`);
}

function verifySignature(signed: string, line: string, publicKey: KeyObject): void {
  if (line === UNSIGNED) throw new BundleError('the bundle is not signed');
  const signature = /^ed25519 ([A-Za-z0-9+/]{86}==)$/.exec(line)?.[1];
  if (signature === undefined) throw damagedBundleError('its signature cannot be read');
  if (!verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64'))) {
    throw new BundleError('the bundle is not signed with this key');
  }
}

/** All bytes of the four lines, with their line ends. */
async function readHeaderBytes(file: FileHandle): Promise<Buffer> {
  let header = Buffer.alloc(0);
  const chunk = Buffer.alloc(64 * 1024);
  while (header.length < MAX_HEADER_BYTES) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, header.length);
    header = Buffer.concat([header, chunk.subarray(0, bytesRead)]);
    if (!header.subarray(0, MAGIC.length).equals(Buffer.from(MAGIC).subarray(0, header.length))) {
      throw new BundleError('this is not a Sextant catalog bundle of a version known here');
    }
    const end = offsetAfterLines(header, HEADER_LINES);
    if (end !== null) return header.subarray(0, end);
    if (bytesRead === 0) break;
  }
  throw damagedBundleError('its header ends early');
}

function offsetAfterLines(bytes: Buffer, count: number): number | null {
  let at = 0;
  for (let line = 0; line < count; line++) {
    at = bytes.indexOf('\n', at) + 1;
    if (at === 0) return null;
  }
  return at;
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
