import { authenticationOf, keyExchangeOf } from '../../analysis/tls/suite-properties.ts';
import { suiteName } from '../../analysis/tls/suite-names.ts';
import { ByteReader } from './byte-reader.ts';

/** What a ServerKeyExchange message says (RFC 5246, 7.4.3; RFC 8422, 5.4). */
export interface ServerKeyExchange {
  /** Named group of ECDHE. */
  group: number | null;
  /** Prime of DHE, big-endian. */
  dhPrime: Uint8Array | null;
  /** The server's public value of DHE: the same twice is a reused key. */
  dhPublic: Uint8Array | null;
  /** Bits of the temporary RSA key of export suites. */
  rsaBits: number | null;
  /** Signature scheme, from TLS 1.2 on; null: before, or nothing is signed. */
  signatureScheme: number | null;
}

const NAMED_CURVE = 3;
const TLS12 = 0x0303;

/** Null for exchanges that are not read (PSK, SRP) or of another form. */
export function parseServerKeyExchange(
  body: Buffer,
  { suite, version }: { suite: number; version: number },
): ServerKeyExchange | null {
  const name = suiteName(suite);
  const found: ServerKeyExchange = { group: null, dhPrime: null, dhPublic: null, rsaBits: null, signatureScheme: null };
  const reader = new ByteReader(body);
  try {
    switch (keyExchangeOf(name)) {
      case 'ECDHE':
        if (reader.uint(1) !== NAMED_CURVE) return found;
        found.group = reader.uint(2);
        reader.vector(1);
        break;
      case 'DHE':
        found.dhPrime = Uint8Array.from(reader.vector(2));
        reader.vector(2);
        found.dhPublic = Uint8Array.from(reader.vector(2));
        break;
      case 'RSA':
        found.rsaBits = reader.vector(2).length * 8;
        reader.vector(2);
        break;
      default:
        return null;
    }
    if (version >= TLS12 && authenticationOf(name) !== 'anonymous') found.signatureScheme = reader.uint(2);
    return found;
  } catch {
    return null;
  }
}
