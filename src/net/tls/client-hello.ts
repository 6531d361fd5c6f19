import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';

/** A ClientHello of any cipher suites and the answer to it, for suites that OpenSSL has no code for (RFC 5246, 7.4.1). */

const ALERT = 21;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_HELLO = 2;
const RECORD_HEADER_BYTES = 5;
/** TLS_EMPTY_RENEGOTIATION_INFO_SCSV (RFC 5746, 3.3). */
const RENEGOTIATION_INFO_SCSV = 0x00ff;
/** x25519, secp256r1, secp384r1, secp521r1. */
const NAMED_GROUPS = [0x001d, 0x0017, 0x0018, 0x0019];
/** RSA-PSS, ECDSA, RSA PKCS #1 and DSA with SHA-512 to SHA-1, and Ed25519. */
const SIGNATURE_SCHEMES = [
  0x0806, 0x0805, 0x0804, 0x0807, 0x0603, 0x0503, 0x0403, 0x0203, 0x0601, 0x0501, 0x0401, 0x0201, 0x0402, 0x0202,
];

export interface ClientHelloOptions {
  /** Name in SNI; an address goes without. */
  serverName: string;
  /** Highest version offered, as on the wire: 0x0303 is TLS 1.2. */
  version: number;
  /** Numbers of the IANA registry. */
  suites: readonly number[];
}

/** One record with the ClientHello. */
export function encodeClientHello({ serverName, version, suites }: ClientHelloOptions): Buffer {
  const extensions = [
    ...(isIP(serverName) === 0
      ? [encodeExtension(0, encodeVector(2, Buffer.of(0), encodeVector(2, Buffer.from(serverName))))]
      : []),
    encodeExtension(10, encodeVector(2, encodeUint16s(NAMED_GROUPS))),
    encodeExtension(11, encodeVector(1, Buffer.of(0))),
    ...(version >= 0x0303 ? [encodeExtension(13, encodeVector(2, encodeUint16s(SIGNATURE_SCHEMES)))] : []),
  ];
  const body = Buffer.concat([
    encodeUint16s([version]),
    randomBytes(32),
    encodeVector(1),
    encodeVector(2, encodeUint16s([...suites, RENEGOTIATION_INFO_SCSV])),
    encodeVector(1, Buffer.of(0)),
    encodeVector(2, ...extensions),
  ]);
  return Buffer.concat([
    Buffer.of(HANDSHAKE),
    encodeUint16s([0x0301]),
    encodeVector(2, Buffer.of(CLIENT_HELLO), encodeVector(3, body)),
  ]);
}

/**
 * The suite that the server chose, by what it sent so far; `refused`: it answered with an alert; null: not enough has come.
 * Throws `RangeError` for what is no answer to a ClientHello.
 */
export function parseChosenSuite(received: Buffer): number | 'refused' | null {
  const messages: Buffer[] = [];
  for (let at = 0; at + RECORD_HEADER_BYTES <= received.length; ) {
    const type = received[at];
    if (received[at + 1] !== 3 || (type !== ALERT && type !== HANDSHAKE)) throw new RangeError('no TLS record');
    const end = at + RECORD_HEADER_BYTES + received.readUInt16BE(at + 3);
    const payload = received.subarray(at + RECORD_HEADER_BYTES, end);
    // A warning (level 1: the server name is not known, say) ends nothing.
    if (type === ALERT && payload[0] === 2) return 'refused';
    if (type === HANDSHAKE) messages.push(payload);
    if (end > received.length) break;
    at = end;
  }
  return parseServerHelloSuite(Buffer.concat(messages));
}

/** Type and length, version, random, session id, suite (RFC 5246, 7.4.1.3). */
function parseServerHelloSuite(message: Buffer): number | null {
  if (message.length > 0 && message[0] !== SERVER_HELLO) throw new RangeError('no ServerHello');
  const session = 4 + 2 + 32;
  const suite = session + 1 + (message[session] ?? 0);
  return message.length <= session || suite + 2 > message.length ? null : message.readUInt16BE(suite);
}

function encodeExtension(type: number, data: Buffer): Buffer {
  return Buffer.concat([encodeUint16s([type]), encodeVector(2, data)]);
}

/** With its length before it, in so many bytes. */
function encodeVector(lengthBytes: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(content.length, 0, lengthBytes);
  return Buffer.concat([length, content]);
}

function encodeUint16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2));
  return bytes;
}
