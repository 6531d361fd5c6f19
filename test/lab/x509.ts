/** Certificates (RFC 5280) and OCSP responses (RFC 6960), made to measure: also such as no authority would issue. */

import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  bits,
  boolean,
  enumerated,
  generalizedTime,
  implicit,
  integer,
  nothing,
  octets,
  oid,
  pem,
  sequence,
  setOf,
  tagged,
  utf8,
  validityTime,
} from './der.ts';

type KeyKind = 'p256' | 'ed25519' | 'rsa1024' | 'rsa2048';
type Hash = 'sha1' | 'sha256';

/** Who signs: a name and its key. */
export interface Signer {
  name: string;
  key: KeyObject;
}

export interface CertificateWish {
  subject: string;
  /** Key of the subject. */
  key: KeyObject;
  issuer: Signer;
  /** Days from now. */
  from: number;
  until: number;
  hash?: Hash;
  ca?: boolean;
  /** Of an authority: pathLenConstraint, and whether its key usage lets it sign certificates (default: yes). */
  pathLength?: number;
  signsCertificates?: boolean;
  /** Object identifiers in the extended key usage of an authority; default: it has none. */
  purposes?: readonly string[];
  /** The key that the authority key identifier names; default: that of the issuer. */
  claimedIssuerKey?: KeyObject;
  names?: readonly string[];
  mustStaple?: boolean;
  /** Where the issuer's certificate lies, and who answers OCSP. */
  issuerUrl?: string;
  ocspUrl?: string;
}

export interface Certificate {
  der: Buffer;
  pem: string;
  serial: bigint;
}

const SIGNATURE_OID: Record<'ec' | 'rsa', Record<Hash, string>> = {
  ec: { sha1: '1.2.840.10045.4.1', sha256: '1.2.840.10045.4.3.2' },
  rsa: { sha1: '1.2.840.113549.1.1.5', sha256: '1.2.840.113549.1.1.11' },
};
const COMMON_NAME = '2.5.4.3';
const DAY_MS = 86_400_000;

const keys = new Map<string, KeyObject>();

/** A private key, made once in this process for each purpose. */
export function keyFor(purpose: string, kind: KeyKind): KeyObject {
  const known = keys.get(`${purpose} ${kind}`);
  if (known !== undefined) return known;
  const key = makeKey(kind);
  keys.set(`${purpose} ${kind}`, key);
  return key;
}

function makeKey(kind: KeyKind): KeyObject {
  if (kind === 'p256') return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  if (kind === 'ed25519') return generateKeyPairSync('ed25519').privateKey;
  return generateKeyPairSync('rsa', { modulusLength: Number(kind.slice(3)) }).privateKey;
}

export function issue(wish: CertificateWish): Certificate {
  const { issuer, hash = 'sha256' } = wish;
  const serial = BigInt(`0x${randomBytes(15).toString('hex')}`) + 1n;
  const signature = signatureAlgorithm(issuer.key, hash);
  const body = sequence(
    tagged(0, integer(2)),
    integer(serial),
    signature,
    nameOf(issuer.name),
    sequence(validityTime(daysFromNow(wish.from)), validityTime(daysFromNow(wish.until))),
    nameOf(wish.subject),
    publicKeyInfo(wish.key),
    tagged(3, sequence(...extensionsOf(wish))),
  );
  const der = sequence(body, signature, bits(sign(hash, body, issuer.key)));
  return { der, pem: pem('CERTIFICATE', der), serial };
}

/** A signed OCSP response that says "good" of one certificate, for a week. */
export function ocspGood(issuer: Signer, serial: bigint): Buffer {
  const now = new Date();
  const certificateId = sequence(
    sequence(oid('1.3.14.3.2.26'), nothing()),
    octets(sha1(nameOf(issuer.name))),
    octets(keyIdentifier(issuer.key)),
    integer(serial),
  );
  const single = sequence(
    certificateId,
    implicit(0, Buffer.alloc(0)),
    generalizedTime(now),
    tagged(0, generalizedTime(daysFromNow(7))),
  );
  const data = sequence(tagged(2, octets(keyIdentifier(issuer.key))), generalizedTime(now), sequence(single));
  const basic = sequence(data, signatureAlgorithm(issuer.key, 'sha256'), bits(sign('sha256', data, issuer.key)));
  return sequence(enumerated(0), tagged(0, sequence(oid('1.3.6.1.5.5.7.48.1.1'), octets(basic))));
}

function extensionsOf(wish: CertificateWish): Buffer[] {
  const access: Buffer[] = [];
  if (wish.ocspUrl !== undefined) access.push(sequence(oid('1.3.6.1.5.5.7.48.1'), uri(wish.ocspUrl)));
  if (wish.issuerUrl !== undefined) access.push(sequence(oid('1.3.6.1.5.5.7.48.2'), uri(wish.issuerUrl)));
  const found = [
    extension('2.5.29.14', octets(keyIdentifier(wish.key))),
    extension('2.5.29.35', sequence(implicit(0, keyIdentifier(wish.claimedIssuerKey ?? wish.issuer.key)))),
  ];
  if (wish.ca === true) {
    const length = wish.pathLength === undefined ? [] : [integer(wish.pathLength)];
    // cRLSign alone, or keyCertSign with it.
    const usage = wish.signsCertificates === false ? 2 : 6;
    found.push(
      extension('2.5.29.19', sequence(boolean(true), ...length), true),
      extension('2.5.29.15', bits(Buffer.of(usage), 1), true),
    );
    if (wish.purposes !== undefined) found.push(extension('2.5.29.37', sequence(...wish.purposes.map(oid))));
  } else {
    // digitalSignature and keyEncipherment; serverAuth.
    found.push(extension('2.5.29.15', bits(Buffer.of(0xa0), 5), true));
    found.push(extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))));
  }
  const names = wish.names ?? [];
  if (names.length > 0)
    found.push(extension('2.5.29.17', sequence(...names.map((name) => implicit(2, Buffer.from(name))))));
  if (access.length > 0) found.push(extension('1.3.6.1.5.5.7.1.1', sequence(...access)));
  // TLS feature "status_request" (RFC 7633).
  if (wish.mustStaple === true) found.push(extension('1.3.6.1.5.5.7.1.24', sequence(integer(5))));
  return found;
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));
}

function uri(address: string): Buffer {
  return implicit(6, Buffer.from(address));
}

function nameOf(commonName: string): Buffer {
  return sequence(setOf(sequence(oid(COMMON_NAME), utf8(commonName))));
}

function signatureAlgorithm(key: KeyObject, hash: Hash): Buffer {
  const kind = key.asymmetricKeyType === 'ec' ? 'ec' : 'rsa';
  return sequence(oid(SIGNATURE_OID[kind][hash]), ...(kind === 'rsa' ? [nothing()] : []));
}

function publicKeyInfo(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

/** RFC 5280 4.2.1.2: SHA-1 of the key itself, which ends the SubjectPublicKeyInfo. */
function keyIdentifier(key: KeyObject): Buffer {
  const raw =
    key.asymmetricKeyType === 'ec'
      ? publicKeyInfo(key).subarray(-65)
      : createPublicKey(key).export({ type: 'pkcs1', format: 'der' });
  return sha1(raw);
}

function sha1(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest();
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}
