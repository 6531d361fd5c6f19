import { createRecordDecryptor, type HandshakeSecret } from './record-decryptor.ts';
import { RECORD_TYPES, tlsRecords } from './records.ts';

/**
 * Node returns the certificate chain as OpenSSL has reordered and completed it. This file reads the certificates as the server sent
 * them from its Certificate message: plain text up to TLS 1.2, encrypted with the handshake keys in TLS 1.3.
 */

const CERTIFICATE = 11;

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
export function collectHandshakeMessages(received: Buffer, secret: HandshakeSecret | null): Buffer {
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
