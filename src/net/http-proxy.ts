import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { unescape } from 'node:querystring';
import type { Endpoint } from './network-client.ts';
import { NetError } from './net-error.ts';
import { USER_AGENT } from './user-agent.ts';

/** Connections through an http(s) proxy by CONNECT (RFC 9110, 9.3.6), to addresses and never to names. */
export interface HttpProxy {
  connect(to: Endpoint, signal: AbortSignal): Promise<Socket>;
}

/** `address`: `http://login@host:port`; the login becomes Basic authorization.
 * `ca`: PEM certificates to trust, where not the usual ones. Throws `TypeError` for another kind of address. */
export function createHttpProxy(address: string, ca: readonly string[] | undefined): HttpProxy {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('a proxy is an http: or https: address');
  const secure = url.protocol === 'https:';
  const { username, password } = url;
  const login = Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64');
  const headers = {
    'user-agent': USER_AGENT,
    ...(username || password ? { 'proxy-authorization': `Basic ${login}` } : {}),
  };
  const target = {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (secure ? 443 : 80),
    method: 'CONNECT',
    agent: false,
  } as const;

  const connect = ({ address: to, port }: Endpoint, signal: AbortSignal): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const path = `${to.includes(':') ? `[${to}]` : to}:${port}`;
      const options = { ...target, path, headers: { ...headers, host: path } };
      const request = secure
        ? httpsRequest({ ...options, ...(ca === undefined ? {} : { ca: [...ca] }) })
        : httpRequest(options);
      const onAbort = (): void => {
        request.destroy();
        reject(signal.reason);
      };
      const removeListener = (): void => signal.removeEventListener('abort', onAbort);
      request.on('error', (error) => {
        removeListener();
        reject(
          new NetError('unreachable', `the proxy failed: ${(error as NodeJS.ErrnoException).code ?? error.message}`),
        );
      });
      request.on('connect', (response, socket: Socket, head) => {
        removeListener();
        socket.on('error', () => {});
        if (response.statusCode === 200) {
          if (head.length > 0) socket.unshift(head);
          return resolve(socket);
        }
        socket.destroy();
        reject(new NetError('unreachable', `the proxy answered ${response.statusCode}`));
      });
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      request.end();
    });
  return { connect };
}
