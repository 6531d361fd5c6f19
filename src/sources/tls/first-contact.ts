import { suiteName } from '../../analysis/tls/suite-names.ts';
import { suiteKeyBits } from '../../analysis/tls/suite-properties.ts';
import { findNamedGroup } from '../../analysis/tls/named-groups.ts';
import { describeDhPrime } from '../../analysis/tls/dh-primes.ts';
import type { TlsFacts } from '../../analysis/tls/tls-facts.ts';
import { NetError } from '../../net/net-error.ts';
import type { HandshakeResult } from '../../net/tls/handshake-types.ts';
import type { SourceContext } from '../source.ts';
import { NOT_ASKED } from './certificate-chain.ts';
import { groupCandidates, schemeCandidates, suiteCandidates } from './enumeration/candidates.ts';
import type { Enumeration } from './enumeration/enumerate.ts';
import type { KnownSession } from './enumeration/resumption.ts';
import type { TlsQuestion } from './tls-question.ts';

export const HANDSHAKE_TIMEOUT_MS = 5000;
const HELLO_TIMEOUT_MS = 2000;
/** Also ciphers without encryption or authentication, for servers that accept nothing else. */
const ALL_CIPHERS = 'ALL:COMPLEMENTOFALL:@SECLEVEL=0';

/** What the server and a client that takes everything agree on. */
export interface FirstContact {
  /** Null: nothing yet, OpenSSL found nothing in common with the server. */
  negotiated: TlsFacts['negotiated'] | null;
  certificates: readonly Uint8Array[] | null;
  keyExchange: TlsFacts['keyExchange'];
  authorizationError: string | null;
  ocspResponse: Uint8Array | null;
  /** Vetted address of the server; null: not known. */
  address: string | null;
  /** Of the handshake, for resumption; null: there was none, or no session was wanted. */
  session: KnownSession | null;
  connections: number;
  latencyMs: number;
  /** Why there was no handshake. */
  error: unknown;
}

/** Where suites are looked for, a refusal is a contact without a handshake, not an error. Throws `NetError`. */
export async function firstHandshake(
  { host, port, detail }: TlsQuestion,
  context: SourceContext,
): Promise<FirstContact> {
  const { net, signal } = context;
  const options = { port, timeoutMs: HANDSHAKE_TIMEOUT_MS, signal, wantsSession: detail === 'all' };
  try {
    return contactOf(await net.tlsHandshake(host, options), 1);
  } catch (error) {
    if (detail !== 'certificate' && isTimeout(error) && (await answersHello(host, port, context)))
      return { ...NOTHING, connections: 2, error };
    if (!isHandshakeRefused(error)) throw error;
    try {
      return contactOf(await net.tlsHandshake(host, { ...options, ciphers: ALL_CIPHERS }), 2);
    } catch {
      if (detail === 'certificate') throw error;
      return { ...NOTHING, connections: 2, error };
    }
  }
}

/** The contact by a ClientHello of our own. Throws the error of the handshake where there was none either: it is no TLS server. */
export function firstHello(
  { flights, ssl2Certificate }: Enumeration,
  { connections, error }: FirstContact,
): FirstContact {
  const best = flights.find(({ certificates }) => certificates.length > 0) ?? flights[0];
  if (best === undefined) throw error;
  const { hello, keyExchange, certificates } = best;
  const name = suiteName(hello.suite);
  const group = keyExchange?.group == null ? null : findNamedGroup(keyExchange.group);
  const prime = keyExchange?.dhPrime == null ? null : describeDhPrime(keyExchange.dhPrime);
  return {
    ...NOTHING,
    negotiated: { protocol: best.version, cipher: name, standardCipher: name, bits: suiteKeyBits(name) },
    certificates: certificates.length === 0 && ssl2Certificate !== null ? [ssl2Certificate] : certificates,
    keyExchange:
      group !== null
        ? { type: 'ECDH', name: group.name, bits: group.bits }
        : prime === null
          ? null
          : { type: 'DH', name: prime.known, bits: prime.bits },
    connections,
  };
}

const NOTHING: FirstContact = {
  negotiated: null,
  certificates: null,
  keyExchange: null,
  authorizationError: NOT_ASKED,
  ocspResponse: null,
  address: null,
  session: null,
  connections: 0,
  latencyMs: 0,
  error: null,
};

function contactOf(result: HandshakeResult, connections: number): FirstContact {
  const { protocol, cipher, keyExchange, certificates, authorizationError, ocspResponse, address, latencyMs } = result;
  const negotiated = { protocol, cipher: cipher.name, standardCipher: cipher.standardName, bits: cipher.bits };
  const session = { version: protocol, session: result.session };
  return {
    negotiated,
    keyExchange,
    certificates,
    authorizationError,
    ocspResponse,
    address,
    session,
    latencyMs,
    connections,
    error: null,
  };
}

/** Whether a server that does not finish a handshake speaks TLS at all. */
async function answersHello(host: string, port: number, { net, signal }: SourceContext): Promise<boolean> {
  const hello = {
    version: 'TLSv1.2',
    suites: suiteCandidates('TLSv1.2').usual,
    groups: groupCandidates('TLSv1.2'),
    signatureSchemes: schemeCandidates('TLSv1.2'),
  } as const;
  return net.sendClientHello(host, { port, hello, timeoutMs: HELLO_TIMEOUT_MS, signal }).then(
    () => true,
    () => false,
  );
}

function isTimeout(error: unknown): boolean {
  return error instanceof NetError && error.code === 'timeout';
}

function isHandshakeRefused(error: unknown): boolean {
  return error instanceof NetError && (error.code === 'tls' || error.code === 'reset');
}
