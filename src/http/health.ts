import type { FastifyInstance } from 'fastify';
import type { RunnerDeps } from '../engine/runner.ts';

/**
 * `/healthz`: the process lives. `/readyz`: 200 while it can answer, `degraded` with the reasons while a shared engine is away or an older catalog
 * stands in; 503 while it starts, stops, or has no catalog that is whole. For load balancers; no quota.
 */
export function mountHealth(app: FastifyInstance, of: { services: RunnerDeps; isStopping: () => boolean }): void {
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    if (of.isStopping()) return reply.code(503).send({ status: 'stopping' });
    const { catalog, serviceState } = of.services;
    const isThere = catalog.current !== null;
    const problem = serviceState.catalogProblem();
    if (!isThere && problem === null) return reply.code(503).send({ status: 'starting' });
    const problems = [
      ...(problem === null ? [] : [problem]),
      ...serviceState.unavailableBackends().map((part) => `${part} is away`),
    ];
    if (!isThere) return reply.code(503).send({ status: 'not_ready', problems });
    return reply.send(problems.length === 0 ? { status: 'ok' } : { status: 'degraded', problems });
  });
}
