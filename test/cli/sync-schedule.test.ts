import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { type Logger, pino } from 'pino';
import { DUE_SYNC, SyncSchedule } from '../../src/server/sync-schedule.ts';

/** A sync process can fail in many ways; none of them may end syncing for the life of the service. */

const FIRST_MS = 200;
const QUARTER_MS = 15 * 60_000;
const START = Date.parse('2030-05-10T12:00:00.000Z');

/** A process as the schedule sees it; `signals` are those that it was sent. */
class FakeChild extends EventEmitter {
  readonly pid: number | undefined;
  readonly signals: string[] = [];
  readonly #obeys: readonly string[];

  constructor(pid: number | undefined, obeys: readonly string[] = ['SIGTERM', 'SIGKILL']) {
    super();
    this.pid = pid;
    this.#obeys = obeys;
  }

  kill(signal: string): boolean {
    this.signals.push(signal);
    if (this.#obeys.includes(signal)) this.ends(null, signal);
    return true;
  }

  ends(code: number | null, signal: string | null = null): void {
    this.emit('exit', code, signal);
    this.emit('close', code, signal);
  }
}

interface Line {
  level: number;
  msg: string;
  [field: string]: unknown;
}

function schedule(t: TestContext, spawnChild: (run: number) => FakeChild) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START });
  const lines: Line[] = [];
  const logger: Logger = pino(
    { level: 'debug' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
  );
  const children: FakeChild[] = [];
  let runs = 0;
  let published = 0;
  const made = new SyncSchedule(
    logger,
    () => published++,
    () => {},
    DUE_SYNC,
    () => {
      const child = spawnChild(++runs);
      children.push(child);
      return child as unknown as ChildProcess;
    },
  );
  made.start();
  return {
    schedule: made,
    children,
    lines,
    runs: () => runs,
    published: () => published,
    /** Lets the time pass, and what waits for it act. */
    async pass(ms: number): Promise<void> {
      t.mock.timers.tick(ms);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
    said: (level: number) => lines.filter((line) => line.level === level).map(({ msg }) => msg),
  };
}

const WARN = 40;
const ERROR = 50;

describe('after a sync that went wrong the next one starts in its turn', () => {
  const ways: Record<string, { child: () => FakeChild; happens?: (child: FakeChild) => void; says: [number, RegExp] }> =
    {
      'it could not be started': {
        child: () => new FakeChild(undefined),
        happens: (child) => child.emit('error', Object.assign(new Error('spawn node EAGAIN'), { code: 'EAGAIN' })),
        says: [ERROR, /cannot be started/],
      },
      'starting it threw': {
        child: () => {
          throw Object.assign(new Error('spawn E2BIG'), { code: 'E2BIG' });
        },
        says: [ERROR, /cannot be started/],
      },
      'it exited with 1': {
        child: () => new FakeChild(7),
        happens: (child) => child.ends(1),
        says: [WARN, /ended before it was done/],
      },
      'it was killed': {
        child: () => new FakeChild(7),
        happens: (child) => child.ends(null, 'SIGKILL'),
        says: [WARN, /ended before it was done/],
      },
      'it ended, and its streams never did': {
        child: () => new FakeChild(7),
        happens: (child) => child.emit('exit', 1, null),
        says: [WARN, /ended before it was done/],
      },
      'it reported what nobody understands': {
        child: () => new FakeChild(7),
        happens(child) {
          for (const message of [
            null,
            5,
            'x',
            [],
            {},
            { type: 'refused' },
            { type: 'done', result: 1 },
            { type: '__proto__' },
          ])
            child.emit('message', message);
          child.ends(0);
        },
        says: [WARN, /reports that cannot be read/],
      },
      'it ended twice': {
        child: () => new FakeChild(7),
        happens(child) {
          child.ends(1);
          child.ends(1);
        },
        says: [WARN, /ended before it was done/],
      },
    };
  for (const [what, { child, happens, says }] of Object.entries(ways)) {
    it(what, async (t) => {
      const service = schedule(t, child);
      for (const wanted of [1, 2, 3]) {
        await service.pass(wanted === 1 ? FIRST_MS : QUARTER_MS);
        assert.equal(service.runs(), wanted);
        if (happens !== undefined) happens(service.children.at(-1)!);
        await service.pass(2000);
        const [level, words] = says;
        assert.match(service.said(level).join('\n'), words);
        assert.equal(service.said(level).length, wanted);
      }
      assert.equal(service.published(), 0);
      await service.schedule.stop();
    });
  }
});

describe('a sync that does not end', () => {
  it('keeps others from starting beside it, and is ended after hours', async (t) => {
    const service = schedule(t, () => new FakeChild(7));
    await service.pass(FIRST_MS);
    for (let turn = 0; turn < 8; turn++) await service.pass(QUARTER_MS);
    assert.equal(service.runs(), 1);
    for (let turn = 0; turn < 9; turn++) await service.pass(QUARTER_MS);
    assert.deepEqual(service.children[0]!.signals, ['SIGTERM']);
    assert.equal(service.runs(), 2);
    await service.schedule.stop();
  });

  it('and takes no notice of signals is given up', async (t) => {
    const service = schedule(t, (run) => new FakeChild(run, run === 1 ? [] : undefined));
    await service.pass(FIRST_MS);
    for (let turn = 0; turn < 16; turn++) await service.pass(QUARTER_MS);
    await service.pass(3000);
    await service.pass(3000);
    assert.deepEqual(service.children[0]!.signals, ['SIGTERM', 'SIGKILL']);
    assert.match(service.said(ERROR).join(), /cannot be killed/);
    await service.pass(QUARTER_MS);
    assert.equal(service.runs(), 2);
    // What was given up and ends at last says nothing of the one that runs now.
    service.children[0]!.ends(1);
    await service.pass(QUARTER_MS);
    assert.equal(service.runs(), 2);
    await service.schedule.stop();
  });

  it('whose signal fails still runs', async (t) => {
    const service = schedule(t, () => new FakeChild(7));
    await service.pass(FIRST_MS);
    service.children[0]!.emit('error', new Error('kill EPERM'));
    await service.pass(QUARTER_MS);
    assert.equal(service.runs(), 1);
    await service.schedule.stop();
  });
});

describe('stop', () => {
  it('before the first sync: none is started', async (t) => {
    const service = schedule(t, () => new FakeChild(7));
    await service.schedule.stop();
    await service.pass(10 * QUARTER_MS);
    assert.equal(service.runs(), 0);
  });

  it('during a sync: it is told to end, and none follows', async (t) => {
    const service = schedule(t, () => new FakeChild(7));
    await service.pass(FIRST_MS);
    await service.schedule.stop();
    assert.deepEqual(service.children[0]!.signals, ['SIGTERM']);
    await service.pass(10 * QUARTER_MS);
    assert.equal(service.runs(), 1);
  });

  it('during one that takes no notice: within seconds', async (t) => {
    const service = schedule(t, () => new FakeChild(7, []));
    await service.pass(FIRST_MS);
    let stopped = false;
    const stopping = service.schedule.stop().then(() => (stopped = true));
    await service.pass(3000);
    assert.equal(stopped, false);
    await service.pass(3000);
    await stopping;
    assert.deepEqual(service.children[0]!.signals, ['SIGTERM', 'SIGKILL']);
  });

  it('after a failed start: at once', async (t) => {
    const service = schedule(t, () => new FakeChild(undefined));
    await service.pass(FIRST_MS);
    service.children[0]!.emit('error', new Error('spawn node ENOENT'));
    await service.pass(0);
    await service.schedule.stop();
    assert.deepEqual(service.children[0]!.signals, []);
  });
});

describe('the log of a service', () => {
  const refused = (feed: string, text: string, unreachable: boolean) => ({
    type: 'refused',
    feed,
    file: null,
    reason: `${feed}.example: getaddrinfo ENOTFOUND`,
    text,
    unreachable,
  });
  const failed = (feed: string) => ({ type: 'feed_done', feed, result: 'failed', records: 0 });

  it('tells of a machine without a network in one line', async (t) => {
    const service = schedule(t, () => new FakeChild(7));
    await service.pass(FIRST_MS);
    const [child] = service.children;
    const feeds = ['kev', 'epss', 'cwe'];
    for (const feed of feeds) {
      child!.emit('message', { type: 'feed', feed, title: feed });
      child!.emit('message', refused(feed, 'the connection failed (dns)', true));
      child!.emit('message', failed(feed));
    }
    child!.emit('message', { type: 'done', result: 'unchanged', file: null, seconds: 0.1 });
    child!.ends(1);
    await service.pass(0);
    const told = service.lines.filter(({ level }) => level > 20);
    assert.equal(told.length, 1);
    const [line] = told;
    assert.equal(line!.msg, '3 feeds could not be reached');
    assert.deepEqual([line!.feeds, line!.why], [feeds, 'the connection failed (dns)']);
    assert.equal(line!.next_try_at, new Date(START + FIRST_MS + QUARTER_MS).toISOString());
    assert.equal(service.published(), 1);
    await service.schedule.stop();
  });

  it('tells apart what was reached and not taken', async (t) => {
    const service = schedule(t, () => new FakeChild(7));
    await service.pass(FIRST_MS);
    const [child] = service.children;
    child!.emit('message', refused('kev', 'the connection failed (timeout)', true));
    child!.emit('message', { ...refused('nvd', 'shrank from 30 to 26 records', false), file: 'nvd-2003' });
    child!.emit('message', { type: 'done', result: 'published', file: 'catalog-1.db', seconds: 0.1 });
    child!.ends(1);
    await service.pass(0);
    assert.deepEqual(service.said(WARN), ['1 feed could not be reached', '1 feed could not be taken, or not whole']);
    const line = service.lines.find(({ feeds }) => !Array.isArray(feeds) && feeds !== undefined);
    assert.deepEqual(line!.feeds, { nvd: ['shrank from 30 to 26 records'] });
    await service.schedule.stop();
  });
});

it('a program that is not there is a sync that could not be started, with a real process too', async () => {
  const lines: Line[] = [];
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const write = (line: string): void => {
    lines.push(JSON.parse(line) as Line);
    resolve();
  };
  const made = new SyncSchedule(
    pino({}, { write }),
    () => {},
    () => {},
    DUE_SYNC,
    () => spawn('/nowhere/at/all', { stdio: 'ignore' }),
  );
  made.start();
  await told;
  await made.stop();
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['sync cannot be started'],
  );
});
