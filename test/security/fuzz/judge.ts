import { OPERATIONS } from '../../../src/operations/list.ts';
import { parseRoute, routeTemplate } from '../../../src/engine/route.ts';
import { leaksIn } from '../hostile.ts';
import type { FuzzReply } from './client.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** Judges what came back. */
export interface Judge {
  /** What is wrong with an answer, in a few words each; nothing: all is as it must be. */
  (request: FuzzRequest, reply: FuzzReply): string[];
}

/** The part of an OpenAPI document that matters here. */
export interface Declared {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
}

/** What a path that is no operation's, or a method that is not its own, may be answered with. */
const ANYWHERE = new Set([200, 204, 302, 400, 401, 403, 404, 405, 413, 415, 421, 422, 429]);
const OF_MCP = new Set([200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415, 421, 429, 503]);
/** JSON-RPC 2.0 reserves the rest of -327xx; -32603 is an error inside the service. */
const RPC_CODES = new Set([-32700, -32600, -32601, -32602]);
/** The machine may be busy, and a deadline is of the work, not of the way to it. */
const GRACE_MS = 10_000;
const INJECTED = 'x-injected';

const byId = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

export function judgeOf(document: Declared): Judge {
  return (request, reply) => {
    const operation = request.operation === null ? undefined : byId.get(request.operation);
    const wrong = request.surface === 'mcp' ? judgeMcp(request, reply) : judgeRest(request, reply, document);
    const limit = (operation?.deadlineMs ?? 0) + GRACE_MS;
    if (reply.ms > limit) wrong.push(`slow: over its deadline`);
    if (INJECTED in reply.headers) wrong.push('a header came from the input');
    for (const leak of leaksIn(withoutInput(reply.text, request), true)) wrong.push(`leak: ${leak.slice(0, 80)}`);
    return wrong;
  };
}

function judgeRest(request: FuzzRequest, { status, headers, text }: FuzzReply, { paths }: Declared): string[] {
  const declared = declaredPath(request, paths)?.[request.method.toLowerCase()];
  const wrong: string[] = [];
  if (declared === undefined ? !ANYWHERE.has(status) : !(String(status) in declared.responses)) {
    wrong.push(`status ${status} is not declared`);
  }
  if (status >= 500 && status !== 502 && status !== 503 && status !== 504) wrong.push(`status ${status}`);
  if (headers['x-request-id'] === undefined) wrong.push('no X-Request-ID');
  if (!String(headers['content-type'] ?? '').startsWith('application/json')) {
    return status >= 400 && request.method !== 'HEAD' ? [...wrong, 'an error that is not JSON'] : wrong;
  }
  if (request.method === 'HEAD') return wrong;
  const body = parsed(text);
  if (body === undefined) return [...wrong, 'a body that is not JSON'];
  if (status >= 400 && typeof body['error'] !== 'object') wrong.push('an error without its body');
  return wrong;
}

/**
 * The operations of the path that a request asks for. A path without parameters comes before one with them (OpenAPI 3.1, 4.8.8.2):
 * an identifier that is the word `bulk` is another path, which may have no GET and answers 405 then.
 */
function declaredPath(
  { operation, path }: FuzzRequest,
  paths: Declared['paths'],
): Declared['paths'][string] | undefined {
  const asked = decoded(path.replace(/[?#].*$/s, '').replace(/(?<=.)\/$/, ''));
  if (Object.hasOwn(paths, asked)) return paths[asked];
  const route = operation === null ? null : byId.get(operation)!.route;
  return route === null ? undefined : paths[routeTemplate(parseRoute(route).path)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function judgeMcp(request: FuzzRequest, { status, headers, text }: FuzzReply): string[] {
  const wrong: string[] = [];
  if (!OF_MCP.has(status)) wrong.push(`status ${status}`);
  if (text === '') return wrong;
  const isStream = String(headers['content-type'] ?? '').startsWith('text/event-stream');
  const bodies = isStream
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, line]) => parsed(line ?? ''))
    : [parsed(text)].flat();
  for (const body of bodies) {
    if (body === undefined) wrong.push('a body that is not JSON');
    else if (request.method === 'POST' && body['jsonrpc'] === '2.0') wrong.push(...judgeMessage(body));
  }
  return wrong;
}

function judgeMessage(message: Record<string, unknown>): string[] {
  const error = message['error'] as { code?: unknown; message?: unknown } | undefined;
  if (error === undefined) {
    const result = message['result'];
    if (typeof result !== 'object' && !('method' in message)) return ['a message with neither result nor error'];
    const isFault =
      JSON.stringify(result)?.includes('"code":"internal_error"') ||
      JSON.stringify(result)?.includes('internal_error\\"');
    return isFault ? ['internal_error from a tool'] : [];
  }
  const { code } = error;
  const own = typeof code === 'number' && code >= -32099 && code <= -32000;
  return own || RPC_CODES.has(code as number) ? [] : [`JSON-RPC error ${String(code)}`];
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Paths that were sent may come back as what was asked about, whole or in part. */
function withoutInput(text: string, { path, body }: FuzzRequest): string {
  if (!text.includes('/')) return text;
  const sent = `${path} ${body === undefined ? '' : Buffer.from(body, 'base64').toString()}`;
  // Sent percent-encoded, or with characters that an answer leaves out.
  return /etc|file|passwd/i.test(sent) ? text.replaceAll(/(?:file:)?\/{0,3}etc\b[^"\s]*|file:\/{0,3}/gi, '') : text;
}
