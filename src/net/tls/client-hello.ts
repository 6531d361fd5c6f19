import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { RECORD_TYPES, tlsRecords } from './records.ts';

/** A ClientHello with arbitrary cipher suites, and its answer: for suites that OpenSSL does not implement (RFC 5246, 7.4.1). */

const CLIENT_HELLO = 1;
const SERVER_HELLO = 2;
/** TLS_EMPTY_RENEGOTIATION_INFO_SCSV (RFC 5746, 3.3). */
const RENEGOTIATION_INFO_SCSV = 0x00ff;
/** x25519, secp256r1, secp384r1, secp521r1. */
const NAMED_GROUPS = [0x001d, 0x0017, 0x0018, 0x0019];
/** RSA-PSS, ECDSA, RSA PKCS #1 and DSA with SHA-512 to SHA-1, and Ed25519. */
const SIGNATURE_SCHEMES = [
  0x0806, 0x0805, 0x0804, 0x0807, 0x0603, 0x0503, 0x0403, 0x0203, 0x0601, 0x0501, 0x0401, 0x0201, 0x0402, 0x0202,
];

export interface ClientHelloOptions {
  /** Name in SNI; left out for an IP address. */
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
    Buffer.of(RECORD_TYPES.handshake),
    encodeUint16s([0x0301]),
    encodeVector(2, Buffer.of(CLIENT_HELLO), encodeVector(3, body)),
  ]);
}

/**
 * The suite that the server chose; `refused`: it answered with an alert; null: more bytes are needed.
 * Throws `RangeError` for bytes that are not an answer to a ClientHello.
 */
export function parseChosenSuite(received: Buffer): number | 'refused' | null {
  const messages: Buffer[] = [];
  for (const { type, payload } of tlsRecords(received)) {
    // A warning alert (level 1: the server name is unknown, for example) does not end the handshake.
    if (type === RECORD_TYPES.alert && payload[0] === 2) return 'refused';
    if (type === RECORD_TYPES.handshake) messages.push(payload);
    else if (type !== RECORD_TYPES.alert) throw new RangeError('not an answer to a ClientHello');
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

/** The parts after their total length, which takes `lengthBytes` bytes. */
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
