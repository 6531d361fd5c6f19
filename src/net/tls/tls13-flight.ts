import { ByteReader } from './byte-reader.ts';
import { EXTENSIONS } from './client-hello.ts';
import { RECORD_TYPES, tlsRecords } from './records.ts';
import { collectHandshakeMessages } from './sent-certificates.ts';
import {
  handshakeMessages,
  HANDSHAKE_TYPES,
  parseAlpn,
  parseCertificateStatus,
  parseExtensionList,
  parseServerFlight,
  type ServerFlight,
} from './server-flight.ts';
import { type KeyShare, serverHandshakeSecret } from './tls13-key-share.ts';

/** Bytes of a record's header. */
const RECORD_HEADER = 5;

/**
 * A flight of TLS 1.3 with its encrypted part: protocol of ALPN, certificates, staple, SCTs and the scheme of the server's signature.
 * Null: more bytes are needed. What cannot be decrypted is left as the ServerHello alone says it. Throws `RangeError`.
 */
export function parseTls13Flight(
  clientHello: Buffer,
  received: Buffer,
  keyShare: KeyShare,
  isLast: boolean,
): ServerFlight | null {
  const flight = parseServerFlight(received, isLast);
  if (flight?.hello == null || flight.hello.isRetry || flight.hello.keyShare === null) return flight;
  const hellos = Buffer.concat([clientHello.subarray(RECORD_HEADER), serverHelloMessage(received)]);
  let messages: Buffer;
  try {
    const secret = serverHandshakeSecret(flight.hello.suite, keyShare.agree(flight.hello.keyShare), hellos);
    if (secret === null) return flight;
    // After the plain ServerHello.
    messages = collectHandshakeMessages(received, secret).subarray(serverHelloMessage(received).length);
  } catch {
    return flight;
  }
  const found = { ...flight };
  for (const { type, body } of handshakeMessages(messages)) {
    if (type === HANDSHAKE_TYPES.encryptedExtensions) {
      const alpn = parseAlpn(parseExtensionList(new ByteReader(body).vector(2)).get(EXTENSIONS.alpn));
      found.hello = { ...flight.hello, alpn };
    } else if (type === HANDSHAKE_TYPES.certificate) readCertificates(body, found);
    else if (type === HANDSHAKE_TYPES.certificateVerify) {
      const signatureScheme = new ByteReader(body).uint(2);
      found.keyExchange = { group: flight.hello.group, dhPrime: null, dhPublic: null, rsaBits: null, signatureScheme };
    } else if (type === HANDSHAKE_TYPES.finished) return found;
  }
  return isLast ? found : null;
}

/** RFC 8446, 4.4.2: the extensions of the first certificate are about the server. */
function readCertificates(body: Buffer, into: ServerFlight): void {
  const message = new ByteReader(body);
  message.vector(1);
  const certificates: Uint8Array[] = [];
  for (const list = new ByteReader(message.vector(3)); !list.isAtEnd; ) {
    certificates.push(Uint8Array.from(list.vector(3)));
    const extensions = parseExtensionList(list.vector(2));
    if (certificates.length > 1) continue;
    const staple = extensions.get(EXTENSIONS.statusRequest);
    const scts = extensions.get(EXTENSIONS.scts);
    if (staple !== undefined) into.ocspResponse = parseCertificateStatus(staple);
    if (scts !== undefined) into.scts = Uint8Array.from(scts);
  }
  into.certificates = certificates;
}

function serverHelloMessage(received: Buffer): Buffer {
  const plain: Buffer[] = [];
  for (const { type, payload } of tlsRecords(received)) {
    if (type === RECORD_TYPES.handshake) plain.push(payload);
    else if (type !== RECORD_TYPES.alert) break;
  }
  const bytes = Buffer.concat(plain);
  return bytes.subarray(0, 4 + bytes.readUIntBE(1, 3));
}
