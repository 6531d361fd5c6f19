import type { FastifyInstance } from 'fastify';
import type { RunnerDeps } from '../engine/runner.ts';

/**
 * Probes for load balancers, free of quota. `/healthz`: the process runs. `/readyz`: 200 while it can answer, as `degraded` with the
 * reasons while a shared backend is unreachable or an older catalog is in use; 503 while it starts or stops, or without an intact
 * catalog.
 */
export function mountHealth(
  app: FastifyInstance,
  { runnerDeps, isStopping }: { runnerDeps: RunnerDeps; isStopping: () => boolean },
): void {
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    const { catalog, serviceState } = runnerDeps;
    const hasCatalog = catalog.current !== null;
    const catalogProblem = serviceState.catalogProblem();
    if (!hasCatalog && catalogProblem === null) return reply.code(503).send({ status: 'starting' });
    const followProblem = serviceState.followedCatalog()?.problem ?? null;
    const problems = [
      ...(catalogProblem === null ? [] : [catalogProblem]),
      ...(followProblem === null ? [] : [followProblem]),
      ...serviceState.unavailableBackends().map((backend) => `${backend} is away`),
    ];
    if (!hasCatalog) return reply.code(503).send({ status: 'not_ready', problems });
    return reply.send(problems.length === 0 ? { status: 'ok' } : { status: 'degraded', problems });
  });
}
