import type { IncomingHttpHeaders } from 'node:http';
import type { ToolCallContext } from '../engine/tool-call-context.ts';
import type { McpResponseBody } from './json-response-transport.ts';
import type { RpcError } from './json-rpc.ts';

/** A request as it came in over HTTP, its body unread. */
export interface McpHttpRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Aborted when the client goes away; made when first wanted. */
  disconnectSignal: () => AbortSignal;
  callContext: ToolCallContext;
}

export interface McpHttpResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON, as text or in UTF-8; an event stream; null: none. */
  body: McpResponseBody | Buffer;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
/** Of a request of the newest protocol: what its machinery looks at. */
const SDK_HEADER_NAMES = /^(mcp-|content-type$|accept$)/;

export function jsonResponse(status: number, body: string | Buffer): McpHttpResponse {
  return { status, headers: JSON_HEADERS, body };
}

export function errorResponse(status: number, error: RpcError): McpHttpResponse {
  return jsonResponse(status, JSON.stringify(error));
}

export function toolsParameter(url: string): string {
  if (!url.includes('?')) return '';
  return new URL(url, 'http://localhost').searchParams.getAll('tools').join(',');
}

/** True where one of these media types is accepted, or no header says what is. */
export function acceptsAny({ accept }: IncomingHttpHeaders, ...types: readonly string[]): boolean {
  if (accept === undefined) return types.includes('*/*');
  return accept.split(',').some((part) => types.includes(part.split(';')[0]!.trim().toLowerCase()));
}

export function firstHeaderValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

export function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && SDK_HEADER_NAMES.test(name)) web.set(name, String(value));
  }
  return web;
}
