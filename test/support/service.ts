import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { type Access, openAccess } from '../../src/access/access.ts';
import { issueApiKey } from '../../src/access/api-key-lifecycle.ts';
import { CatalogHandle } from '../../src/catalog/catalog-handle.ts';
import type { OAuthSettings } from '../../src/access/oauth/oauth-settings.ts';
import type { OriginSettings } from '../../src/access/origin-policy.ts';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { McpEndpoint } from '../../src/mcp/http-endpoint.ts';
import type { AppViews } from '../../src/mcp/app-views.ts';
import { McpService } from '../../src/mcp/service.ts';
import type { TaskStore } from '../../src/mcp/tasks/task-store.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { PAGES } from '../../src/pages/list.ts';
import { PageSite } from '../../src/pages/site.ts';
import type { Operation, OperationInput } from '../../src/engine/operation.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';
import type { NetworkClient, NetworkClientOptions } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { ResponseCache } from '../../src/engine/response-cache.ts';
import { routeTemplate } from '../../src/engine/route.ts';
import { type RunnerDeps, runOperation } from '../../src/engine/runner.ts';
import { SourceClient } from '../../src/sources/source-client.ts';
import { SharedOrLocalStore } from '../../src/sources/expiring-store.ts';
import { openWatchStore } from '../../src/watches/store/open-watch-store.ts';
import { WatchLoop } from '../../src/watches/watch-loop.ts';
import { OwnerWatchBook } from '../../src/watches/book/owner-watch-book.ts';
import type { WatchStore } from '../../src/watches/store/create-watch-store.ts';
import { openLab } from '../lab/lab.ts';
import { fixtureCatalog, temporaryFolder } from '../operations/fixture-catalog.ts';
import { NOW } from '../operations/fixture-facts.ts';

/** Any public receiver. */
const RECEIVERS = { allowedPrivate: [], mailTo: ['*'] };
/** A port on which nothing listens: a test that names no live source must not reach the real one. */
const NOBODY = 'http://127.0.0.1:9/';

export interface ServiceOptions {
  /** Folder of the catalog; default: the fixture. `none`: an empty folder. */
  catalog?: string | Promise<string>;
  /** Addresses of the live sources, by id; default: nobody answers there. `lab`: those of the lab. */
  sources?: Readonly<Record<string, string>> | 'lab';
  /** The way out; default: into a lab of its own, never to the outside. */
  net?: NetworkClient;
  /** Keys of sources, by the variable that holds them. */
  keys?: Readonly<Record<string, string>>;
  /** How long a live source may take, by its id, in place of its own policy's time. */
  patienceMs?: (sourceId: string) => number;
  /** All times that sources and the network are given, multiplied by it: 0.1 ends in a second what would wait for ten. Default: 1. */
  timeScale?: number;
  operations?: readonly Operation[];
  /** Tokens an hour; default 0: no limit. */
  quota?: { keyless?: number; pro?: number };
  /** Whose access tokens are accepted, and tokens an hour of their subjects; default: none. */
  oauth?: OAuthSettings;
  quotaOidc?: number;
  /** Addresses and CIDRs whose X-Forwarded-For is believed; default: none. */
  trustedProxies?: readonly string[];
  /** Folder of counters, accounts and secret; default: one of its own. */
  dataDir?: string;
  /** Engines that replicas share; default: embedded. */
  redisUrl?: string;
  databaseUrl?: string;
  /** Callers on this machine have no limit; default: they have. */
  localUnlimited?: boolean;
  /** Requests of one address that may be refused without a charge in a minute; default: as many as a test likes. */
  refusedPerMinute?: number;
  /** Where it says to listen, and which hosts and pages it answers; default: at all addresses, and all. */
  origins?: Partial<OriginSettings>;
  /** What answers at `/mcp`; default: as the service does on loopback. */
  mcp?: (service: McpService) => McpEndpoint;
  /** Calls that run as tasks, and views of answers, over MCP; default: there are none. */
  tasks?: TaskStore;
  views?: AppViews | null;
  /** Told when the catalog cannot be opened; default: the test fails. */
  onProblem?: (problem: Error) => void;
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** The body as JSON; fails the test where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

export interface TestService {
  app: FastifyInstance;
  services: RunnerDeps;
  access: Access;
  /** Issues a Pro key of 30 days; the headers that carry it. */
  proHeaders: () => Promise<Record<string, string>>;
  clock: { now: Date };
  /** What the watch process does, once; what is to be sent goes nowhere. */
  runWatches: () => Promise<void>;
  /** Every line logged so far, at every level. */
  logLines: () => string[];
  get: (path: string, headers?: Record<string, string>) => Promise<Reply>;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Reply>;
  /** Any request; `body` goes out as it is. */
  send: (method: string, path: string, body?: string | Buffer, headers?: Record<string, string>) => Promise<Reply>;
  /** Listens on a free port of 127.0.0.1; `http://127.0.0.1:port`. */
  listen: () => Promise<string>;
  /** The process is on its way out. */
  stop: () => void;
  /** Makes every read of the catalog a fault of ours. */
  breakCatalog: () => void;
}

/** Who ends the service: a test's context, or `{ after }` of a whole file. */
interface Owner {
  after(end: () => void | Promise<void>): void;
}

/**
 * The HTTP service in this process, over a catalog folder, with a clock that stands still. Its end is arranged before anything is waited
 * for: after a wait for a promise that another test made, the runner takes `after` for one of that test, and never runs it.
 */
export async function startService(owner: Owner, options: ServiceOptions = {}): Promise<TestService> {
  const closing: (() => unknown)[] = [];
  owner.after(async () => {
    for (const close of closing) await close();
  });
  const given = await (options.catalog ?? fixtureCatalog());
  const folder = given === 'none' ? temporaryFolder() : given;
  const catalog = new CatalogHandle(folder, options.onProblem ?? rethrow);
  const clock = { now: NOW };
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, collector(lines));
  let stopping = false;
  let broken = false;
  const now = (): Date => clock.now;
  const operations = options.operations ?? OPERATIONS;
  const oauthNet =
    options.oauth === undefined
      ? null
      : openNetworkClient({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
  const dataDir = options.dataDir ?? temporaryFolder();
  const watchSettings = { dataDir, secret: null, databaseUrl: options.databaseUrl ?? null };
  let watchStore: Promise<WatchStore> | null = null;
  const openStore = (): Promise<WatchStore> => (watchStore ??= openWatchStore(watchSettings, now));
  const access = await openAccess(
    {
      dataDir,
      secret: null,
      quotaKeyless: options.quota?.keyless ?? 0,
      quotaPro: options.quota?.pro ?? 0,
      trustedProxies: options.trustedProxies ?? [],
      unlimitedLocalCallers: options.localUnlimited ?? false,
      maxRefusedPerMinute: options.refusedPerMinute ?? Number.POSITIVE_INFINITY,
      redisUrl: options.redisUrl ?? null,
      databaseUrl: options.databaseUrl ?? null,
      oauth: options.oauth ?? null,
      quotaOidc: options.quotaOidc ?? null,
    },
    {
      now,
      onProblem: options.onProblem ?? rethrow,
      net: oauthNet ?? undefined,
      openWatches: async (owner) => new OwnerWatchBook(owner, { store: await openStore(), rules: RECEIVERS, now }),
    },
  );
  const world =
    options.sources === 'lab' ? await openWorld(true) : options.net === undefined ? worldWhenNeeded() : null;
  const net = scaleTimeouts(options.net ?? world!.net, options.timeScale ?? 1);
  const services = servicesOver({ catalog, net, access, now, world }, options);
  const mcp = (options.mcp ?? loopbackMcp)(new McpService(operations, services, options));
  const origins: OriginSettings = { host: '0.0.0.0', allowedOrigins: [], ...options.origins };
  const app = await createHttpServer({
    operations,
    runnerDeps: services,
    access,
    logger,
    originSettings: origins,
    isStopping: () => stopping,
    pages: new PageSite(PAGES, operations, services),
    mcp,
  });
  const undeclared = noteUndeclared(app, operations);
  // Each is reported once, by the test that saw it.
  const requireDeclared = (): void => {
    const hint = 'the OpenAPI description does not declare these statuses: see errorCodesOf in src/http/openapi.ts';
    assert.deepEqual(undeclared.splice(0), [], hint);
  };
  closing.push(
    () => app.close(),
    () => access.close(),
    async () => (await watchStore)?.close(),
    () => oauthNet?.close(),
    () => world?.close(),
    () => (broken ? null : catalog.close()),
    requireDeclared,
  );
  const send: TestService['send'] = async (method, path, body, headers = {}) => {
    const reply = await app.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    requireDeclared();
    return toReply(reply.statusCode, reply.headers, reply.payload);
  };
  return {
    app,
    services,
    access,
    async proHeaders() {
      const { key } = await issueApiKey(access.accounts, { orderId: 'test', days: 30, now: clock.now });
      return { authorization: `Bearer ${key}` };
    },
    clock,
    async runWatches() {
      const store = await openStore();
      const queue = await store.openQueue(rethrow);
      const loop = new WatchLoop({
        store,
        queue,
        catalog,
        now,
        net,
        mail: null,
        ask: (id, input) => askHere(operations, id, input, services),
        ownerProblem: async () => null,
        onProblem: rethrow,
      });
      await loop.runOnce(new AbortController().signal);
      await queue.close();
    },
    logLines: () => [...lines],
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) =>
      send('POST', path, JSON.stringify(body), { 'content-type': 'application/json', ...headers }),
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    stop() {
      stopping = true;
    },
    breakCatalog() {
      broken = true;
      catalog.current?.close();
    },
  };
}

/** Statuses that an operation was seen to answer with, and that the published description of it lacks. */
function noteUndeclared(app: FastifyInstance, operations: readonly Operation[]): string[] {
  const found: string[] = [];
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { config, url = '' } = request.routeOptions;
    const { operation } = config;
    if (operation !== undefined) {
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      // A catch-all has another name in the route of the framework.
      const route = url.endsWith('*') ? operation.route! : `${method} ${url}`;
      const status = String(reply.statusCode);
      if (!declaredBy(operations).get(routeTemplate(route))?.has(status)) found.push(`${route} ${status}`);
    }
    done();
  });
  return found;
}

const declared = new WeakMap<readonly Operation[], Map<string, ReadonlySet<string>>>();

/** The statuses that the description declares, by method and path template. */
function declaredBy(operations: readonly Operation[]): Map<string, ReadonlySet<string>> {
  let known = declared.get(operations);
  if (known === undefined) {
    const { paths } = createOpenApiDocument(operations, '0.0.0') as {
      paths: Record<string, Record<string, { responses: object }>>;
    };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { responses }]) => [`${method.toUpperCase()} ${path}`, new Set(Object.keys(responses))] as const,
      ),
    );
    known = new Map(described);
    declared.set(operations, known);
  }
  return known;
}

interface World {
  /** Addresses of the imitated sources. */
  sourceUrls: ReadonlyMap<string, string>;
  net: NetworkClient;
  close(): Promise<void>;
}

/** A lab, and the way out that leads into it; a test with servers of its own reaches those, too. */
async function openWorld(alone: boolean): Promise<World> {
  const lab = await openLab();
  const dial: NetworkClientOptions['mapEndpoint'] = (to) =>
    !alone && to.address === '127.0.0.1' ? to : lab.netOptions.mapEndpoint!(to);
  const net = openNetworkClient({ ...lab.netOptions, mapEndpoint: dial, allowedPrivate: [], proxy: null });
  return {
    sourceUrls: lab.sourceUrls,
    net,
    async close() {
      await net.close();
      await lab.close();
    },
  };
}

/** A world that comes to be when something first goes out: most tests never do. */
function worldWhenNeeded(): World {
  let opening: Promise<World> | null = null;
  let opened: World | null = null;
  const net = async (): Promise<NetworkClient> => {
    opening ??= openWorld(false);
    opened = await opening;
    return opened.net;
  };
  return {
    sourceUrls: new Map(),
    net: {
      queryDns: async (...asked) => (await net()).queryDns(...asked),
      resolveAddresses: async (...asked) => (await net()).resolveAddresses(...asked),
      fetch: async (...asked) => (await net()).fetch(...asked),
      tlsHandshake: async (...asked) => (await net()).tlsHandshake(...asked),
      sendClientHello: async (...asked) => (await net()).sendClientHello(...asked),
      smtpHandshake: async (...asked) => (await net()).smtpHandshake(...asked),
      sendLine: async (...asked) => (await net()).sendLine(...asked),
      trustAnchors: (store) => opened?.net.trustAnchors(store) ?? [],
      dnssecRootKeys: () => opened?.net.dnssecRootKeys() ?? [],
      isBusy: () => false,
      async close() {},
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

function scaleTimeouts(net: NetworkClient, scale: number): NetworkClient {
  const scaled = <Options extends { timeoutMs: number }>(given: Options): Options => ({
    ...given,
    timeoutMs: Math.ceil(given.timeoutMs * scale),
  });
  return {
    ...net,
    queryDns: (name, type, given) => net.queryDns(name, type, scaled(given)),
    resolveAddresses: (host, given) => net.resolveAddresses(host, scaled(given)),
    fetch: (url, given) => net.fetch(url, scaled(given)),
    tlsHandshake: (host, given) => net.tlsHandshake(host, scaled(given)),
    sendClientHello: (host, given) => net.sendClientHello(host, scaled(given)),
    smtpHandshake: (host, given) => net.smtpHandshake(host, scaled(given)),
    sendLine: (endpoint, line, given) => net.sendLine(endpoint, line, scaled(given)),
  };
}

interface Ground {
  catalog: CatalogHandle;
  net: NetworkClient;
  access: Access;
  now: () => Date;
  world: World | null;
}

function loopbackMcp(service: McpService): McpEndpoint {
  return new McpEndpoint(service, { host: '127.0.0.1', allowedOrigins: [] });
}

/** As `createServices` puts them together, but with the test's clock, sources and patience. */
function servicesOver({ catalog, net, access, now, world }: Ground, options: ServiceOptions): RunnerDeps {
  const addresses = options.sources === 'lab' ? Object.fromEntries(world!.sourceUrls) : (options.sources ?? {});
  const asker = new SourceClient(
    net,
    {
      baseUrlOf: ({ id, baseUrl }) => addresses[id] ?? (baseUrl === null ? null : NOBODY),
      keyOf: ({ key }) => (key === null ? null : (options.keys?.[key.variable] ?? null)),
    },
    now,
    { throttle: (host) => access.throttleTarget(host) },
  );
  const { patienceMs, timeScale = 1 } = options;
  return {
    catalog,
    ask: (source, question, signal) =>
      asker.ask(
        {
          ...source,
          policy: {
            ...source.policy,
            timeoutMs: patienceMs?.(source.policy.id) ?? Math.ceil(source.policy.timeoutMs * timeScale),
          },
        },
        question,
        signal,
      ),
    responseCache: new ResponseCache(),
    now,
    memory: new SharedOrLocalStore(null, now),
    serviceState: {
      version: '0.0.0-test',
      startedAt: new Date(NOW.getTime() - 60_000),
      unavailableBackends: () => access.unavailableBackends(),
      catalogProblem: () => catalog.problem,
      followedCatalog: () => null,
      sourceHealth: (policy) => ({ ...asker.health(policy), configured: true }),
    },
  };
}

/** Asks an operation as the watch process does. */
function askHere(
  operations: readonly Operation[],
  id: string,
  input: OperationInput,
  services: RunnerDeps,
): Promise<Record<string, unknown>> {
  const operation = operations.find((one) => one.id === id)!;
  const call = { disconnectSignal: () => new AbortController().signal };
  return runOperation(operation, parseInput(operation, input), services, call);
}

function rethrow(problem: Error): never {
  throw problem;
}

function collector(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(
        ...chunk
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      );
      done();
    },
  });
}

export function toReply(status: number, headers: Reply['headers'], text: string): Reply {
  return {
    status,
    headers,
    text,
    get body() {
      return JSON.parse(text);
    },
  };
}
