import type { FastifyInstance } from 'fastify';

/** Mounts `/openapi.json`. `document`: makes the OpenAPI document; called once, at the first request. */
export function mountOpenApi(app: FastifyInstance, document: () => unknown): void {
  let json: Buffer | null = null;
  app.get('/openapi.json', (_request, reply) => {
    json ??= Buffer.from(JSON.stringify(document()));
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(json);
  });
}
