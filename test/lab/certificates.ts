/** Certificates of every kind, each on a host of its own; `x509.ts` makes them when somebody connects. */

import { getDiffieHellman } from 'node:crypto';
import type { SecureVersion, TlsOptions } from 'node:tls';
import { integer, pem, sequence } from './der.ts';
import { type Certificate, issue, keyFor, ocspGood, type Signer } from './x509.ts';

export interface TlsPlan {
  host: string;
  shows: string;
  /** Default: that of the host. */
  names?: readonly string[];
  key?: 'p256' | 'rsa1024' | 'rsa2048';
  hash?: 'sha1' | 'sha256';
  /** Days from now; default: from 30 days ago for 90 days. */
  from?: number;
  until?: number;
  /** What is sent with the leaf; default: `intermediate`. */
  sends?: 'intermediate' | 'nothing' | 'root too' | 'self-signed' | 'stranger';
  mustStaple?: boolean;
  staples?: boolean;
  versions?: [SecureVersion, SecureVersion];
  ciphers?: string;
  smallDh?: boolean;
}

export const TLS_PLANS: readonly TlsPlan[] = [
  { host: 'good.tls.lab', shows: 'TLS 1.2 and 1.3, a complete chain' },
  { host: 'tls13.tls.lab', shows: 'TLS 1.3 alone', versions: ['TLSv1.3', 'TLSv1.3'] },
  { host: 'expired.tls.lab', shows: 'a certificate that ended yesterday', from: -90, until: -1 },
  { host: 'expires-soon.tls.lab', shows: 'a certificate that ends in five days', from: -85, until: 5 },
  { host: 'not-yet-valid.tls.lab', shows: 'a certificate that begins next week', from: 7, until: 90 },
  { host: 'long-lived.tls.lab', shows: 'a certificate for ten years', from: -30, until: 3650 },
  { host: 'self-signed.tls.lab', shows: 'a certificate that signed itself', sends: 'self-signed' },
  { host: 'untrusted-root.tls.lab', shows: 'a chain to a root that nobody trusts', sends: 'stranger' },
  { host: 'wrong-name.tls.lab', shows: 'a certificate for another name', names: ['other.tls.lab'] },
  { host: 'incomplete.tls.lab', shows: 'the intermediate is not sent; AIA says where it lies', sends: 'nothing' },
  { host: 'with-root.tls.lab', shows: 'the root is sent as well', sends: 'root too' },
  { host: 'weak-key.tls.lab', shows: 'an RSA key of 1,024 bits', key: 'rsa1024' },
  { host: 'sha1.tls.lab', shows: 'a signature with SHA-1', hash: 'sha1' },
  { host: 'rsa.tls.lab', shows: 'an RSA key of 2,048 bits', key: 'rsa2048' },
  { host: 'tls10.tls.lab', shows: 'TLS 1.0 alone', versions: ['TLSv1', 'TLSv1'], key: 'rsa2048' },
  { host: 'tls11.tls.lab', shows: 'TLS 1.1 alone', versions: ['TLSv1.1', 'TLSv1.1'], key: 'rsa2048' },
  { host: 'every-version.tls.lab', shows: 'TLS 1.0 to 1.3', versions: ['TLSv1', 'TLSv1.3'], key: 'rsa2048' },
  {
    host: 'weak-ciphers.tls.lab',
    shows: 'TLS 1.2 without encryption (NULL) and without authentication (anonymous) beside CBC',
    versions: ['TLSv1.2', 'TLSv1.2'],
    key: 'rsa2048',
    ciphers: 'NULL-SHA256:NULL-SHA:AECDH-AES128-SHA:ADH-AES128-SHA:AES128-SHA',
  },
  {
    host: 'cbc.tls.lab',
    shows: 'TLS 1.2 with CBC ciphers alone',
    versions: ['TLSv1.2', 'TLSv1.2'],
    ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384',
  },
  {
    host: 'rsa-exchange.tls.lab',
    shows: 'TLS 1.2 without forward secrecy: RSA key exchange',
    versions: ['TLSv1.2', 'TLSv1.2'],
    key: 'rsa2048',
    ciphers: 'AES128-GCM-SHA256:AES256-SHA',
  },
  {
    host: 'small-dh.tls.lab',
    shows: 'TLS 1.2 with a Diffie-Hellman group of 1,024 bits',
    versions: ['TLSv1.2', 'TLSv1.2'],
    key: 'rsa2048',
    ciphers: 'DHE-RSA-AES128-GCM-SHA256',
    smallDh: true,
  },
  { host: 'stapled.tls.lab', shows: 'an OCSP response stapled', staples: true },
  { host: 'must-staple.tls.lab', shows: 'must-staple, and the staple is there', mustStaple: true, staples: true },
  { host: 'must-staple-missing.tls.lab', shows: 'must-staple, but there is no staple', mustStaple: true },
  { host: 'any.wildcard.tls.lab', shows: 'a wildcard certificate', names: ['*.wildcard.tls.lab'] },
  {
    host: 'many-names.tls.lab',
    shows: 'a certificate for 120 names',
    names: ['many-names.tls.lab', ...Array.from({ length: 119 }, (_, i) => `n${i}.many-names.tls.lab`)],
  },
];

export const INTERMEDIATE_URL = 'http://aia.lab/intermediate.der';
export const OCSP_URL = 'http://ocsp.lab/';

const YEARS = 3650;

interface Authority {
  signer: Signer;
  certificate: Certificate;
}

const authorities = new Map<string, Authority>();

function authority(name: string, by?: Authority): Authority {
  const known = authorities.get(name);
  if (known !== undefined) return known;
  const signer = { name, key: keyFor(name, 'p256') };
  const wish = { subject: name, key: signer.key, issuer: by?.signer ?? signer, from: -365, until: YEARS, ca: true };
  const made = { signer, certificate: issue(wish) };
  authorities.set(name, made);
  return made;
}

const root = (): Authority => authority('Lab Root CA');
const intermediate = (): Authority => authority('Lab Intermediate CA', root());

export function rootPem(): string {
  return root().certificate.pem;
}

export function intermediateDer(): Buffer {
  return intermediate().certificate.der;
}

/** What a TLS server of Node needs to be what a plan says, and the OCSP response that it staples. */
export function tlsOptions(plan: TlsPlan): { options: TlsOptions; staple: Buffer | null } {
  const key = keyFor('leaf', plan.key ?? 'p256');
  const stranger = authority('Stranger Root CA');
  const itself = { name: plan.host, key };
  const { sends = 'intermediate' } = plan;
  const issuer = sends === 'self-signed' ? itself : (sends === 'stranger' ? stranger : intermediate()).signer;
  const leaf = issue({
    subject: (plan.names ?? [plan.host])[0]!,
    key,
    issuer,
    from: plan.from ?? -30,
    until: plan.until ?? 60,
    hash: plan.hash ?? 'sha256',
    names: plan.names ?? [plan.host],
    mustStaple: plan.mustStaple ?? false,
    ...(issuer === intermediate().signer && { issuerUrl: INTERMEDIATE_URL, ocspUrl: OCSP_URL }),
  });
  const rest = {
    intermediate: [intermediate()],
    nothing: [],
    'root too': [intermediate(), root()],
    'self-signed': [],
    stranger: [stranger],
  }[sends];
  const [minVersion, maxVersion] = plan.versions ?? ['TLSv1.2', 'TLSv1.3'];
  return {
    options: {
      key: key.export({ type: 'pkcs8', format: 'pem' }),
      cert: [leaf, ...rest.map(({ certificate }) => certificate)].map(({ pem: text }) => text).join(''),
      minVersion,
      maxVersion,
      // OpenSSL would refuse to be as weak as some of these are.
      ciphers: `${plan.ciphers ?? 'DEFAULT'}:@SECLEVEL=0`,
      ...(plan.smallDh === true && { dhparam: oakleyGroup2() }),
    },
    staple: plan.staples === true ? ocspGood(issuer, leaf.serial) : null,
  };
}

/** The group of 1,024 bits of RFC 2409 6.2. */
function oakleyGroup2(): string {
  const group = getDiffieHellman('modp2');
  const numbers = [group.getPrime('hex'), group.getGenerator('hex')].map((hex) => integer(BigInt(`0x${hex}`)));
  return pem('DH PARAMETERS', sequence(...numbers));
}
