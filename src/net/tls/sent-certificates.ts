import { createDecipheriv, createHmac } from 'node:crypto';

/**
 * Node tells the chain as OpenSSL has ordered it, without what leads nowhere, and completed from the trusted certificates. What the
 * server really sent stands in its Certificate message: in clear up to TLS 1.2, under the handshake keys in TLS 1.3.
 */

const HANDSHAKE = 22;
const CHANGE_CIPHER_SPEC = 20;
const APPLICATION_DATA = 23;
const CERTIFICATE = 11;
const RECORD_HEADER_BYTES = 5;
const TAG_BYTES = 16;

/** What a TLS 1.3 server protects its handshake with: `SERVER_HANDSHAKE_TRAFFIC_SECRET` of a key log, and the suite's IANA name. */
export interface HandshakeSecret {
  suite: string;
  secret: Buffer;
}

/**
 * The certificates (DER, in order) in what a server sent (TLS records). `secret` is null up to TLS 1.2. Null where they
 * cannot be read: a form or a cipher that is not known here.
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

/** The server's handshake messages one after the other, as far as they can be read. */
function collectHandshakeMessages(received: Buffer, secret: HandshakeSecret | null): Buffer {
  const open = secret === null ? null : createRecordDecryptor(secret);
  const parts: Buffer[] = [];
  for (let at = 0; at + RECORD_HEADER_BYTES <= received.length; ) {
    const header = received.subarray(at, at + RECORD_HEADER_BYTES);
    const type = header[0];
    const end = at + RECORD_HEADER_BYTES + header.readUInt16BE(3);
    if (end > received.length) break;
    const payload = received.subarray(at + RECORD_HEADER_BYTES, end);
    at = end;
    if (type === HANDSHAKE) parts.push(payload);
    else if (type === APPLICATION_DATA && open !== null) {
      const inner = open(header, payload);
      if (inner === null) break;
      parts.push(inner);
    } else if (type === CHANGE_CIPHER_SPEC && open === null) break;
  }
  return Buffer.concat(parts);
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

/** Opens protected records in order (RFC 8446, 5.2 and 5.3); null for the first that is not a handshake record under these keys. */
function createRecordDecryptor({ suite, secret }: HandshakeSecret): (header: Buffer, payload: Buffer) => Buffer | null {
  const known = CIPHER_SUITES[suite];
  if (known === undefined) throw new RangeError('a cipher suite that is not known');
  const key = hkdfExpandLabel(known.hash, secret, 'key', known.key);
  const iv = hkdfExpandLabel(known.hash, secret, 'iv', 12);
  let sequence = 0n;
  return (header, payload) => {
    const nonce = Buffer.from(iv);
    nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) ^ sequence++, 4);
    // chacha20-poly1305 wants the length of its tag, GCM takes the usual one.
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
    return inner[end - 1] === HANDSHAKE ? inner.subarray(0, end - 1) : null;
  };
}

/** HKDF-Expand-Label with an empty context (RFC 8446, 7.1), for at most one block of the hash. */
function hkdfExpandLabel(hash: string, secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([length >> 8, length & 0xff, name.length]), name, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}
