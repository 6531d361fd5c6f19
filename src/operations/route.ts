import type { Operation, Route } from './operation.ts';

export interface ParsedRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Names of the path parameters, in order. */
  pathNames: string[];
}

export function parseRoute(route: Route): ParsedRoute {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string];
  return { method, path, pathNames: [...path.matchAll(/:([a-z_0-9]+)/g)].map((match) => match[1]!) };
}

export type Location = 'path' | 'query' | 'body';

/** Where an input field travels over HTTP. */
export function locationOf(operation: Operation, field: string): Location {
  const { method, pathNames } = parseRoute(operation.route);
  if (pathNames.includes(field)) return 'path';
  return method === 'GET' || operation.inQuery.includes(field) ? 'query' : 'body';
}
