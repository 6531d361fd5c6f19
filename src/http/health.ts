import type { FastifyInstance } from 'fastify';
import type { Services } from '../operations/runner.ts';

/** `/healthz`: the process lives. `/readyz`: it has a catalog and is not stopping. For load balancers; no quota, no detail. */
export function mountHealth(app: FastifyInstance, of: { services: Services; isStopping: () => boolean }): void {
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    if (of.isStopping()) return reply.code(503).send({ status: 'stopping' });
    if (of.services.catalog.current === null) return reply.code(503).send({ status: 'starting' });
    return reply.send({ status: of.services.health.degraded().length === 0 ? 'ok' : 'degraded' });
  });
}
