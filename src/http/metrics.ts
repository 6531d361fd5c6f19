import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** The text format of Prometheus. */
const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The counters, and the protection of `/metrics`. */
export interface MetricsOptions {
  metrics: Metrics;
  /** Metrics of this process or of all workers, in the Prometheus text format. */
  renderMetrics: () => Promise<string>;
  /** Bearer token of `/metrics`; null: the path is not mounted. */
  token: string | null;
}

/** Counts every request by its operation. Mounts `/metrics`, protected by the bearer token. */
export function mountMetrics(app: FastifyInstance, { metrics, renderMetrics, token }: MetricsOptions): void {
  app.addHook('onResponse', ({ routeOptions }, reply, done) => {
    const { config, url } = routeOptions;
    const name = config.operation?.id ?? (url === '/mcp' ? 'mcp' : 'other');
    metrics.recordHttpRequest(name, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  if (token === null) return;
  const expectedDigest = sha256(`Bearer ${token}`);
  app.get('/metrics', async ({ headers: { authorization } }, reply) => {
    if (authorization === undefined) {
      throw new ApiError(
        'api_key_required',
        'This needs the token of the metrics, sent as "Authorization: Bearer <token>".',
      );
    }
    if (!timingSafeEqual(sha256(authorization.replace(/^bearer +/i, 'Bearer ')), expectedDigest)) {
      throw new ApiError('invalid_api_key', 'This is not the token of the metrics.');
    }
    return reply
      .header('content-type', METRICS_CONTENT_TYPE)
      .header('cache-control', 'no-store')
      .send(await renderMetrics());
  });
}

/** Serves `/metrics` without a token at a separate address (`host:port`); the operator restricts access to it. Rejects if it cannot listen. */
export async function startMetricsListener(address: string, renderMetrics: () => Promise<string>): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    renderMetrics().then(
      (body) =>
        response.writeHead(200, { 'content-type': METRICS_CONTENT_TYPE, 'cache-control': 'no-store' }).end(body),
      () => response.writeHead(503).end(),
    );
  });
  const { hostname, port } = new URL(`http://${address}`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 80 : port) }, resolve);
  });
  return server;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
