/** TLS servers on 127.0.0.1 with certificates of our own making. */

import { X509Certificate } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createServer, type TlsOptions } from 'node:tls';
import { type Certificate, type CertificateWish, issue, keyFor, type Signer } from '../lab/x509.ts';
import { listen, type TestServer } from './servers.ts';

const root: Signer = { name: 'Root of this test', key: keyFor('net root', 'p256') };
const middle: Signer = { name: 'Middle of this test', key: keyFor('net middle', 'p256') };
const era = { from: -10, until: 100 };

/** `root` signs `middle` signs what servers present; `stranger` has nothing to do with them. */
export const AUTHORITIES = {
  root: issue({ ...era, subject: root.name, key: root.key, issuer: root, ca: true }),
  middle: issue({ ...era, subject: middle.name, key: middle.key, issuer: root, ca: true }),
  stranger: issue({
    ...era,
    subject: 'Stranger',
    key: root.key,
    issuer: { name: 'Stranger', key: root.key },
    ca: true,
  }),
};

export const siteKey = keyFor('net site', 'p256').export({ type: 'pkcs8', format: 'pem' }) as string;

export function siteCertificate(wish: Partial<CertificateWish> = {}): Certificate {
  const names = ['site.example'];
  return issue({ ...era, subject: 'site.example', names, key: keyFor('net site', 'p256'), issuer: middle, ...wish });
}

/** Presents `chain` in its order, and answers what `options` say. */
export async function serveTls(
  t: TestContext,
  chain: readonly Certificate[],
  options: TlsOptions = {},
  onSocket: (socket: import('node:tls').TLSSocket) => void = () => {},
): Promise<TestServer> {
  const server = createServer({ key: siteKey, cert: chain.map(({ pem }) => pem).join(''), ...options });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  return listen(t, server);
}

export function subjectsOf(chain: readonly Uint8Array[]): string[] {
  return chain.map((der) => new X509Certificate(der).subject.replace('CN=', ''));
}
