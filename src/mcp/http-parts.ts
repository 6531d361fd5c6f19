import type { IncomingHttpHeaders } from 'node:http';
import type { CallHost } from './call-host.ts';
import type { ExchangeBody } from './exchange.ts';
import type { RpcError } from './rpc.ts';

/** A request as it came in over HTTP, its body unread. */
export interface McpRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Aborted when the client goes away; made when first wanted. */
  gone: () => AbortSignal;
  host: CallHost;
}

export interface McpAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, as text or in UTF-8; an event stream; null: none. */
  body: ExchangeBody | Buffer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
/** Of a request of the newest protocol: what its machinery looks at. */
const LOOKED_AT = /^(mcp-|content-type$|accept$)/;

export function json(status: number, body: string | Buffer): McpAnswer {
  return { status, headers: JSON_TYPE, body };
}

export function refusal(status: number, error: RpcError): McpAnswer {
  return json(status, JSON.stringify(error));
}

export function wantedTools(url: string): string {
  if (!url.includes('?')) return '';
  return new URL(url, 'http://localhost').searchParams.getAll('tools').join(',');
}

/** True where one of these media types is accepted, or no header says what is. */
export function accepts({ accept }: IncomingHttpHeaders, ...types: readonly string[]): boolean {
  if (accept === undefined) return types.includes('*/*');
  return accept.split(',').some((part) => types.includes(part.split(';')[0]!.trim().toLowerCase()));
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

export function webHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && LOOKED_AT.test(name)) web.set(name, String(value));
  }
  return web;
}
