import type { OperationHint } from '../errors.ts';
import type { Operation, HttpRoute } from './operation.ts';

export interface ParsedRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Names of the path parameters, in order. */
  pathParameters: string[];
  /** The last parameter, where it takes all of the rest, slashes and query included: a whole address. */
  catchAllParameter: string | null;
}

const PARAMETER_PATTERN = /[:*]([a-z_0-9]+)/g;

export function parseRoute(route: HttpRoute): ParsedRoute {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string];
  const pathNames = [...path.matchAll(PARAMETER_PATTERN)].map((match) => match[1]!);
  return { method, path, pathParameters: pathNames, catchAllParameter: /\*([a-z_0-9]+)$/.exec(path)?.[1] ?? null };
}

/** An operation that is asked over REST. */
export type RestOperation = Operation & { readonly route: HttpRoute };

export function restOperations(operations: readonly Operation[]): RestOperation[] {
  return operations.filter((operation): operation is RestOperation => operation.route !== null);
}

/** Names of the path parameters; none of an operation without a route. */
export function pathParametersOf({ route }: Pick<Operation, 'route'>): string[] {
  return route === null ? [] : parseRoute(route).pathParameters;
}

/** As readers know it: `/v1/cve/{cve_id}`, or with the method before it where it has one. */
export function routeTemplate(route: string): string {
  return route.replace(PARAMETER_PATTERN, '{$1}');
}

/** How a refusal names the operation that helps on; undefined for one that is not asked over REST. */
export function operationHintOf(
  { id, route }: Pick<Operation, 'id' | 'route'>,
  does: string,
): OperationHint | undefined {
  return route === null ? undefined : { operation: id, address: routeTemplate(route), does };
}

export type InputLocation = 'path' | 'query' | 'body';

/** Where an input field travels over HTTP. `include` chooses the form of the answer and is a query parameter of a POST too. */
export function locationOf(operation: Operation, field: string): InputLocation {
  if (operation.route === null) return 'body';
  const { method, pathParameters } = parseRoute(operation.route);
  if (pathParameters.includes(field)) return 'path';
  return method === 'GET' || field === 'include' ? 'query' : 'body';
}
