import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Page {
  /** Default: 200. */
  status?: number;
  headers?: Readonly<Record<string, string | string[]>>;
  body?: string | Buffer;
}

/** A web site of the lab, on a public-looking address of its own. */
export interface Site {
  host: string;
  shows: string;
  /** Also has an IPv6 address. */
  ipv6?: boolean;
  /** Which ports answer; default: both. */
  on?: 'http' | 'https' | 'both';
  /** http:// leads to https:// of the same host. */
  upgrades?: boolean;
  /** On every page. */
  headers?: Readonly<Record<string, string | string[]>>;
  /** By path without query; `*`: whatever has no page of its own, else 404. */
  pages: Readonly<Record<string, Page | Handler>>;
  /** HTTP methods that it admits to (Allow); default: GET, HEAD, OPTIONS. TRACE is answered where it is among them. */
  methods?: readonly string[];
}

export function html(body: string, head = '<title>A page of the lab</title>'): Page {
  const text = `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">${head}</head>\n<body>${body}</body>\n</html>\n`;
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body: text };
}

export function text(body: string | Buffer, type = 'text/plain; charset=utf-8'): Page {
  return { headers: { 'content-type': type }, body };
}

export function redirect(to: string, status = 302): Page {
  return { status, headers: { location: to } };
}

/** A handler that sees the socket: for what an HTTP server would never say of its own accord. */
export function raw(write: (socket: IncomingMessage['socket'], request: IncomingMessage) => void): Handler {
  return (request) => write(request.socket, request);
}

/** Ends a connection rudely: with a reset, or in the middle of the TLS session. */
export function hangUp(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
