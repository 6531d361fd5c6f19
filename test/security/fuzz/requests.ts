import { OPERATIONS } from '../../../src/operations/list.ts';
import { locationOf, parseRoute, type RestOperation, restOperations } from '../../../src/engine/route.ts';
import { type Chance, chance } from '../../support/random.ts';
import { bodyBytes, inputFor } from './inputs.ts';
import { mcpRequest } from './mcp-frames.ts';
import { hostileText, toJson } from './values.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** Operations that ask live sources cost a hundred times more; they come this much more seldom. */
const LIVE_SHARE = 0.1;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const PATHS = [
  '/',
  '/v1',
  '/v1/',
  '/v1/cves/CVE-2021-44228',
  '/v1//cve',
  '/v1/cve/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/../v1/status',
  '/mcp',
  '/v1/cve/%2e%2e%2fstatus',
  '/.env',
  '/v1/sigma/bulk',
];

const local = restOperations(OPERATIONS).filter(({ tool }) => tool?.openWorld !== true);
const live = restOperations(OPERATIONS).filter(({ tool }) => tool?.openWorld === true);

/** Request number `at` of a run with this seed. */
export function requestOf(seed: number, at: number): FuzzRequest {
  const random = chance(Math.imul(seed, 0x9e3779b1) ^ Math.imul(at + 1, 0x85ebca6b));
  // The first numbers after a seed differ little.
  for (let round = 0; round < 8; round++) random.next();
  if (random.often(0.3)) return mcpRequest(random, random.pick(random.often(LIVE_SHARE) ? live : local));
  if (random.often(0.03))
    return {
      surface: 'rest',
      operation: null,
      method: random.pick(METHODS),
      path: random.pick(PATHS),
      headers: hostileHeaders(random),
    };
  return restRequest(random, random.pick(random.often(LIVE_SHARE) ? live : local));
}

function restRequest(random: Chance, operation: RestOperation): FuzzRequest {
  const { method, path } = parseRoute(operation.route);
  const input = inputFor(operation, random);
  const fields = Object.entries(input).map(([name, value]) => ({
    name,
    value,
    at: Object.hasOwn(operation.input.shape, name) ? locationOf(operation, name) : method === 'GET' ? 'query' : 'body',
  }));
  const filled = path.replace(/[:*]([a-z_0-9]+)/g, (_, name: string) => inPath(input[name], random));
  const query = fields.filter(({ at }) => at === 'query').flatMap(({ name, value }) => inQuery(name, value, random));
  const body = Object.fromEntries(fields.filter(({ at }) => at === 'body').map(({ name, value }) => [name, value]));
  const headers = hostileHeaders(random);
  const request: FuzzRequest = {
    surface: 'rest',
    operation: operation.id,
    method: random.often(0.01) ? random.pick(METHODS) : method,
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers,
  };
  if (method === 'GET' && !random.often(0.01)) return request;
  headers['content-type'] ??= 'application/json';
  return { ...request, body: bodyBytes(toJson(body), headers, random).toString('base64') };
}

function inPath(value: unknown, random: Chance): string {
  const text = typeof value === 'string' ? value : toJson(value);
  const encoded = encodeURIComponent(text.slice(0, 12_000).toWellFormed());
  if (random.often(0.05))
    return text
      .replaceAll(/[^!-~]/g, '')
      .replaceAll('#', '')
      .slice(0, 8000);
  return encoded === '' ? '%20' : encoded.slice(0, 14_000).replace(/%.?$/, '');
}

function inQuery(name: string, value: unknown, random: Chance): string[] {
  const text = typeof value === 'string' ? value : toJson(value);
  const pair = `${encodeURIComponent(name.slice(0, 500).toWellFormed())}=${encodeURIComponent(text.slice(0, 3000).toWellFormed()).slice(0, 6000).replace(/%.?$/, '')}`;
  return random.often(0.03) ? [pair, pair] : [pair];
}

function hostileHeaders(random: Chance): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.often(0.9)) return headers;
  const name = random.pick([
    'authorization',
    'x-api-key',
    'x-request-id',
    'x-forwarded-for',
    'forwarded',
    'accept',
    'content-type',
    'content-encoding',
    'origin',
    'dnt',
    'sec-gpc',
    'expect',
    'transfer-encoding',
    'if-none-match',
    'sec-fetch-site',
    'mcp-protocol-version',
    'cookie',
    'range',
  ]);
  if (name === 'transfer-encoding' || name === 'expect') return headers;
  headers[name] = random.often(0.4)
    ? random.pick([
        'Bearer sxt_x',
        'Bearer ',
        'gzip',
        'null',
        'https://evil.example',
        '127.0.0.1',
        'text/html',
        'application/json; charset=utf-16',
        '*',
        'cross-site',
        'bytes=0-1',
      ])
    : hostileText(random)
        .replaceAll(/[^ -~]/g, '?')
        .slice(0, random.often(0.02) ? 12_000 : 300);
  return headers;
}
