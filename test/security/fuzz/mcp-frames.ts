import type { RestOperation } from '../../../src/engine/route.ts';
import type { Chance } from '../../support/random.ts';
import { bodyBytes, inputFor } from './inputs.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { hostileText, hostileValue, mutated, toJson } from './values.ts';

const METHODS: readonly string[] = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'tasks/get',
  'sampling/createMessage',
  'roots/list',
  'rpc.discover',
  '',
];
const VERSIONS: readonly string[] = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
  '1999-01-01',
  '',
];

/** A request to `/mcp`: a call of a tool, another method, or a frame that is none. */
export function mcpRequest(random: Chance, operation: RestOperation): FuzzRequest {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (random.often(0.05))
    headers['accept'] = random.pick(['*/*', 'text/html', 'text/event-stream', 'application/json', '']);
  const isCall = random.often(0.7);
  const version = random.often(0.4) ? random.pick(VERSIONS) : undefined;
  if (version !== undefined) headers['mcp-protocol-version'] = version;
  let frame: unknown = isCall ? callFrame(random, operation, version) : otherFrame(random);
  if (random.often(0.15)) frame = mutated(frame as Record<string, unknown>, random);
  if (random.often(0.05)) frame = batchOf(frame, random);
  const method = random.often(0.02) ? random.pick(['GET', 'DELETE', 'PUT']) : 'POST';
  return {
    surface: 'mcp',
    operation: isCall ? operation.id : null,
    method,
    path: random.often(0.05)
      ? `/mcp/?tools=${encodeURIComponent(hostileText(random).slice(0, 200).toWellFormed())}`
      : random.pick(['/mcp', '/mcp/']),
    headers,
    ...(method === 'GET' ? {} : { body: bodyBytes(toJson(frame), headers, random).toString('base64') }),
  };
}

function callFrame(random: Chance, operation: RestOperation, version: string | undefined): Record<string, unknown> {
  const name = random.often(0.97) ? operation.id : hostileText(random);
  const params: Record<string, unknown> = { name, arguments: inputFor(operation, random) };
  if (version === '2026-07-28') {
    params['_meta'] = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
  } else if (random.often(0.1)) params['_meta'] = { progressToken: hostileValue(random) };
  return { jsonrpc: '2.0', id: idOf(random), method: 'tools/call', params };
}

function otherFrame(random: Chance): Record<string, unknown> {
  const method = random.often(0.95) ? random.pick(METHODS) : hostileText(random);
  const params = random.pick<unknown>([
    undefined,
    {},
    { uri: 'cwe://weakness/79' },
    { uri: hostileText(random) },
    { uri: `atlas://technique/${hostileText(random)}` },
    { name: 'vulnerability_check', arguments: { product: hostileText(random) } },
    {
      ref: { type: 'ref/prompt', name: 'vulnerability_check' },
      argument: { name: 'product', value: hostileText(random) },
    },
    { requestId: 1, reason: 'x' },
    { protocolVersion: random.pick(VERSIONS), capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
    { cursor: hostileText(random) },
    hostileValue(random),
  ]);
  const withId = !method.startsWith('notifications/') || random.often(0.3);
  return {
    jsonrpc: random.often(0.97) ? '2.0' : random.pick(['1.0', 2, null]),
    ...(withId ? { id: idOf(random) } : {}),
    method,
    ...(params === undefined ? {} : { params }),
  };
}

function batchOf(frame: unknown, random: Chance): unknown[] {
  return Array.from({ length: random.pick([0, 1, 2, 5, 60]) }, () =>
    random.often(0.8) ? frame : hostileValue(random),
  );
}

function idOf(random: Chance): unknown {
  return random.often(0.9)
    ? random.below(1e6)
    : random.pick<unknown>(['a', '', 0, -1, 1.5, null, true, [], {}, 2 ** 53, 'x'.repeat(5000)]);
}
