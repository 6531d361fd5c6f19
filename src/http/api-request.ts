import type { FastifyRequest } from 'fastify';

/** True for a request to an operation: by the matched route, because a route has several spellings, or by a raw path below `/v1`. */
export function isApiRequest(request: FastifyRequest, route = request.routeOptions): boolean {
  return route?.config?.operation !== undefined || /^\/v1(?:[/?]|$)/.test(request.url);
}
