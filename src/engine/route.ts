import type { OperationHint } from '../errors.ts';
import type { HttpMethod, HttpRoute, Operation } from './operation.ts';

export interface ParsedRoute {
  method: HttpMethod;
  path: string;
  /** Names of the path parameters, in order. */
  pathParameters: string[];
  /** Name of the last parameter if it captures the rest of the path, with slashes and query: a URL. */
  catchAllParameter: string | null;
}

const PARAMETER_PATTERN = /[:*]([a-z_0-9]+)/g;

export function parseRoute(route: HttpRoute): ParsedRoute {
  const [method, path] = route.split(' ') as [HttpMethod, string];
  const pathNames = [...path.matchAll(PARAMETER_PATTERN)].map((match) => match[1]!);
  return { method, path, pathParameters: pathNames, catchAllParameter: /\*([a-z_0-9]+)$/.exec(path)?.[1] ?? null };
}

/** An operation with a REST route. */
export type RestOperation = Operation & { readonly route: HttpRoute };

export function restOperations(operations: readonly Operation[]): RestOperation[] {
  return operations.filter((operation): operation is RestOperation => operation.route !== null);
}

/** Names of the path parameters; none of an operation without a route. */
export function pathParametersOf({ route }: Pick<Operation, 'route'>): string[] {
  return route === null ? [] : parseRoute(route).pathParameters;
}

/** The route as OpenAPI writes it: `GET /v1/cve/{cve_id}`. */
export function routeTemplate(route: string): string {
  return route.replace(PARAMETER_PATTERN, '{$1}');
}

/** The hint to an operation for an `ApiError`; undefined without a REST route. */
export function operationHintOf(
  { id, route }: Pick<Operation, 'id' | 'route'>,
  does: string,
): OperationHint | undefined {
  return route === null ? undefined : { operation: id, address: routeTemplate(route), does };
}

export type InputLocation = 'path' | 'query' | 'body';

/** Whether requests of a method have their input in a JSON body. */
export function hasBody(method: HttpMethod): boolean {
  return method === 'POST' || method === 'PATCH';
}

/** Where an input field is sent over HTTP. `include` chooses the form of the answer: it is always a query parameter. */
export function locationOf(operation: Operation, field: string): InputLocation {
  if (operation.route === null) return 'body';
  const { method, pathParameters } = parseRoute(operation.route);
  if (pathParameters.includes(field)) return 'path';
  return !hasBody(method) || field === 'include' ? 'query' : 'body';
}
