import { createDecipheriv, createHmac } from 'node:crypto';
import { RECORD_TYPES } from './records.ts';

const TAG_BYTES = 16;

/** Secret of a TLS 1.3 handshake: `SERVER_HANDSHAKE_TRAFFIC_SECRET` of the key log, and the IANA name of the cipher suite. */
export interface HandshakeSecret {
  suite: string;
  secret: Buffer;
}

/** Suites of TLS 1.3 whose records can be read. */
export const READABLE_SUITES: Readonly<
  Record<string, { cipher: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305'; hash: string; key: number }>
> = {
  TLS_AES_128_GCM_SHA256: { cipher: 'aes-128-gcm', hash: 'sha256', key: 16 },
  TLS_AES_256_GCM_SHA384: { cipher: 'aes-256-gcm', hash: 'sha384', key: 32 },
  TLS_CHACHA20_POLY1305_SHA256: { cipher: 'chacha20-poly1305', hash: 'sha256', key: 32 },
};

/** Decrypts records in order (RFC 8446, 5.2 and 5.3); null: the record is not a handshake record under these keys. */
export function createRecordDecryptor({
  suite,
  secret,
}: HandshakeSecret): (header: Buffer, payload: Buffer) => Buffer | null {
  const known = READABLE_SUITES[suite];
  if (known === undefined) throw new RangeError('unknown cipher suite');
  const key = hkdfExpandLabel(known.hash, secret, 'key', known.key);
  const iv = hkdfExpandLabel(known.hash, secret, 'iv', 12);
  let sequence = 0n;
  return (header, payload) => {
    const nonce = Buffer.from(iv);
    nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) ^ sequence++, 4);
    // Node requires the tag length for chacha20-poly1305.
    const decipher = createDecipheriv(known.cipher as 'aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(header);
    decipher.setAuthTag(payload.subarray(-TAG_BYTES));
    let inner: Buffer;
    try {
      inner = Buffer.concat([decipher.update(payload.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch {
      return null;
    }
    let end = inner.length;
    while (end > 0 && inner[end - 1] === 0) end--;
    return inner[end - 1] === RECORD_TYPES.handshake ? inner.subarray(0, end - 1) : null;
  };
}

/** HKDF-Expand-Label (RFC 8446, 7.1), for at most one block of the hash. */
export function hkdfExpandLabel(
  hash: string,
  secret: Buffer,
  label: string,
  length: number,
  context: Buffer = Buffer.alloc(0),
): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = [
    Buffer.of(length >> 8, length & 0xff, name.length),
    name,
    Buffer.of(context.length),
    context,
    Buffer.of(1),
  ];
  return createHmac(hash, secret).update(Buffer.concat(info)).digest().subarray(0, length);
}
