import type { RequestId } from '@modelcontextprotocol/server';
import { isJsonObject } from '../analysis/bounded-json.ts';
import { knowsResourceLinks } from './answer-links.ts';
import { MODERN_PROTOCOL_VERSION } from './protocol-versions.ts';
import { hasTasksExtension } from './tasks/task-wire.ts';

/** A `tools/call` request that is valid in every respect, so that the SDK has nothing left to check. */
export interface FastPathCall {
  id: RequestId;
  name: string;
  rawInput: Record<string, unknown>;
  isModern: boolean;
  /** Whether a cut answer has a link to all of it. */
  isLinked: boolean;
  /** Whether its client says that it knows tasks. */
  declaresTasks: boolean;
}

/** MCP headers of a request, which repeat parts of its body. */
export interface McpHeaders {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

const META_KEY_PREFIX = 'io.modelcontextprotocol/';
const REQUEST_KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const CLIENT_INFO_KEYS: ReadonlySet<string> = new Set(['name', 'version', 'title', 'description', 'websiteUrl']);
const META_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  ...['protocolVersion', 'clientInfo', 'clientCapabilities'].map((name) => `${META_KEY_PREFIX}${name}`),
]);
const PARAMS_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/**
 * Nearly all requests are tool calls. They are answered without an SDK server object, which would cost several times as much as the
 * call (docs/decisions/006-plain-calls.md). Null for every other or doubtful request: the SDK answers or refuses it.
 */
export function parseFastPathCall(
  body: unknown,
  headers: McpHeaders,
  legacyVersions: readonly string[],
): FastPathCall | null {
  if (
    !isJsonObject(body) ||
    body['jsonrpc'] !== '2.0' ||
    body['method'] !== 'tools/call' ||
    !hasOnlyKeys(body, REQUEST_KEYS)
  )
    return null;
  const { id, params } = body;
  if (!isRequestId(id)) return null;
  if (!isJsonObject(params) || !hasOnlyKeys(params, PARAMS_KEYS)) return null;
  const { name, arguments: rawInput = {}, _meta: meta = {} } = params;
  if (typeof name !== 'string' || !isJsonObject(rawInput) || !isJsonObject(meta)) return null;
  if (meta['progressToken'] !== undefined && !isRequestId(meta['progressToken'])) return null;
  const isModern = Object.keys(meta).some((key) => key.startsWith(META_KEY_PREFIX));
  const { version } = headers;
  const isValid = isModern
    ? hasValidModernEnvelope(meta, headers, name)
    : version === undefined || legacyVersions.includes(version);
  if (!isValid) return null;
  const declaresTasks = isModern && hasTasksExtension(meta[`${META_KEY_PREFIX}clientCapabilities`]);
  return { id, name, rawInput, isModern, isLinked: knowsResourceLinks(version), declaresTasks };
}

/** Checks the `_meta` envelope and the headers of a modern request, and that they agree. */
function hasValidModernEnvelope(
  meta: Record<string, unknown>,
  { version, method, name: headerName }: McpHeaders,
  name: string,
): boolean {
  const client = meta[`${META_KEY_PREFIX}clientInfo`];
  const capabilities = meta[`${META_KEY_PREFIX}clientCapabilities`];
  return (
    version === MODERN_PROTOCOL_VERSION &&
    meta[`${META_KEY_PREFIX}protocolVersion`] === MODERN_PROTOCOL_VERSION &&
    hasOnlyKeys(meta, META_KEYS) &&
    isJsonObject(capabilities) &&
    Object.values(capabilities).every(isJsonObject) &&
    isJsonObject(client) &&
    hasOnlyKeys(client, CLIENT_INFO_KEYS) &&
    Object.values(client).every((part) => typeof part === 'string') &&
    typeof client['name'] === 'string' &&
    typeof client['version'] === 'string' &&
    method === 'tools/call' &&
    headerName === name
  );
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function hasOnlyKeys(value: Record<string, unknown>, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => names.has(key));
}
