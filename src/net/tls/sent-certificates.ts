import { createDecipheriv, createHmac } from 'node:crypto';
import { RECORD_TYPES, tlsRecords } from './records.ts';

/**
 * Node returns the certificate chain as OpenSSL has reordered and completed it. This file reads the certificates as the server sent
 * them from its Certificate message: plain text up to TLS 1.2, encrypted with the handshake keys in TLS 1.3.
 */

const CERTIFICATE = 11;
const TAG_BYTES = 16;

/** Secret of a TLS 1.3 handshake: `SERVER_HANDSHAKE_TRAFFIC_SECRET` of the key log, and the IANA name of the cipher suite. */
export interface HandshakeSecret {
  suite: string;
  secret: Buffer;
}

/**
 * The certificates (DER, in order) in the TLS records that a server sent. `secret` is null up to TLS 1.2. Null where they cannot be
 * read: an unknown format or cipher.
 */
export function sentCertificates(received: Buffer, secret: HandshakeSecret | null): Uint8Array[] | null {
  try {
    const messages = collectHandshakeMessages(received, secret);
    const list = findCertificateList(messages, secret !== null);
    return list === null ? null : splitCertificateList(list, secret !== null);
  } catch {
    return null;
  }
}

/** The server's handshake messages, concatenated, as far as they can be read. */
function collectHandshakeMessages(received: Buffer, secret: HandshakeSecret | null): Buffer {
  const decrypt = secret === null ? null : createRecordDecryptor(secret);
  const messages: Buffer[] = [];
  for (const { type, header, payload, isComplete } of tlsRecords(received)) {
    if (!isComplete || (type === RECORD_TYPES.changeCipherSpec && decrypt === null)) break;
    if (type === RECORD_TYPES.handshake) messages.push(payload);
    if (type !== RECORD_TYPES.applicationData || decrypt === null) continue;
    const decrypted = decrypt(header, payload);
    if (decrypted === null) break;
    messages.push(decrypted);
  }
  return Buffer.concat(messages);
}

/** The list in the Certificate message (RFC 5246, 7.4.2; RFC 8446, 4.4.2). */
function findCertificateList(messages: Buffer, isTls13: boolean): Buffer | null {
  for (let at = 0; at + 4 <= messages.length; ) {
    const end = at + 4 + messages.readUIntBE(at + 1, 3);
    if (messages[at] === CERTIFICATE) {
      const body = messages.subarray(at + 4, end);
      const list = isTls13 ? body.subarray(1 + body[0]!) : body;
      return list.subarray(3, 3 + list.readUIntBE(0, 3));
    }
    at = end;
  }
  return null;
}

function splitCertificateList(list: Buffer, isTls13: boolean): Uint8Array[] {
  const certificates: Uint8Array[] = [];
  for (let at = 0; at < list.length; ) {
    const end = at + 3 + list.readUIntBE(at, 3);
    if (end > list.length) throw new RangeError('a certificate longer than its list');
    certificates.push(Uint8Array.from(list.subarray(at + 3, end)));
    at = isTls13 ? end + 2 + list.readUInt16BE(end) : end;
  }
  return certificates;
}

const CIPHER_SUITES: Readonly<
  Record<string, { cipher: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305'; hash: string; key: number }>
> = {
  TLS_AES_128_GCM_SHA256: { cipher: 'aes-128-gcm', hash: 'sha256', key: 16 },
  TLS_AES_256_GCM_SHA384: { cipher: 'aes-256-gcm', hash: 'sha384', key: 32 },
  TLS_CHACHA20_POLY1305_SHA256: { cipher: 'chacha20-poly1305', hash: 'sha256', key: 32 },
};

/** Decrypts records in order (RFC 8446, 5.2 and 5.3); null: the record is not a handshake record under these keys. */
function createRecordDecryptor({ suite, secret }: HandshakeSecret): (header: Buffer, payload: Buffer) => Buffer | null {
  const known = CIPHER_SUITES[suite];
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

/** HKDF-Expand-Label with an empty context (RFC 8446, 7.1), for at most one block of the hash. */
function hkdfExpandLabel(hash: string, secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([length >> 8, length & 0xff, name.length]), name, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}
