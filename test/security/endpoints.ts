import { OPERATIONS } from '../../src/operations/list.ts';
import { type RestOperation, restOperations } from '../../src/engine/route.ts';
import type { Reply, TestService } from '../support/service.ts';

/** A request of an operation, about a target. */
export interface Question {
  operation: string;
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  deadlineMs: number;
  /** The same, as a tool is given it. */
  input: Record<string, unknown>;
}

type Fill = (host: string) => Pick<Question, 'path' | 'input'> & { body?: unknown };

/** What stands in the place of a path parameter or a list, for a host name. */
const BY_PARAMETER: Readonly<Record<string, (host: string) => string>> = {
  ':domain': (host) => encodeURIComponent(host),
  ':email': (host) => encodeURIComponent(`someone@${host}`),
  '*url': (host) => `http://${host}/`,
  '*indicator': (host) => encodeURIComponent(host),
};
const LISTS: Readonly<Record<string, (host: string) => string>> = {
  domains: (host) => host,
  indicators: (host) => host,
};

function fillOf({ route, input }: RestOperation): Fill | null {
  const [method, path = ''] = route.split(' ');
  if (method === 'POST') {
    const list = Object.keys(input.shape).find((field) => field in LISTS);
    if (list === undefined) return null;
    return (host) => {
      const input = { [list]: [LISTS[list]!(host)] };
      return { path, input, body: input };
    };
  }
  const [parameter = ''] = /[:*][a-z_0-9]+/.exec(path) ?? [];
  const value = BY_PARAMETER[parameter];
  if (value === undefined) return null;
  return (host) => ({
    path: path.replace(parameter, () => value(host)),
    input: { [parameter.slice(1)]: parameter === '*url' ? value(host) : decodeURIComponent(value(host)) },
  });
}

/** All operations that take a name or an address of a target, whatever they will be: each new one is asked too. */
export function questionsAbout(host: string): Question[] {
  return restOperations(OPERATIONS).flatMap((operation) => {
    const method = operation.route.startsWith('POST') ? ('POST' as const) : ('GET' as const);
    const filled = fillOf(operation)?.(host);
    const { id, deadlineMs } = operation;
    return filled === undefined ? [] : [{ operation: id, method, deadlineMs, ...filled }];
  });
}

/** Asks it over REST. */
export function put(
  service: TestService,
  { path, body }: Pick<Question, 'path' | 'body'>,
  headers?: Record<string, string>,
): Promise<Reply> {
  return body === undefined ? service.get(path, headers) : service.post(path, body, headers);
}
