import { ByteReader } from './byte-reader.ts';
import { EXTENSIONS } from './client-hello.ts';
import { RECORD_TYPES, tlsRecords } from './records.ts';
import { parseServerKeyExchange, type ServerKeyExchange } from './server-key-exchange.ts';

/** What a server sends in answer to a ClientHello, up to ServerHelloDone or, in TLS 1.3, what can be read of it. */
export interface ServerFlight {
  /** `refused`: a fatal alert, or the connection was closed without a word. */
  outcome: 'hello' | 'refused';
  /** Description of the fatal alert (RFC 8446, 6); null: none was sent, so that a refusal was a closed connection. */
  alert: number | null;
  hello: ServerHello | null;
  /** DER, as sent. */
  certificates: readonly Uint8Array[];
  keyExchange: ServerKeyExchange | null;
  /** DER of the stapled OCSP response. */
  ocspResponse: Uint8Array | null;
  /** SCTs of the handshake (RFC 6962, 3.3), as they are in the extension. */
  scts: Uint8Array | null;
  /** SSL 2: what the server takes. */
  ssl2Suites: readonly number[];
}

export interface ServerHello {
  /** As on the wire: 0x0303 is TLS 1.2. */
  version: number;
  /** HelloRetryRequest: the server wants `group`. */
  isRetry: boolean;
  suite: number;
  compression: number;
  sessionId: Buffer;
  /** Chosen group of TLS 1.3; null: none is named. */
  group: number | null;
  /** The server's share in that group. */
  keyShare: Buffer | null;
  alpn: string | null;
  extensions: ReadonlyMap<number, Buffer>;
}

export const HANDSHAKE_TYPES = {
  serverHello: 2,
  encryptedExtensions: 8,
  certificate: 11,
  serverKeyExchange: 12,
  serverHelloDone: 14,
  certificateVerify: 15,
  finished: 20,
  certificateStatus: 22,
} as const;

const EMPTY: ServerFlight = {
  outcome: 'refused',
  alert: null,
  hello: null,
  certificates: [],
  keyExchange: null,
  ocspResponse: null,
  scts: null,
  ssl2Suites: [],
};

/** The random of a HelloRetryRequest: SHA-256 of that word (RFC 8446, 4.1.3). */
const RETRY_RANDOM = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
const FATAL = 2;

/** A refusal by an alert, or by closing (null). */
export function refusedFlight(alert: number | null): ServerFlight {
  return { ...EMPTY, alert };
}

export function ssl2Flight(suites: readonly number[], certificate: Uint8Array | null): ServerFlight {
  return { ...EMPTY, outcome: 'hello', ssl2Suites: suites, certificates: certificate === null ? [] : [certificate] };
}

/**
 * The flight in plain text of the bytes received; null: more are needed. `isLast`: no more will come, so that what is there has to do.
 * Throws `RangeError` for bytes that are not an answer to a ClientHello.
 */
export function parseServerFlight(received: Buffer, isLast: boolean): ServerFlight | null {
  const messages: Buffer[] = [];
  let alert: number | null = null;
  for (const { type, payload, isComplete } of tlsRecords(received)) {
    if (type === RECORD_TYPES.alert && isComplete) {
      // A warning (the server name is unknown, for example) does not end the handshake.
      if (payload[0] === FATAL) alert = payload[1] ?? 0;
    } else if (type === RECORD_TYPES.handshake) messages.push(payload);
    else if (type !== RECORD_TYPES.alert && messages.length === 0)
      throw new RangeError('not an answer to a ClientHello');
    if (alert !== null) break;
  }
  const flight = readMessages(Buffer.concat(messages));
  if (flight.hello === null) {
    if (alert !== null) return refusedFlight(alert);
    return isLast ? refusedFlight(null) : null;
  }
  const ended = flight.isDone || flight.hello.version >= 0x0304 || alert !== null || isLast;
  return ended ? { ...flight.parts, outcome: 'hello' } : null;
}

function readMessages(bytes: Buffer): { parts: ServerFlight; hello: ServerHello | null; isDone: boolean } {
  const parts: ServerFlight = { ...EMPTY };
  for (const { type, body } of handshakeMessages(bytes)) {
    if (parts.hello === null) {
      if (type !== HANDSHAKE_TYPES.serverHello) throw new RangeError('no ServerHello');
      parts.hello = parseServerHello(body);
      const scts = parts.hello.extensions.get(EXTENSIONS.scts);
      if (scts !== undefined) parts.scts = Uint8Array.from(scts);
    } else if (type === HANDSHAKE_TYPES.certificate) {
      parts.certificates = parseCertificates(body);
    } else if (type === HANDSHAKE_TYPES.certificateStatus) {
      parts.ocspResponse = parseCertificateStatus(body);
    } else if (type === HANDSHAKE_TYPES.serverKeyExchange) {
      parts.keyExchange = parseServerKeyExchange(body, parts.hello);
    } else if (type === HANDSHAKE_TYPES.serverHelloDone) {
      return { parts, hello: parts.hello, isDone: true };
    }
  }
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE_TYPES.serverHello) throw new RangeError('no ServerHello');
  return { parts, hello: parts.hello, isDone: false };
}

/** The complete handshake messages, one after another; the last bytes may be an incomplete one. */
export function* handshakeMessages(bytes: Buffer): Generator<{ type: number; body: Buffer; end: number }> {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUIntBE(at + 1, 3);
    if (end > bytes.length) return;
    yield { type: bytes[at]!, body: bytes.subarray(at + 4, end), end };
    at = end;
  }
}

/** RFC 5246, 7.4.1.3; RFC 8446, 4.1.3. Throws `RangeError`. */
function parseServerHello(body: Buffer): ServerHello {
  const reader = new ByteReader(body);
  const legacyVersion = reader.uint(2);
  const isRetry = reader.bytes(32).equals(RETRY_RANDOM);
  const sessionId = reader.vector(1);
  const suite = reader.uint(2);
  const compression = reader.uint(1);
  const extensions = reader.isAtEnd ? new Map<number, Buffer>() : parseExtensionList(reader.vector(2));
  const share = extensions.get(EXTENSIONS.keyShare);
  const supported = extensions.get(EXTENSIONS.supportedVersions);
  return {
    version: supported?.length === 2 ? supported.readUInt16BE(0) : legacyVersion,
    isRetry,
    suite,
    compression,
    sessionId,
    group: share !== undefined && share.length >= 2 ? share.readUInt16BE(0) : null,
    keyShare: share !== undefined && share.length > 4 ? share.subarray(4) : null,
    alpn: parseAlpn(extensions.get(EXTENSIONS.alpn)),
    extensions,
  };
}

export function parseExtensionList(list: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (const reader = new ByteReader(list); !reader.isAtEnd; ) found.set(reader.uint(2), reader.vector(2));
  return found;
}

/** The one protocol that the server chose; null: none. */
export function parseAlpn(data: Buffer | undefined): string | null {
  if (data === undefined) return null;
  return new ByteReader(new ByteReader(data).vector(2)).vector(1).toString('latin1');
}

/** RFC 5246, 7.4.2. */
function parseCertificates(body: Buffer): Uint8Array[] {
  const certificates: Uint8Array[] = [];
  for (const reader = new ByteReader(new ByteReader(body).vector(3)); !reader.isAtEnd; )
    certificates.push(Uint8Array.from(reader.vector(3)));
  return certificates;
}

/** RFC 6066, 8: type 1 is OCSP. */
export function parseCertificateStatus(body: Buffer): Uint8Array | null {
  const reader = new ByteReader(body);
  return reader.uint(1) === 1 ? Uint8Array.from(reader.vector(3)) : null;
}
