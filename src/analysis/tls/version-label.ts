/** `TLSv1` is `TLS 1.0`, `SSLv3` is `SSL 3`. */
export function tlsVersionLabel(version: string): string {
  const [, protocol = version, number = ''] = /^(SSL|TLS)v([\d.]+)$/.exec(version) ?? [];
  return `${protocol} ${number === '1' ? '1.0' : number}`;
}
