import type { FastifyInstance } from 'fastify';

/** Mounts `/openapi.json`. `document`: makes the OpenAPI document; called once, at the first request. */
export function mountOpenApi(app: FastifyInstance, document: () => Promise<unknown>): void {
  let json: Promise<Buffer> | null = null;
  app.get('/openapi.json', async (_request, reply) => {
    json ??= document().then((made) => Buffer.from(JSON.stringify(made)));
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await json);
  });
}
