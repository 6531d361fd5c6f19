import {
  createECDH,
  createHash,
  createHmac,
  diffieHellman,
  type ECDH,
  generateKeyPairSync,
  createPublicKey,
} from 'node:crypto';
import { suiteName } from '../../analysis/tls/suite-names.ts';
import { type HandshakeSecret, hkdfExpandLabel, READABLE_SUITES } from './record-decryptor.ts';

/** Our half of a key exchange. */
export interface KeyShare {
  group: number;
  publicKey: Uint8Array;
  /** The shared secret with the server's half. Throws for bytes that are no point. */
  agree: (serverShare: Buffer) => Buffer;
}

const CURVES: Readonly<Record<number, string>> = { 0x0017: 'prime256v1', 0x0018: 'secp384r1', 0x0019: 'secp521r1' };
const MONTGOMERY: Readonly<Record<number, 'x25519' | 'x448'>> = { 0x001d: 'x25519', 0x001e: 'x448' };

/** Groups for which `createKeyShare` has a share, the cheapest first. */
export const KEY_SHARE_GROUPS: readonly number[] = [0x001d, 0x0017, 0x0018, 0x0019, 0x001e];

/** Throws `RangeError` for a group that is not in `KEY_SHARE_GROUPS`. */
export function createKeyShare(group: number): KeyShare {
  const curve = CURVES[group];
  if (curve !== undefined) {
    const pair: ECDH = createECDH(curve);
    return { group, publicKey: pair.generateKeys(), agree: (share) => pair.computeSecret(share) };
  }
  const kind = MONTGOMERY[group];
  if (kind === undefined) throw new RangeError('no key share for this group');
  const { publicKey, privateKey } = generateKeyPairSync(kind as 'x25519');
  // The raw key ends the SubjectPublicKeyInfo (RFC 8410, 4).
  const header = publicKey.export({ type: 'spki', format: 'der' }).subarray(0, 12);
  return {
    group,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(12),
    agree: (share) =>
      diffieHellman({
        privateKey,
        publicKey: createPublicKey({ key: Buffer.concat([header, share]), type: 'spki', format: 'der' }),
      }),
  };
}

/**
 * The secret by which the server's handshake records are encrypted (RFC 8446, 7.1). `hellos`: ClientHello and ServerHello, without
 * record headers. Null for a suite whose records cannot be read.
 */
export function serverHandshakeSecret(suite: number, shared: Buffer, hellos: Buffer): HandshakeSecret | null {
  const name = suiteName(suite);
  const known = READABLE_SUITES[name];
  if (known === undefined) return null;
  const digest = (bytes: Buffer): Buffer => createHash(known.hash).update(bytes).digest();
  const extract = (salt: Buffer, key: Buffer): Buffer => createHmac(known.hash, salt).update(key).digest();
  const zeros = Buffer.alloc(digest(Buffer.alloc(0)).length);
  const derive = (secret: Buffer, label: string, bytes: Buffer): Buffer =>
    hkdfExpandLabel(known.hash, secret, label, zeros.length, digest(bytes));
  const early = extract(zeros, zeros);
  const handshake = extract(derive(early, 'derived', Buffer.alloc(0)), shared);
  return { suite: name, secret: derive(handshake, 's hs traffic', hellos) };
}
