import type { Reply, TestService } from '../support/service.ts';
import { parseMarked } from './parse-marked.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** One JSON-RPC request over HTTP as a client of 2025 sends it. */
export function ask(
  service: TestService,
  method: string,
  params?: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return post(service, { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) }, headers);
}

/** The same as one of 2026 sends it: no handshake, everything in the request. */
export function askModern(service: TestService, method: string, params: Record<string, unknown> = {}): Promise<Reply> {
  const name = params['name'] ?? params['uri'];
  return ask(
    service,
    method,
    { ...params, _meta: { ...ENVELOPE, ...(params['_meta'] as object | undefined) } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': String(name) }),
    },
  );
}

/** Any body; what is no string goes as JSON. */
export function post(service: TestService, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return service.send('POST', '/mcp/', text, { ...HEADERS, ...headers });
}

/** A tool's answer: the body, and whether it is an error. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export async function call(
  service: TestService,
  name: string,
  given: object,
): Promise<{ isError: boolean; body: any }> {
  const { result } = (await ask(service, 'tools/call', { name, arguments: given })).body;
  return { isError: result.isError === true, body: parseMarked(result.content[0].text) };
}
