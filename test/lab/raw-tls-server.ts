/**
 * A server that answers a ClientHello with a flight of its own making and goes no further: for suites, versions and extensions that
 * no library has any more. It negotiates as RFC 5246 says: the highest common version, then a suite.
 */

import { getDiffieHellman, randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';

export interface RawTlsPlan {
  /** Suites by version on the wire (0x0300 is SSL 3), the preferred first. */
  suites: Readonly<Record<number, readonly number[]>>;
  /** Chooses by its own order; default: by the client's. */
  ownOrder?: boolean;
  /** DER; none is sent with anonymous suites. */
  certificates?: readonly Buffer[];
  /** Suites that are anonymous, use DHE, ECDHE, or a temporary RSA key: the others send no ServerKeyExchange. */
  exchanges?: Readonly<Record<number, 'anonymous DHE' | 'DHE' | 'ECDHE' | 'export RSA'>>;
  dhPrime?: Buffer;
  /** The same public value each time. */
  reusesDh?: boolean;
  groups?: readonly number[];
  compresses?: boolean;
  /** Extensions that it answers where the client offered them, with their data in hex: `ff01: '00'` is secure renegotiation. */
  extensions?: Readonly<Record<number, string>>;
  fallbackScsv?: boolean;
  /** Suites of SSL 2, three bytes each; default: SSL 2 is refused. */
  ssl2?: readonly number[];
  /** Ends a connection that would be refused without an alert. */
  closes?: boolean;
  /** From this connection on it says nothing, or closes at once. */
  tires?: { after: number; by: 'silence' | 'closing' };
}

interface Hello {
  version: number;
  suites: number[];
  compressions: number[];
  extensions: Map<number, Buffer>;
}

const IDLE_MS = 1000;
const ALERT = { handshakeFailure: 40, protocolVersion: 70, inappropriateFallback: 86 };

export function createRawTlsServer(plan: RawTlsPlan): Server {
  let connections = 0;
  const dhPublic = randomBytes(128);
  return createServer((socket: Socket) => {
    socket.on('error', () => {});
    // As any server does, it gives up on a client that says nothing more.
    if (plan.tires?.by !== 'silence') socket.setTimeout(IDLE_MS, () => socket.destroy());
    const isTired = plan.tires !== undefined && ++connections > plan.tires.after;
    if (isTired && plan.tires!.by === 'closing') return socket.destroy();
    let received = Buffer.alloc(0);
    let answered = false;
    socket.on('data', (chunk: Buffer) => {
      // A client that goes on: there is no more.
      if (answered) return void socket.destroy();
      received = Buffer.concat([received, chunk]);
      if (isTired || received.length < 5) return;
      const isSsl2 = (received[0]! & 0x80) !== 0;
      const length = isSsl2 ? 2 + (received.readUInt16BE(0) & 0x7fff) : 5 + received.readUInt16BE(3);
      if (received.length < length) return;
      answered = true;
      const answer = isSsl2 ? ssl2Answer(plan) : flight(plan, parseHello(received.subarray(5, length)), dhPublic);
      if (answer === null) return void socket.destroy();
      // A message of alert type ends the connection.
      if (answer[0] === 21) socket.end(answer);
      else socket.write(answer);
    });
  });
}

function flight(plan: RawTlsPlan, hello: Hello, dhPublic: Buffer): Buffer | null {
  const refuse = (alert: number): Buffer | null => (plan.closes === true ? null : Buffer.of(21, 3, 1, 0, 2, 2, alert));
  const versions = Object.keys(plan.suites).map(Number);
  const version = Math.max(...versions.filter((one) => one <= hello.version));
  if (!Number.isFinite(version)) return refuse(ALERT.protocolVersion);
  if (plan.fallbackScsv === true && hello.suites.includes(0x5600) && Math.max(...versions) > hello.version)
    return refuse(ALERT.inappropriateFallback);
  const own = plan.suites[version]!;
  const suite =
    plan.ownOrder === true
      ? own.find((code) => hello.suites.includes(code))
      : hello.suites.find((code) => own.includes(code));
  if (suite === undefined) return refuse(ALERT.handshakeFailure);
  const exchange = plan.exchanges?.[suite];
  const messages = [serverHello(plan, hello, version, suite)];
  if (exchange !== 'anonymous DHE')
    messages.push(message(11, vector(3, ...(plan.certificates ?? []).map((der) => vector(3, der)))));
  if (exchange !== undefined) {
    const params = keyExchange(plan, hello, exchange, dhPublic);
    if (params === null) return refuse(ALERT.handshakeFailure);
    const signature = [...(version >= 0x0303 ? [uint16(0x0401)] : []), vector(2, randomBytes(256))];
    messages.push(message(12, Buffer.concat([params, ...(exchange === 'anonymous DHE' ? [] : signature)])));
  }
  messages.push(message(14, Buffer.alloc(0)));
  return Buffer.concat([Buffer.of(22), uint16(version), vector(2, ...messages)]);
}

function serverHello(plan: RawTlsPlan, hello: Hello, version: number, suite: number): Buffer {
  const asked = new Set([...hello.extensions.keys(), ...(hello.suites.includes(0x00ff) ? [0xff01] : [])]);
  const extensions = Object.entries(plan.extensions ?? {})
    .filter(([type]) => asked.has(Number(type)))
    .map(([type, data]) => Buffer.concat([uint16(Number(type)), vector(2, Buffer.from(data, 'hex'))]));
  const compression = plan.compresses === true && hello.compressions.includes(1) ? 1 : 0;
  const body = [uint16(version), randomBytes(32), vector(1, randomBytes(32)), uint16(suite), Buffer.of(compression)];
  return message(2, Buffer.concat([...body, ...(extensions.length > 0 ? [vector(2, ...extensions)] : [])]));
}

function keyExchange(plan: RawTlsPlan, hello: Hello, exchange: string, dhPublic: Buffer): Buffer | null {
  if (exchange === 'export RSA')
    return Buffer.concat([vector(2, Buffer.concat([Buffer.of(0xc1), randomBytes(63)])), vector(2, Buffer.of(1, 0, 1))]);
  if (exchange === 'ECDHE') {
    const offered = hello.extensions.get(10);
    const groups = offered === undefined ? [0x0017] : uint16s(offered.subarray(2));
    const group = groups.find((one) => (plan.groups ?? [0x0017]).includes(one));
    return group === undefined ? null : Buffer.concat([Buffer.of(3), uint16(group), vector(1, randomBytes(65))]);
  }
  const prime = plan.dhPrime ?? getDiffieHellman('modp14').getPrime();
  return Buffer.concat([
    vector(2, prime),
    vector(2, Buffer.of(2)),
    vector(2, plan.reusesDh === true ? dhPublic : randomBytes(prime.length)),
  ]);
}

/** draft-hickman-netscape-ssl-00, 2.6; without suites the connection is closed. */
function ssl2Answer({ ssl2, certificates = [] }: RawTlsPlan): Buffer | null {
  if (ssl2 === undefined) return null;
  const certificate = certificates[0] ?? Buffer.alloc(0);
  const suites = Buffer.from(ssl2.flatMap((code) => [code >> 16, (code >> 8) & 0xff, code & 0xff]));
  const lengths = [uint16(certificate.length), uint16(suites.length), uint16(16)];
  const body = Buffer.concat([Buffer.of(4, 0, 1), uint16(2), ...lengths, certificate, suites, randomBytes(16)]);
  return Buffer.concat([uint16(0x8000 | body.length), body]);
}

function parseHello(message: Buffer): Hello {
  let at = 4 + 2 + 32;
  at += 1 + message[at]!;
  const suiteBytes = message.readUInt16BE(at);
  const suites = uint16s(message.subarray(at + 2, at + 2 + suiteBytes));
  at += 2 + suiteBytes;
  const compressions = [...message.subarray(at + 1, at + 1 + message[at]!)];
  at += 1 + message[at]!;
  const extensions = new Map<number, Buffer>();
  for (at += 2; at + 4 <= message.length; ) {
    const length = message.readUInt16BE(at + 2);
    extensions.set(message.readUInt16BE(at), message.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { version: message.readUInt16BE(4), suites, compressions, extensions };
}

function message(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.of(type), vector(3, body)]);
}

function vector(lengthBytes: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(content.length, 0, lengthBytes);
  return Buffer.concat([length, content]);
}

function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function uint16s(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16BE(index * 2));
}
