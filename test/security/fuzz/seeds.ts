import type { FuzzRequest } from './fuzz-request.ts';

/** What once went wrong, each with what it did. The fuzzer sends all of them before anything else. */
interface Seed {
  did: string;
  request: FuzzRequest;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MCP_TYPES = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };

function post(
  operation: string,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
): FuzzRequest {
  return { surface: 'rest', operation, method: 'POST', path, headers, body: Buffer.from(body).toString('base64') };
}

function mcp(body: unknown): FuzzRequest {
  return {
    surface: 'mcp',
    operation: null,
    method: 'POST',
    path: '/mcp',
    headers: MCP_TYPES,
    body: Buffer.from(JSON.stringify(body)).toString('base64'),
  };
}

const KEYS = Array.from({ length: 60_000 }, (_, at) => `"k${(at * 7919).toString(36)}":1`).join(',');
const CANCELLED = { jsonrpc: '2.0', id: 1, method: 'notifications/cancelled' };

const ALL: readonly Seed[] = [
  {
    did: 'a nearest name was looked for to each of 60,000 unknown keys',
    request: post('check_dependencies', '/v1/check/dependencies', `{${KEYS}}`),
  },
  {
    did: '60,000 headers held the event loop',
    request: post('check_headers', '/v1/check/headers', `{"headers":{${KEYS}}}`),
  },
  {
    did: 'an object that has a length was taken for a text',
    request: post('bulk_cve_lookup', '/v1/cves/bulk', '{"cve_ids":[{"length":[{"toString":1}]}]}'),
  },
  {
    did: 'a document 2,000 deep could not be handed to a thread',
    request: post(
      'check_dependencies',
      '/v1/check/dependencies',
      `{"sbom":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`,
    ),
  },
  { did: 'a notification with an id was never answered', request: mcp(CANCELLED) },
  { did: 'the same in a batch', request: mcp([CANCELLED, { jsonrpc: '2.0', id: 2, method: 'ping' }]) },
  {
    did: 'an unread encoding was parsed as text',
    request: post('bulk_cve_lookup', '/v1/cves/bulk', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), {
      ...JSON_TYPE,
      'content-encoding': 'gzip',
    }),
  },
];

export const SEEDS: readonly FuzzRequest[] = ALL.map(({ request }) => request);
