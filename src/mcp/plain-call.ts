import type { RequestId } from '@modelcontextprotocol/server';
import { isPlain } from './rpc.ts';

/** A call of a tool that is right in every respect: nothing is left for the protocol's machinery to judge. */
export interface PlainCall {
  id: RequestId;
  name: string;
  given: Record<string, unknown>;
  modern: boolean;
}

/** What a request says of itself beside its body. */
export interface StandardHeaders {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

const ENVELOPE = 'io.modelcontextprotocol/';
const MODERN = '2026-07-28';
const PARTS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const CLIENT_PARTS: ReadonlySet<string> = new Set(['name', 'version', 'title', 'description', 'websiteUrl']);
const ENVELOPE_PARTS: ReadonlySet<string> = new Set([
  'progressToken',
  ...['protocolVersion', 'clientInfo', 'clientCapabilities'].map((name) => `${ENVELOPE}${name}`),
]);
const PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/**
 * Nearly all requests are calls of tools, and these are answered without a server object of their own, which costs several times
 * what they need (docs/decisions/006-plain-calls.md). Null for everything that is not plainly one: the SDK answers or refuses it.
 */
export function plainCall(
  body: unknown,
  headers: StandardHeaders,
  legacyVersions: readonly string[],
): PlainCall | null {
  if (!isPlain(body) || body['jsonrpc'] !== '2.0' || body['method'] !== 'tools/call' || !onlyHas(body, PARTS))
    return null;
  const { id, params } = body;
  if (!isId(id)) return null;
  if (!isPlain(params) || !onlyHas(params, PARAMS)) return null;
  const { name, arguments: given = {}, _meta: meta = {} } = params;
  if (typeof name !== 'string' || !isPlain(given) || !isPlain(meta)) return null;
  if (meta['progressToken'] !== undefined && !isId(meta['progressToken'])) return null;
  const modern = Object.keys(meta).some((key) => key.startsWith(ENVELOPE));
  const { version } = headers;
  const right = modern ? isModernCall(meta, headers, name) : version === undefined || legacyVersions.includes(version);
  return right ? { id, name, given, modern } : null;
}

/** The envelope and the headers of the newest protocol, each as it must be and all of them agreeing. */
function isModernCall(
  meta: Record<string, unknown>,
  { version, method, name: named }: StandardHeaders,
  name: string,
): boolean {
  const client = meta[`${ENVELOPE}clientInfo`];
  const capabilities = meta[`${ENVELOPE}clientCapabilities`];
  return (
    version === MODERN &&
    meta[`${ENVELOPE}protocolVersion`] === MODERN &&
    onlyHas(meta, ENVELOPE_PARTS) &&
    isPlain(capabilities) &&
    Object.values(capabilities).every(isPlain) &&
    isPlain(client) &&
    onlyHas(client, CLIENT_PARTS) &&
    Object.values(client).every((part) => typeof part === 'string') &&
    typeof client['name'] === 'string' &&
    typeof client['version'] === 'string' &&
    method === 'tools/call' &&
    named === name
  );
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function onlyHas(value: Record<string, unknown>, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => names.has(key));
}
