import type { Pointer } from '../errors.ts';
import type { Operation, Route } from './operation.ts';

export interface ParsedRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Names of the path parameters, in order. */
  pathNames: string[];
  /** The last parameter, where it takes all of the rest, slashes and query included: a whole address. */
  greedy: string | null;
}

const PARAMETER = /[:*]([a-z_0-9]+)/g;

export function parseRoute(route: Route): ParsedRoute {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string];
  const pathNames = [...path.matchAll(PARAMETER)].map((match) => match[1]!);
  return { method, path, pathNames, greedy: /\*([a-z_0-9]+)$/.exec(path)?.[1] ?? null };
}

/** An operation that is asked over REST. */
export type Routed = Operation & { readonly route: Route };

export function routed(operations: readonly Operation[]): Routed[] {
  return operations.filter((operation): operation is Routed => operation.route !== null);
}

/** Names of the path parameters; none of an operation without a route. */
export function pathNamesOf({ route }: Pick<Operation, 'route'>): string[] {
  return route === null ? [] : parseRoute(route).pathNames;
}

/** As readers know it: `/v1/cve/{cve_id}`, or with the method before it where it has one. */
export function routeTemplate(route: string): string {
  return route.replace(PARAMETER, '{$1}');
}

/** How a refusal names the operation that helps on; undefined for one that is not asked over REST. */
export function pointTo({ id, route }: Pick<Operation, 'id' | 'route'>, does: string): Pointer | undefined {
  return route === null ? undefined : { operation: id, address: routeTemplate(route), does };
}

export type Location = 'path' | 'query' | 'body';

/** Where an input field travels over HTTP. */
export function locationOf(operation: Operation, field: string): Location {
  if (operation.route === null) return 'body';
  const { method, pathNames } = parseRoute(operation.route);
  if (pathNames.includes(field)) return 'path';
  return method === 'GET' || operation.inQuery.includes(field) ? 'query' : 'body';
}
