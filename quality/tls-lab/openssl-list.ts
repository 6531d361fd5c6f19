import { execFileSync } from 'node:child_process';

const FLAGS = { 'TLS 1.0': '-tls1', 'TLS 1.1': '-tls1_1', 'TLS 1.2': '-tls1_2' } as const;
export type OpensslVersion = keyof typeof FLAGS;

/**
 * Numbers of the suites that OpenSSL makes of a cipher list for a version, with certificates of these kinds; what its manual says that
 * a server takes. Pre-shared keys and SRP need more than a list, and are left out.
 */
export function opensslSuites(list: string, version: OpensslVersion, authentications: readonly string[]): number[] {
  const text = execFileSync('openssl', ['ciphers', '-s', FLAGS[version], '-V', list], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [, high, low, exchange, by] = /0x(..),0x(..) .* Kx=(\S+)\s+Au=(\S+)/.exec(line) ?? [];
    if (high === undefined || /PSK|SRP/.test(`${exchange} ${by}`) || !authentications.includes(by!)) return [];
    const code = Number.parseInt(high + low!, 16);
    return code >> 8 === 0x13 ? [] : [code];
  });
}
