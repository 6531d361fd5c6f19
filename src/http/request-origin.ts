import type { IncomingHttpHeaders } from 'node:http';

/** Where the service is reached, for commands to copy: a proxy that ends TLS says so. It is shown to nobody but the sender. */
export function requestOrigin(headers: IncomingHttpHeaders): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const host = /^[\w.:[\]-]{1,255}$/.exec(headers.host ?? '')?.[0] ?? 'localhost';
  return `${scheme}://${host}`;
}
