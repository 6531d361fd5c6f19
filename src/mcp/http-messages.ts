import type { IncomingHttpHeaders } from 'node:http';
import type { ToolCallContext } from '../engine/tool-call-context.ts';
import type { McpResponseBody } from './json-response-transport.ts';
import type { RpcError } from './json-rpc.ts';
import type { ToolSetRequest } from './tool-set.ts';

/** An HTTP request with its body as text. */
export interface McpHttpRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Aborted when the client disconnects. Created on first use: most calls need none. */
  disconnectSignal: () => AbortSignal;
  callContext: ToolCallContext;
}

export interface McpHttpResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON as text or UTF-8 bytes, an event stream, or null for no body. */
  body: McpResponseBody | Buffer;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
/** Headers that the SDK reads from a modern request. */
const SDK_HEADER_NAMES = /^(mcp-|content-type$|accept$)/;

/** A response with a JSON body. */
export function jsonResponse(status: number, body: string | Buffer): McpHttpResponse {
  return { status, headers: JSON_HEADERS, body };
}

/** A response with a JSON-RPC error. */
export function errorResponse(status: number, error: RpcError): McpHttpResponse {
  return jsonResponse(status, JSON.stringify(error));
}

/** The parameters `tools` (repeated ones are joined) and `mode` of the query. */
export function toolSetParameters(url: string): ToolSetRequest {
  if (!url.includes('?')) return { tools: '', mode: '' };
  const { searchParams } = new URL(url, 'http://localhost');
  return { tools: searchParams.getAll('tools').join(','), mode: searchParams.get('mode') ?? '' };
}

/** Whether the Accept header names one of these media types. Without the header: whether `types` has the wildcard for all types. */
export function acceptsAny({ accept }: IncomingHttpHeaders, ...types: readonly string[]): boolean {
  if (accept === undefined) return types.includes('*/*');
  return accept.split(',').some((part) => types.includes(part.split(';')[0]!.trim().toLowerCase()));
}

/** The first value of a header; undefined if absent. */
export function firstHeaderValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The headers that the SDK reads, as a web `Headers` object. */
export function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && SDK_HEADER_NAMES.test(name)) web.set(name, String(value));
  }
  return web;
}
