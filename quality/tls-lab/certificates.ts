/** Certificates of the servers on which TLS is measured: a root, an intermediate, and leaves for `site.example` and 127.0.0.1. */

import { type Certificate, issue, keyFor, ocspGood, type Signer } from '../../test/lab/x509.ts';

const era = { from: -10, until: 100 };
const root: Signer = { name: 'Measured Root CA', key: keyFor('measured root', 'rsa2048') };
const middle: Signer = { name: 'Measured Intermediate CA', key: keyFor('measured middle', 'rsa2048') };

const rootCertificate = issue({ ...era, subject: root.name, key: root.key, issuer: root, ca: true });
const middleCertificate = issue({ ...era, subject: middle.name, key: middle.key, issuer: root, ca: true });

export const ROOT_PEM = rootCertificate.pem;

export type LeafKind = 'rsa2048' | 'p256';

const leaves = new Map<LeafKind, Certificate>();

function leaf(kind: LeafKind): Certificate {
  const known = leaves.get(kind);
  if (known !== undefined) return known;
  const made = issue({
    ...era,
    subject: 'site.example',
    names: ['site.example'],
    key: keyFor('measured leaf', kind),
    issuer: middle,
  });
  leaves.set(kind, made);
  return made;
}

export function chainPem(kind: LeafKind): string {
  return leaf(kind).pem + middleCertificate.pem;
}

export function leafPem(kind: LeafKind): string {
  return leaf(kind).pem;
}

export const MIDDLE_PEM = middleCertificate.pem;

export function chainDer(kind: LeafKind): Buffer[] {
  return [leaf(kind).der, middleCertificate.der];
}

export function keyPem(kind: LeafKind): string {
  return keyFor('measured leaf', kind).export({ type: 'pkcs8', format: 'pem' });
}

export function stapleOf(kind: LeafKind): Buffer {
  return ocspGood(middle, leaf(kind).serial);
}
