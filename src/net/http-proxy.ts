import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { basicAuthorization, isHttpUrl, portOf, withoutBrackets } from './http-url.ts';
import { NetError } from './net-error.ts';
import type { IpEndpoint } from './network-client.ts';
import { onAbort } from './on-abort.ts';
import { USER_AGENT } from './user-agent.ts';

/** Connections through an http(s) proxy by CONNECT (RFC 9110, 9.3.6), to IP addresses and never to names. */
export interface HttpProxyClient {
  connect(to: IpEndpoint, signal: AbortSignal): Promise<Socket>;
}

/**
 * `proxyUrl`: `http://user:password@host:port`; the credentials become Basic authorization. `trustedCas`: PEM certificates for TLS to
 * the proxy, instead of Node's default ones. Throws `TypeError` for a URL that is not http(s).
 */
export function createHttpProxyClient(proxyUrl: string, trustedCas: readonly string[] | undefined): HttpProxyClient {
  const url = new URL(proxyUrl);
  if (!isHttpUrl(url)) throw new TypeError('a proxy is an http: or https: URL');
  const authorization = basicAuthorization(url);
  const headers = {
    'user-agent': USER_AGENT,
    ...(authorization === null ? {} : { 'proxy-authorization': authorization }),
  };
  const target = {
    hostname: withoutBrackets(url.hostname),
    port: portOf(url),
    method: 'CONNECT',
    agent: false,
  } as const;

  const connect = ({ address: to, port }: IpEndpoint, signal: AbortSignal): Promise<Socket> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const path = `${to.includes(':') ? `[${to}]` : to}:${port}`;
      const options = { ...target, path, headers: { ...headers, host: path } };
      const request =
        url.protocol === 'https:'
          ? httpsRequest({ ...options, ...(trustedCas === undefined ? {} : { ca: [...trustedCas] }) })
          : httpRequest(options);
      const removeListener = onAbort(signal, () => {
        request.destroy();
        reject(signal.reason);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        removeListener();
        reject(new NetError('unreachable', `the proxy failed: ${error.code ?? error.message}`));
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
      request.end();
    });
  return { connect };
}
