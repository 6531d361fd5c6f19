import type { Logger } from 'pino';
import { openAccess } from '../access/access.ts';
import { type Config, isForOnePerson, originSettingsOf } from '../config.ts';
import { createServer } from '../http/server.ts';
import { McpEndpoint } from '../mcp/http-endpoint.ts';
import { McpService } from '../mcp/service.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Net } from '../net/net.ts';
import { OPERATIONS } from '../operations/list.ts';
import { createServices, netOf } from './services.ts';
import { describeSystemError } from '../system-error.ts';
import { VERSION } from '../version.ts';

export interface Service {
  /** Null where nobody may read them. */
  readonly metrics: Metrics | null;
  /** Takes a newer catalog at once. */
  refresh(): void;
  /** Stops listening, lets answers under way finish, writes what is left. */
  stop(): Promise<void>;
}

interface Running {
  logger: Logger;
  /** What `/metrics` answers; default: what this process counts. */
  metricsText?: () => Promise<string>;
  /** The way out; default: as configured. */
  net?: Net;
}

/** The service in this process, listening. Its data folder has a catalog. */
export async function startService(config: Config, given: Running): Promise<Service> {
  const { logger, metricsText } = given;
  const metrics = config.metricsToken === null && config.metricsListen === null ? null : new Metrics(VERSION);
  const access = await openAccess(
    { ...config, localUnlimited: isForOnePerson(config) },
    {
      now: () => new Date(),
      onProblem: (problem) => logger.warn({ err: problem }, 'accounts'),
      onRefused: (tier) => metrics?.quotaRefused(tier),
    },
  );
  const catalogProblem = (problem: Error): void =>
    logger.error({ reason: describeSystemError(problem) }, 'catalog: not as it should be');
  const net = given.net ?? netOf(config);
  const services = createServices(config, { net, onProblem: catalogProblem, shared: access, metrics });
  let stopping = false;
  const app = await createServer({
    operations: OPERATIONS,
    services,
    access,
    logger,
    isStopping: () => stopping,
    origins: originSettingsOf(config),
    mcp: new McpEndpoint(new McpService(OPERATIONS, services), originSettingsOf(config, true)),
    ...(metrics && {
      metrics: { metrics, text: metricsText ?? (() => metrics.text()), token: config.metricsToken },
    }),
  });
  const stop = async (): Promise<void> => {
    stopping = true;
    await app.close();
    await access.close();
    await net.close();
    services.catalog.close();
  };
  try {
    await app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `listening at ${address}, reference at ${address}/docs`,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { metrics, refresh: () => services.catalog.refresh(), stop };
}
