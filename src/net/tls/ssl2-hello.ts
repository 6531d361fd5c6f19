import { randomBytes } from 'node:crypto';
import { SSL2_SUITES } from '../../analysis/tls/suite-names.ts';
import { ByteReader } from './byte-reader.ts';
import { encodeUint16s } from './byte-writer.ts';
import { RECORD_TYPES } from './records.ts';
import { refusedFlight, type ServerFlight, ssl2Flight } from './server-flight.ts';

const CLIENT_HELLO = 1;
const SERVER_HELLO = 4;
const SUITE_BYTES = 3;

/** CLIENT-HELLO of SSL 2 with all its suites (draft-hickman-netscape-ssl-00, 2.6); nothing is ever negotiated. */
export function encodeSsl2Hello(): Buffer {
  const suites = Object.keys(SSL2_SUITES).flatMap((code) => [
    Number(code) >> 16,
    (Number(code) >> 8) & 0xff,
    Number(code) & 0xff,
  ]);
  const challenge = randomBytes(16);
  const body = Buffer.concat([
    Buffer.of(CLIENT_HELLO),
    encodeUint16s([0x0002, suites.length, 0, challenge.length]),
    Buffer.from(suites),
    challenge,
  ]);
  return Buffer.concat([encodeUint16s([0x8000 | body.length]), body]);
}

/** The answer to it; null: more bytes are needed. Throws `RangeError` for bytes that are no answer. */
export function parseSsl2Hello(received: Buffer, isLast: boolean): ServerFlight | null {
  if (received.length < 3) return isLast ? refusedFlight(null) : null;
  // An alert of SSL 3 or TLS.
  if (received[0] === RECORD_TYPES.alert) return refusedFlight(received[6] ?? null);
  if ((received[0]! & 0x80) === 0 || received[2] !== SERVER_HELLO) {
    // An ERROR message of SSL 2.
    if (received[2] === 0) return refusedFlight(null);
    throw new RangeError('no SERVER-HELLO');
  }
  const length = received.readUInt16BE(0) & 0x7fff;
  if (received.length < 2 + length) return isLast ? refusedFlight(null) : null;
  const reader = new ByteReader(received.subarray(3, 2 + length));
  reader.bytes(2);
  if (reader.uint(2) !== 0x0002) throw new RangeError('not SSL 2');
  const [certificateLength, suitesLength] = [reader.uint(2), reader.uint(2)];
  reader.uint(2);
  const certificate = reader.bytes(certificateLength);
  const suites = reader.bytes(suitesLength);
  const codes: number[] = [];
  for (let at = 0; at + SUITE_BYTES <= suites.length; at += SUITE_BYTES) codes.push(suites.readUIntBE(at, SUITE_BYTES));
  return ssl2Flight(codes, certificateLength === 0 ? null : Uint8Array.from(certificate));
}
