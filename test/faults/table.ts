import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback, closeServer } from '../lab/loopback.ts';
import { childrenOf, eventually, NO_POSTGRES, NO_REDIS, startPostgres, startRedis } from '../support/engines.ts';
import { type Answered, clientFrom, type ServeProcess } from '../support/serve-process.ts';
import { sharedPath } from '../support/shared.ts';
import { NO_SLOW_FILES, slowFile } from '../support/slow-file.ts';
import type { Installation } from './installation.ts';

/** Something that breaks, and what is seen of it. */
export interface Fault {
  part: 'file' | 'engine' | 'source' | 'disk' | 'clock' | 'process';
  name: string;
  state: string;
  /** Its row in the table of `docs/running-it.md`, by what breaks there. */
  documented: string;
  skip?: string | false;
  /** The fault writes to the catalog's files. */
  writesCatalog?: boolean;
  /** Before the service starts. */
  prepare: (owner: Owner, dataDir: string) => Promise<Prepared> | Prepared;
  /** `/readyz`, and `problems` of `/v1/status` (of feeds those named in `of` alone), while it lasts. */
  seen: { readyz: string; problems: RegExp[]; of?: readonly string[] };
  /** A line of the log; null: nothing need be said. */
  log: RegExp | null;
  callers: { path: string; status: number; says: RegExp }[];
}

interface Prepared {
  settings?: Record<string, string>;
  words?: readonly string[];
  /** A command that runs the service. */
  through?: readonly string[];
  /** When the service listens. */
  inject?: (installation: Installation) => unknown;
  /** Ends the fault: afterwards `/readyz` says ok and there is no problem. */
  heal?: (installation: Installation) => unknown;
}

type OwnParts = Pick<Fault, 'documented' | 'prepare'>;

interface Owner {
  after(end: () => Promise<void>): void;
}

const LOOK_UP = { path: '/v1/cve/CVE-2021-44228', status: 200, says: /"cve_id":"CVE-2021-44228"/ };
const away = (name: string): Fault['seen'] => ({ readyz: '200 degraded', problems: [new RegExp(`^${name} is away$`)] });

const redis = (state: string, more: Partial<Fault> & Pick<Fault, 'prepare'>): Fault => ({
  part: 'engine',
  name: 'Redis',
  state,
  documented: 'Redis gone, hanging or full',
  skip: NO_REDIS,
  seen: away('redis'),
  log: /redis is away; going on without it/,
  callers: [LOOK_UP],
  ...more,
});
const database = (state: string, more: Partial<Fault> & Pick<Fault, 'prepare'>): Fault => ({
  part: 'engine',
  name: 'PostgreSQL',
  state,
  documented: 'PostgreSQL gone or hanging',
  skip: NO_POSTGRES,
  seen: away('database'),
  log: /database is away; going on without it/,
  callers: [LOOK_UP],
  ...more,
});

const ENGINES: Fault[] = [
  redis('gone at the start, then back', {
    async prepare(owner) {
      const engine = await startRedis(owner, { start: false });
      return { settings: { SEXTANT_REDIS_URL: engine.url }, heal: () => engine.restart() };
    },
  }),
  redis('gone while it is used, then back', {
    async prepare(owner) {
      const engine = await startRedis(owner);
      return { settings: { SEXTANT_REDIS_URL: engine.url }, inject: () => engine.kill(), heal: () => engine.restart() };
    },
  }),
  redis('slow: answers nothing, then back', {
    async prepare(owner) {
      const engine = await startRedis(owner);
      return { settings: { SEXTANT_REDIS_URL: engine.url }, inject: () => engine.stop(), heal: () => engine.resume() };
    },
  }),
  redis('full: refuses every write, then back', {
    async prepare(owner) {
      const engine = await startRedis(owner);
      return {
        settings: { SEXTANT_REDIS_URL: engine.url, SEXTANT_QUOTA_KEYLESS: '1000' },
        async inject(installation) {
          await engine.say('CONFIG SET maxmemory 1');
          await installation.get(LOOK_UP.path);
        },
        heal: () => engine.say('CONFIG SET maxmemory 0'),
      };
    },
  }),
  database('gone at the start, then back', {
    async prepare(owner) {
      const engine = await startPostgres(owner, { start: false });
      return { settings: { SEXTANT_DATABASE_URL: engine.url }, heal: () => engine.restart() };
    },
  }),
  database('gone while it is used, then back', {
    async prepare(owner) {
      const engine = await startPostgres(owner);
      return {
        settings: { SEXTANT_DATABASE_URL: engine.url },
        inject: () => engine.kill(),
        heal: () => engine.restart(),
      };
    },
  }),
  database('slow: answers nothing, then back', {
    async prepare(owner) {
      const engine = await startPostgres(owner);
      return {
        settings: { SEXTANT_DATABASE_URL: engine.url },
        inject: () => engine.stop(),
        heal: () => engine.resume(),
      };
    },
  }),
];

/** A file system of its own for the data folder needs a namespace of its own (Linux). */
const NO_NAMESPACES =
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status !== 0 && 'no user namespaces';

/** SHA-1 of `password`: asked of one source alone. */
const OF_SOURCE = '/v1/password/5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8';
const source = (state: string, handler: RequestListener | null): Fault => ({
  part: 'source',
  name: 'a live source',
  state,
  documented: 'a live source gone, hanging, endless or answering nonsense',
  async prepare(owner) {
    const current: { handler: RequestListener | null } = { handler };
    const server = createServer((request, response) => {
      if (current.handler === null) response.destroy();
      else current.handler(request, response);
    });
    const { port, open } = await listenOnLoopback(server);
    owner.after(() => closeServer(server, open));
    return {
      settings: { SEXTANT_SOURCE_HIBP_URL: `http://127.0.0.1:${port}/` },
      inject: (installation) => installation.get(OF_SOURCE),
      async heal(installation) {
        current.handler = (_request, response) => response.end('1E4C9B93F3F0682250B6CF8331B7EE68FD8:42\r\n');
        await eventually(
          async () => (await installation.get(OF_SOURCE)).text.includes('"found":true'),
          'it answers again',
        );
      },
    };
  },
  // What others do is no fault of this service: it is ready.
  seen: { readyz: '200 ok', problems: [/^hibp: error$/] },
  log: null,
  callers: [
    // Not known, never "not found".
    {
      path: OF_SOURCE,
      status: 200,
      says: /"found":null,.*"sources_unavailable":\["hibp"\],"completeness":"minimal"|"found":null,.*"completeness":"partial"/,
    },
    LOOK_UP,
  ],
});

const SOURCES: Fault[] = [
  source('gone, then back', null),
  source('slow: never answers, then back', () => {}),
  source('full: answers without an end, then back', (_request, response) => {
    const pour = (): void => {
      while (response.write('0'.repeat(65_536)));
      response.once('drain', pour);
    };
    pour();
  }),
  source('corrupt: answers a page in place of data, then back', (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back soon</h1>'),
  ),
];

const FILL = 'fill';

const DISKS: Fault[] = [
  {
    part: 'disk',
    name: 'the data folder',
    state: 'full while it is used, then back',
    documented: 'data folder full',
    skip: NO_NAMESPACES,
    prepare(_owner, dataDir) {
      const catalog = `${dataDir}-catalog`;
      renameSync(join(dataDir, 'catalog'), catalog);
      const filled = (pid: number): string => join('/proc', String(pid), 'root', dataDir, FILL);
      const script = 'mount -t tmpfs -o size=4m tmpfs "$1" && ln -s "$2" "$1/catalog" && shift 2 && exec "$@"';
      return {
        settings: { SEXTANT_QUOTA_KEYLESS: '1000' },
        through: ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', dataDir, catalog],
        async inject({ service }) {
          try {
            writeFileSync(filled(service.pid), Buffer.alloc(8 * 1024 * 1024));
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          }
          await askFromMany(service);
        },
        async heal({ service, get }) {
          rmSync(filled(service.pid));
          // The next call that is counted finds the room.
          await eventually(async () => {
            await get(LOOK_UP.path);
            return !/degraded/.test((await get('/readyz')).text);
          }, 'the counters are written again');
        },
      };
    },
    seen: away('counters'),
    log: /counters/,
    callers: [LOOK_UP],
  },
];

/** New callers need new room in the counters. */
async function askFromMany({ base }: ServeProcess): Promise<void> {
  for (let at = 1; at <= 250; at++) {
    const client = clientFrom(`127.9.0.${at}`, false);
    const { status } = await client.get(base + LOOK_UP.path);
    client.close();
    if (status !== 200) throw new Error(`a look-up was answered with ${status}`);
  }
}

const POINTER = 'current.json';
const inCatalog = (dataDir: string, name: string): string => join(dataDir, 'catalog', name);
const databaseIn = (dataDir: string): string =>
  inCatalog(dataDir, readdirSync(join(dataDir, 'catalog')).find((name) => name.endsWith('.db'))!);

/** Puts an older generation beside the current one, as a sync leaves it: the same file again under an older name. */
function addOlder(dataDir: string): void {
  const path = databaseIn(dataDir);
  const file = 'catalog-20200101T000000000Z-aaaaaa.db';
  copyFileSync(path, inCatalog(dataDir, file));
  const generation = JSON.parse(readFileSync(inCatalog(dataDir, POINTER), 'utf8')) as object;
  writeFileSync(
    inCatalog(dataDir, `${file}.json`),
    JSON.stringify({ ...generation, file, created_at: '2020-01-01T00:00:00.000Z' }),
  );
}

/** Other bytes at places that look-ups read, with the size as it was. */
function flipBytes(path: string): void {
  const file = openSync(path, 'r+');
  const { size } = fstatSync(file);
  for (let at = 8192; at < size; at += 1 << 20) writeSync(file, Buffer.alloc(512, 0xa5), 0, 512, at);
  closeSync(file);
}

const OLDER = /^the catalog of \S+ .+: the catalog of 2020-01-01T00:00:00\.000Z answers$/;
const SAID = /catalog: not as it should be/;

/** As no feed has. */
const NEW_RECORDS = 987_654_321;

const file = (name: string, state: string, more: OwnParts & Partial<Fault>): Fault => ({
  part: 'file',
  name,
  state,
  writesCatalog: true,
  seen: { readyz: '200 degraded', problems: [OLDER] },
  log: SAID,
  callers: [LOOK_UP],
  ...more,
});

const FILES: Fault[] = [
  file('the pointer', 'gone at the start', {
    documented: '`current.json` gone or damaged at the start',
    seen: { readyz: '200 degraded', problems: [/^current\.json is gone: the catalog of \S+ answers$/] },
    prepare(_owner, dataDir) {
      rmSync(inCatalog(dataDir, POINTER));
      return {};
    },
  }),
  file('the pointer', 'corrupt at the start', {
    documented: '`current.json` gone or damaged at the start',
    seen: { readyz: '200 degraded', problems: [/^current\.json is damaged: the catalog of \S+ answers$/] },
    prepare(_owner, dataDir) {
      writeFileSync(inCatalog(dataDir, POINTER), '{"file": "catalog-');
      return {};
    },
  }),
  file('the pointer', 'gone while it is used, then back', {
    documented: '`current.json` gone while running',
    seen: { readyz: '200 degraded', problems: [/^current\.json is gone/] },
    prepare(_owner, dataDir) {
      const pointer = inCatalog(dataDir, POINTER);
      const text = readFileSync(pointer);
      return { inject: () => rmSync(pointer), heal: () => writeFileSync(pointer, text) };
    },
  }),
  file('the catalog', 'gone at the start, an older one beside it', {
    documented: 'catalog file gone, cut off or changed at the start',
    prepare(_owner, dataDir) {
      const path = databaseIn(dataDir);
      addOlder(dataDir);
      rmSync(path);
      return {};
    },
  }),
  file('the catalog', 'corrupt at the start (bytes changed), an older one beside it', {
    documented: 'catalog file gone, cut off or changed at the start',
    prepare(_owner, dataDir) {
      const path = databaseIn(dataDir);
      addOlder(dataDir);
      flipBytes(path);
      return {};
    },
  }),
  file('the catalog', 'corrupt at the start (cut off), none beside it', {
    documented: 'catalog file gone, cut off or changed at the start',
    seen: {
      readyz: '200 degraded',
      problems: [/^the catalog of \S+ was cut off .+: only the starter catalog answers$/, /^no feed has been synced/],
    },
    callers: [{ ...LOOK_UP, says: /"sources_queried":\["starter"\].*"completeness":"partial"/ }],
    prepare(_owner, dataDir) {
      const path = databaseIn(dataDir);
      truncateSync(path, statSync(path).size / 2);
      return {};
    },
  }),
  file('the catalog', 'corrupt while it is used (bytes changed), an older one beside it', {
    documented: 'catalog file cut off or changed while running',
    prepare(_owner, dataDir) {
      const path = databaseIn(dataDir);
      addOlder(dataDir);
      return { inject: () => flipBytes(path) };
    },
  }),
  file('a new catalog', 'slow: to open it takes long, then back', {
    documented: 'file of a new catalog slow to read',
    skip: NO_SLOW_FILES,
    // After a minute it is said.
    seen: { readyz: '200 ok', problems: [] },
    log: null,
    async prepare(owner, dataDir) {
      const path = databaseIn(dataDir);
      const pointer = inCatalog(dataDir, POINTER);
      const generation = JSON.parse(readFileSync(pointer, 'utf8')) as { sources: Record<string, { records: number }> };
      const newer = 'catalog-20990101T000000000Z-bbbbbb.db';
      copyFileSync(path, inCatalog(dataDir, newer));
      const slow = await slowFile(owner, inCatalog(dataDir, newer));
      generation.sources['kev']!.records = NEW_RECORDS;
      return {
        async inject() {
          writeFileSync(
            pointer,
            JSON.stringify({ ...generation, file: newer, created_at: '2099-01-01T00:00:00.000Z' }),
          );
          await slow.wanted;
        },
        async heal({ get }) {
          slow.release();
          const answers = async () => (await get('/v1/status')).text.includes(`"records":${NEW_RECORDS}`);
          await eventually(answers, 'the new one answers');
        },
      };
    },
  }),
  file('a feed file', 'slow: to open it takes long, then back', {
    documented: 'a feed file slow to read',
    skip: NO_SLOW_FILES,
    seen: { readyz: '200 ok', problems: [/^kev: stale$/], of: ['kev'] },
    log: null,
    async prepare(owner, dataDir) {
      const mirror = join(dataDir, 'mirror', 'kev');
      mkdirSync(mirror, { recursive: true });
      const name = 'known_exploited_vulnerabilities.json';
      copyFileSync(join(sharedPath('feeds')!, 'kev', name), join(mirror, name));
      const slow = await slowFile(owner, join(mirror, name));
      return {
        settings: { SEXTANT_SYNC: 'auto', SEXTANT_FEEDS: join(dataDir, 'mirror') },
        inject: () => slow.wanted,
        async heal({ service }) {
          slow.release();
          const isRead = (): boolean => /"feed":"kev","result":"loaded"/.test(service.log());
          await eventually(isRead, 'the feed is read');
        },
      };
    },
  }),
  file('the catalog', 'corrupt while it is used (cut off), an older one beside it', {
    documented: 'catalog file cut off or changed while running',
    prepare(_owner, dataDir) {
      const path = databaseIn(dataDir);
      addOlder(dataDir);
      return { inject: () => truncateSync(path, 65_536) };
    },
  }),
];

const CLOCKS: Fault[] = [
  {
    part: 'clock',
    name: 'the clock of this machine',
    state: 'was ahead when the feeds were synced, and is right again',
    documented: 'a clock that was ahead at a sync',
    prepare(_owner, dataDir) {
      const pointer = inCatalog(dataDir, POINTER);
      const generation = JSON.parse(readFileSync(pointer, 'utf8')) as { sources: Record<string, object> };
      for (const [id, state] of Object.entries(generation.sources)) {
        generation.sources[id] = { ...state, from_origin: true, last_success_at: '2099-01-01T00:00:00.000Z' };
      }
      writeFileSync(pointer, JSON.stringify(generation));
      return {};
    },
    seen: { readyz: '200 ok', problems: [/^nvd: stale$/], of: ['nvd'] },
    log: null,
    callers: [{ ...LOOK_UP, says: /"completeness":"partial","gaps":\["nvd was synced by a clock that was ahead/ }],
  },
];

const worker = (state: string, more: OwnParts & Partial<Fault>): Fault => ({
  part: 'process',
  name: 'a worker',
  state,
  seen: { readyz: '200 ok', problems: [] },
  log: null,
  callers: [LOOK_UP, LOOK_UP, LOOK_UP, LOOK_UP],
  ...more,
});

const signalledSync = (state: string, signal: NodeJS.Signals, more: Pick<Fault, 'documented' | 'log'>): Fault => ({
  part: 'process',
  name: 'the sync',
  state,
  async prepare(owner) {
    // An upstream that never comes to an end keeps it at work.
    let asked = false;
    const server = createServer(() => {
      asked = true;
    });
    const { port, open } = await listenOnLoopback(server);
    owner.after(() => closeServer(server, open));
    return {
      settings: { SEXTANT_SYNC: 'auto', SEXTANT_FEEDS: `http://127.0.0.1:${port}/` },
      async inject({ service }) {
        await eventually(() => asked, 'the sync asks the upstream');
        process.kill(childrenOf(service.pid)[0]!, signal);
      },
    };
  },
  seen: { readyz: '200 ok', problems: [] },
  callers: [LOOK_UP],
  ...more,
});

const PROCESSES: Fault[] = [
  worker('gone, then back', {
    documented: 'a worker that is killed',
    log: /worker/,
    prepare: () => ({
      words: ['--workers', '2'],
      async inject({ service }) {
        await eventually(() => childrenOf(service.pid).length === 2, 'both workers run');
        // The first one listens already.
        process.kill(childrenOf(service.pid)[1]!, 'SIGKILL');
      },
      heal: ({ service }) => eventually(() => childrenOf(service.pid).length === 2, 'there are two again'),
    }),
  }),
  worker('slow: stopped, answers nothing, then back', {
    documented: 'a worker that is stopped, or blocked permanently',
    log: /"worker":[12],"silent_ms":10000,.*a worker does not answer/,
    prepare() {
      let kept: Promise<PromiseSettledResult<Answered>[]>;
      return {
        words: ['--workers', '2'],
        async inject({ service, get }) {
          await eventually(() => service.log().match(/listening at/g)?.length === 2, 'both workers listen');
          const clients = Array.from({ length: 20 }, () => clientFrom('127.0.0.1'));
          const ask = () => Promise.allSettled(clients.map((client) => client.get(service.base + LOOK_UP.path)));
          // Each keeps a connection, to one worker or the other.
          await ask();
          process.kill(childrenOf(service.pid)[0]!, 'SIGSTOP');
          kept = ask().finally(() => clients.forEach(({ close }) => close()));
          // One connection at most is on its way to a worker that does not take it; the others go to the other worker.
          const answers = await Promise.allSettled(Array.from({ length: 10 }, () => get(LOOK_UP.path)));
          assert.ok(answers.filter(({ status }) => status === 'fulfilled').length >= 9);
        },
        async heal({ service }) {
          const failures = (await kept).flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
          assert.doesNotMatch(failures.join('\n'), /no answer/, 'a connection that the worker kept was left open');
          await eventually(() => childrenOf(service.pid).length === 2, 'there are two again');
        },
      };
    },
  }),
  {
    part: 'process',
    name: 'the sync',
    state: 'gone: its feeds cannot be reached',
    documented: 'feeds out of reach',
    prepare: () => ({ settings: { SEXTANT_SYNC: 'auto', SEXTANT_FEEDS: 'http://127.0.0.1:9/' } }),
    seen: { readyz: '200 ok', problems: [/^kev: error$/], of: ['kev'] },
    log: /could not be reached/,
    callers: [LOOK_UP],
  },
  signalledSync('gone: killed while it reads', 'SIGKILL', {
    documented: 'a sync that is killed',
    log: /"signal":"SIGKILL".*sync ended before it was done/,
  }),
  signalledSync('slow: stopped while it reads', 'SIGSTOP', { documented: 'a sync that is stopped', log: null }),
];

export const FAULTS: readonly Fault[] = [...FILES, ...ENGINES, ...SOURCES, ...DISKS, ...CLOCKS, ...PROCESSES];
