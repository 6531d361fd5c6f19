import type { Operation } from '../../src/operations/operation.ts';
import { parseRoute } from '../../src/operations/route.ts';
import type { Reply, TestService } from '../support/service.ts';

/**
 * Sends one input of an operation as a client would: path and query for a GET, a JSON body for a POST, and a key where it
 * needs one.
 */
export async function ask(service: TestService, operation: Operation, input: Record<string, unknown>): Promise<Reply> {
  const headers = operation.personal === 'pro' ? await service.proHeaders() : {};
  const { method, path, pathNames } = parseRoute(operation.route);
  const filled = pathNames.reduce(
    (url, name) => url.replace(`:${name}`, encodeURIComponent(String(input[name]))),
    path,
  );
  const rest = Object.entries(input).filter(([name]) => !pathNames.includes(name));
  if (method === 'POST') return service.post(filled, Object.fromEntries(rest), headers);
  const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString();
  return service.get(query === '' ? filled : `${filled}?${query}`, headers);
}
