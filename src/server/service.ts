import type { ChildProcess } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { openAccess } from '../access/access.ts';
import { type Config, isSingleUser, oauthSettingsOf, originSettingsOf } from '../config.ts';
import { createHttpServer } from '../http/server.ts';
import { McpEndpoint } from '../mcp/http-endpoint.ts';
import { McpService } from '../mcp/service.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { OPERATIONS } from '../operations/list.ts';
import { PAGES } from '../pages/list.ts';
import { PageSite } from '../pages/site.ts';
import { openAppViews } from './app-views.ts';
import { LiveRunner } from './live-runner.ts';
import { createTaskStore } from './create-task-store.ts';
import { createForwardingDeps, createRunnerDeps, gaugeReadersOf, openConfiguredNet } from './runner-deps.ts';
import { openConfiguredWatches } from './configured-watches.ts';
import { describeSystemError } from '../system-error.ts';
import { VERSION } from '../version.ts';

export interface Service {
  /** Null where metrics are disabled. */
  readonly metrics: Metrics | null;
  readonly port: number;
  /** Switches to a newer catalog immediately. */
  refreshCatalog(): void;
  /** Stops listening, waits for running requests, and closes everything. */
  stop(): Promise<void>;
}

interface ServiceDeps {
  logger: Logger;
  /** Text of `/metrics`; default: the metrics of this process. */
  metricsText?: () => Promise<string>;
  /** Starts the process that asks live sources; default: `live-process.ts`. */
  startLiveProcess?: () => ChildProcess;
  /** The way out of this process, which then asks live sources itself; closed at the end. */
  net?: NetworkClient;
}

/** Starts the service in this process; resolves when it listens. Its data folder must have a catalog. */
export async function startService(
  config: Config,
  { logger, metricsText, startLiveProcess, net }: ServiceDeps,
): Promise<Service> {
  const metrics = await createMetricsIfConfigured(config);
  const oauth = oauthSettingsOf(config);
  // The live process has the way to targets; the authorization server is asked by each process that answers.
  const ownNet = oauth === null || net !== undefined ? null : openConfiguredNet(config);
  const watches = openConfiguredWatches(config, (problem) => logger.warn({ err: problem }, 'watches'));
  const access = await openAccess(
    { ...config, oauth, unlimitedLocalCallers: isSingleUser(config) },
    {
      net: net ?? ownNet ?? undefined,
      now: () => new Date(),
      onProblem: (problem) => logger.warn({ err: problem }, 'accounts'),
      onQuotaRefusal: (tier) => metrics?.recordQuotaRefusal(tier),
      openWatches: (owner) => watches.open(owner),
    },
  );
  const catalogProblem = (problem: Error): void =>
    logger.error({ reason: describeSystemError(problem) }, 'catalog: not as it should be');
  // Closed in reverse order, also where the start fails half-way.
  const closers: (() => void | Promise<void>)[] = [
    () => net?.close(),
    () => ownNet?.close(),
    () => watches.close(),
    () => access.close(),
  ];
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const common = { onProblem: catalogProblem, backends: access };
    let live: LiveRunner | null = null;
    if (net === undefined) {
      const throttleTarget = (host: string): Promise<void> => access.throttleTarget(host);
      live = new LiveRunner({ config, logger, metrics, throttleTarget, startProcess: startLiveProcess });
      closers.push(() => live!.stop());
    }
    const runnerDeps =
      live === null
        ? createRunnerDeps(config, { ...common, net: net!, observer: metrics })
        : createForwardingDeps(config, { ...common, live });
    metrics?.registerGauges(gaugeReadersOf(runnerDeps));
    closers.unshift(() => runnerDeps.catalog.close());
    const mcpOptions = { tasks: createTaskStore(config), views: openAppViews() };
    const app = await createHttpServer({
      operations: OPERATIONS,
      runnerDeps,
      access,
      logger,
      isStopping: () => stopping,
      originSettings: originSettingsOf(config),
      pages: new PageSite(PAGES, OPERATIONS, runnerDeps),
      mcp: new McpEndpoint(new McpService(OPERATIONS, runnerDeps, mcpOptions), originSettingsOf(config, true)),
      ...(metrics && {
        metrics: {
          metrics,
          renderMetrics: metricsText ?? (() => metrics.prometheusText()),
          token: config.metricsToken,
        },
      }),
    });
    closers.push(() => app.close());
    await app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `listening at ${address}, reference at ${address}/docs`,
    });
    return {
      metrics,
      port: (app.server.address() as AddressInfo).port,
      refreshCatalog() {
        runnerDeps.catalog.refresh();
        live?.refreshCatalog();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The library is only loaded where metrics are wanted. */
async function createMetricsIfConfigured({ metricsToken, metricsListen }: Config): Promise<Metrics | null> {
  if (metricsToken === null && metricsListen === null) return null;
  const { Metrics } = await import('../metrics/metrics.ts');
  return new Metrics(VERSION);
}
