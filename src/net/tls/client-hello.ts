import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { ProtocolVersion } from '../../analysis/tls/tls-facts.ts';
import { encodeUint16s, encodeVector } from './byte-writer.ts';
import { RECORD_TYPES } from './records.ts';

/** A ClientHello with arbitrary suites, groups and signatures (RFC 5246, 7.4.1.2; RFC 8446, 4.1.2): OpenSSL has no code for many of them. */
export interface ClientHelloOptions {
  /** Name in SNI; left out for an IP address. */
  serverName: string;
  /** The one version that is offered; before TLS 1.3 also lower ones, as the protocol has it. */
  version: Exclude<ProtocolVersion, 'SSLv2'>;
  /** Numbers of the IANA registries, the preferred first. */
  suites: readonly number[];
  groups: readonly number[];
  signatureSchemes: readonly number[];
  /** Protocols of ALPN (RFC 7301). */
  alpn?: readonly string[];
  /** Also DEFLATE (RFC 3749). */
  compression?: boolean;
  /** Asks for what a server has beside the handshake: staple, SCTs, tickets, heartbeat, extended master secret, encrypt-then-MAC. */
  features?: boolean;
  /** TLS 1.3: the share of a key exchange; without one the server names the group that it wants (HelloRetryRequest, RFC 8446, 4.1.4). */
  keyShare?: { group: number; publicKey: Uint8Array };
}

/** A hello to send: that of SSL 2, or a ClientHello; `keyShareGroup`: with our share in this group, so that TLS 1.3 can be read. */
export type HelloOffer =
  | { version: 'SSLv2' }
  | (Omit<ClientHelloOptions, 'serverName' | 'keyShare'> & { keyShareGroup?: number });

const CLIENT_HELLO = 1;
export const WIRE_VERSIONS: Readonly<Record<ClientHelloOptions['version'], number>> = {
  SSLv3: 0x0300,
  TLSv1: 0x0301,
  'TLSv1.1': 0x0302,
  'TLSv1.2': 0x0303,
  'TLSv1.3': 0x0304,
};
/** TLS_EMPTY_RENEGOTIATION_INFO_SCSV (RFC 5746, 3.3). */
const RENEGOTIATION_INFO_SCSV = 0x00ff;
/** Reserved values, which servers must pass over (RFC 8701). */
const GREASE = 0x4a4a;
/** Some servers drop a ClientHello of 256 to 511 bytes (RFC 7685, 1). */
const PADDED_BYTES = 512;

export const EXTENSIONS = {
  serverName: 0,
  statusRequest: 5,
  supportedGroups: 10,
  pointFormats: 11,
  signatureAlgorithms: 13,
  heartbeat: 15,
  alpn: 16,
  scts: 18,
  padding: 21,
  encryptThenMac: 22,
  extendedMasterSecret: 23,
  sessionTicket: 35,
  supportedVersions: 43,
  keyShare: 51,
  renegotiationInfo: 0xff01,
} as const;

/** One record with the ClientHello. */
export function encodeClientHello(options: ClientHelloOptions): Buffer {
  const { version, suites, compression = false } = options;
  const isTls13 = version === 'TLSv1.3';
  const wireVersion = Math.min(WIRE_VERSIONS[version], WIRE_VERSIONS['TLSv1.2']);
  const start = Buffer.concat([
    encodeUint16s([wireVersion]),
    randomBytes(32),
    // TLS 1.3 has a session id for the sake of old devices on the way (RFC 8446, D.4).
    encodeVector(1, isTls13 ? randomBytes(32) : Buffer.alloc(0)),
    encodeVector(2, encodeUint16s([...(isTls13 ? [GREASE] : []), ...suites, RENEGOTIATION_INFO_SCSV])),
    encodeVector(1, compression ? Buffer.of(1, 0) : Buffer.of(0)),
  ]);
  // SSL 3 has no extensions.
  const body =
    version === 'SSLv3'
      ? start
      : Buffer.concat([start, encodeVector(2, ...padded(encodeExtensions(options), start.length))]);
  return Buffer.concat([
    Buffer.of(RECORD_TYPES.handshake),
    encodeUint16s([Math.min(wireVersion, WIRE_VERSIONS.TLSv1)]),
    encodeVector(2, Buffer.of(CLIENT_HELLO), encodeVector(3, body)),
  ]);
}

function encodeExtensions({
  serverName,
  version,
  groups,
  signatureSchemes,
  alpn,
  features,
  keyShare,
}: ClientHelloOptions): Buffer[] {
  const isTls13 = version === 'TLSv1.3';
  const extensions: Buffer[] = [];
  const add = (type: number, ...data: Buffer[]): void =>
    void extensions.push(encodeExtension(type, Buffer.concat(data)));
  if (isTls13) add(GREASE);
  if (isIP(serverName) === 0)
    add(EXTENSIONS.serverName, encodeVector(2, Buffer.of(0), encodeVector(2, Buffer.from(serverName))));
  if (groups.length > 0)
    add(EXTENSIONS.supportedGroups, encodeVector(2, encodeUint16s([...(isTls13 ? [GREASE] : []), ...groups])));
  add(EXTENSIONS.pointFormats, encodeVector(1, Buffer.of(0)));
  if (WIRE_VERSIONS[version] >= WIRE_VERSIONS['TLSv1.2'])
    add(EXTENSIONS.signatureAlgorithms, encodeVector(2, encodeUint16s(signatureSchemes)));
  if (alpn !== undefined && alpn.length > 0)
    add(EXTENSIONS.alpn, encodeVector(2, ...alpn.map((name) => encodeVector(1, Buffer.from(name)))));
  if (features === true) {
    // OCSP (RFC 6066, 8) from any responder.
    add(EXTENSIONS.statusRequest, Buffer.of(1, 0, 0, 0, 0));
    add(EXTENSIONS.scts);
    if (!isTls13) {
      add(EXTENSIONS.heartbeat, Buffer.of(1));
      add(EXTENSIONS.encryptThenMac);
      add(EXTENSIONS.extendedMasterSecret);
      add(EXTENSIONS.sessionTicket);
    }
  }
  if (isTls13) {
    add(EXTENSIONS.supportedVersions, encodeVector(1, encodeUint16s([GREASE, WIRE_VERSIONS['TLSv1.3']])));
    const shares =
      keyShare === undefined ? [] : [encodeUint16s([keyShare.group]), encodeVector(2, Buffer.from(keyShare.publicKey))];
    add(EXTENSIONS.keyShare, encodeVector(2, ...shares));
  }
  return extensions;
}

function padded(extensions: Buffer[], startLength: number): Buffer[] {
  // Record header and handshake header are not counted (RFC 7685, 4): the type and length of the message are.
  const length = 4 + startLength + 2 + extensions.reduce((sum, one) => sum + one.length, 0);
  if (length < 256 || length >= PADDED_BYTES) return extensions;
  return [...extensions, encodeExtension(EXTENSIONS.padding, Buffer.alloc(Math.max(1, PADDED_BYTES - length - 4)))];
}

function encodeExtension(type: number, data: Buffer): Buffer {
  return Buffer.concat([encodeUint16s([type]), encodeVector(2, data)]);
}
