import { setTimeout as pause } from 'node:timers/promises';
import { needsCredentials, type Operation } from '../../src/engine/operation.ts';
import { EXAMPLE_ID } from '../../src/operations/watches/lib/watch-fields.ts';
import { CATALOG_RESOURCES } from '../../src/mcp/resource-definitions.ts';
import { hasBody, locationOf, parseRoute } from '../../src/engine/route.ts';
import { parseMarked } from '../mcp/parse-marked.ts';
import { ask as askMcp } from '../mcp/rpc.ts';
import type { Reply, TestService } from '../support/service.ts';

/**
 * Sends one input of an operation as a client would: in path, query and JSON body, with a key where it needs one. Where the example is about
 * a watch, one is made before. What has no route is called as a tool, or read as the resource that it is.
 */
export async function ask(service: TestService, operation: Operation, given: Record<string, unknown>): Promise<Reply> {
  const headers = needsCredentials(operation) ? await service.proHeaders() : {};
  const input = given['id'] === EXAMPLE_ID ? { ...given, id: await makeWatch(service, headers) } : given;
  if (operation.route === null)
    return operation.tool === undefined ? readResource(service, operation.id) : callTool(service, operation.id, input);
  const { method, path, pathParameters } = parseRoute(operation.route);
  const filled = pathParameters.reduce(
    (url, name) => url.replace(new RegExp(`[:*]${name}`), () => encodeURIComponent(String(input[name]))),
    path,
  );
  const rest = Object.entries(input).filter(([name]) => !pathParameters.includes(name));
  const inQuery = rest.filter(([name]) => locationOf(operation, name) === 'query');
  const query = new URLSearchParams(inQuery.map(([name, value]) => [name, String(value)])).toString();
  const url = query === '' ? filled : `${filled}?${query}`;
  if (!hasBody(method)) return service.send(method, url, undefined, headers);
  const body = rest.filter(([name]) => locationOf(operation, name) === 'body');
  const json = { 'content-type': 'application/json', ...headers };
  const reply = service.send(method, url, JSON.stringify(Object.fromEntries(body)), json);
  // What these ask for is done by the watch process.
  return WAITING_FOR_WATCHES.includes(operation.id) ? whileWatching(service, reply) : reply;
}

/** Operations whose answer waits for the watch process. */
export const WAITING_FOR_WATCHES: readonly string[] = ['watch_replay', 'watch_test'];

/** A reply that waits for the watch process, which is run until it comes. */
export async function whileWatching<T>(service: TestService, pending: Promise<T>): Promise<T> {
  const over = new AbortController();
  const reply = pending.finally(() => over.abort());
  while (!over.signal.aborted) {
    await service.runWatches();
    await Promise.race([reply, pause(50)]);
  }
  return reply;
}

async function makeWatch(service: TestService, headers: Record<string, string>): Promise<string> {
  const { body } = await service.post('/v1/watches', { subject: { cve_id: 'CVE-2021-44228' } }, headers);
  return body.watch.id;
}

/** A tool's answer as if it had come over REST. */
async function callTool(service: TestService, name: string, given: Record<string, unknown>): Promise<Reply> {
  const reply = await askMcp(service, 'tools/call', { name, arguments: given });
  const { isError, content } = reply.body.result;
  const text = content[0].text as string;
  return { ...reply, status: isError === true ? 500 : reply.status, text, body: parseMarked(text) };
}

/** A resource as if it had come over REST. */
async function readResource(service: TestService, id: string): Promise<Reply> {
  const { uri } = CATALOG_RESOURCES.find(({ operationId }) => operationId === id)!;
  const reply = await askMcp(service, 'resources/read', { uri });
  const { result, error } = reply.body;
  if (error !== undefined) return { ...reply, status: 500, body: error };
  const text = result.contents[0].text as string;
  return { ...reply, text, body: parseMarked(text) };
}
