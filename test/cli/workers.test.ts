import assert from 'node:assert/strict';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { pino } from 'pino';
import { WorkerSupervisor } from '../../src/server/worker-supervisor.ts';

/** What the first process does with workers that do not start, do not listen, do not answer, die, or are stopped meanwhile. */

const LISTEN_WITHIN_MS = 60_000;

class FakeWorker extends EventEmitter {
  readonly process: { pid: number | undefined; kill: (signal: string) => void };
  readonly got: string[] = [];
  connected = true;
  /** Whether it answers pings. */
  answers = true;
  dead = false;

  constructor(pid: number | null = 7) {
    super();
    const kill = (signal: string): void => {
      this.got.push(signal);
      this.ends(null, signal);
    };
    this.process = { pid: pid ?? undefined, kill };
  }

  isDead = (): boolean => this.dead;
  isConnected = (): boolean => this.connected;

  send({ type }: { type: string }): void {
    this.got.push(type);
    if (type === 'stop') queueMicrotask(() => this.ends(0));
    if (type === 'ping' && this.answers) this.emit('message', { type: 'pong' });
  }

  ends(code: number | null, signal: string | null = null): void {
    this.dead = true;
    this.emit('exit', code, signal);
  }
}

function workersOf(t: TestContext, count: number, make: (number: number) => FakeWorker = () => new FakeWorker()) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const made: FakeWorker[] = [];
  let starts = 0;
  const workers = new WorkerSupervisor(count, pino({ level: 'silent' }), () => {
    const worker = make(++starts);
    made.push(worker);
    return worker as unknown as Worker;
  });
  const pass = (ms: number): void => t.mock.timers.tick(ms);
  return { workers, made, pass, starts: () => starts };
}

async function started(t: TestContext, count = 1, make?: (number: number) => FakeWorker) {
  const service = workersOf(t, count, make);
  const start = service.workers.start();
  service.made[0]!.emit('listening', { port: 8080 });
  await start;
  return service;
}

describe('the first worker', () => {
  const ways: Record<
    string,
    { make?: () => FakeWorker; happens?: (worker: FakeWorker, pass: (ms: number) => void) => void }
  > = {
    'exits before it listens': { happens: (worker) => worker.ends(1) },
    'cannot be started': {
      make: () => new FakeWorker(null),
      happens: (worker) => worker.emit('error', new Error('spawn EAGAIN')),
    },
    'throws when it is started': {
      make: () => {
        throw new Error('spawn E2BIG');
      },
    },
    'never listens': { happens: (_, pass) => pass(LISTEN_WITHIN_MS) },
  };
  for (const [what, { make, happens }] of Object.entries(ways)) {
    it(`${what}: the start fails, in words, and no other is tried`, async (t) => {
      const { workers, made, pass, starts } = workersOf(t, 2, make);
      const start = workers.start();
      happens?.(made[0]!, pass);
      await assert.rejects(start, /the first worker could not start/);
      pass(LISTEN_WITHIN_MS);
      assert.equal(starts(), 1);
    });
  }
});

describe('a worker that is gone is replaced', () => {
  const ways: Record<string, (worker: FakeWorker) => void> = {
    'after an exit': (worker) => worker.ends(1),
    'after a signal': (worker) => worker.ends(null, 'SIGKILL'),
    'once, though it ends twice': (worker) => {
      worker.ends(1);
      worker.ends(1);
    },
  };
  for (const [what, happens] of Object.entries(ways)) {
    it(what, async (t) => {
      const { made, pass, starts, workers } = await started(t);
      happens(made[0]!);
      pass(200);
      assert.equal(starts(), 2);
      await workers.stop();
    });
  }

  it('when the next one cannot be started either, with longer and longer pauses', async (t) => {
    const { made, pass, starts, workers } = await started(t, 1, (number) => new FakeWorker(number === 1 ? 7 : null));
    made[0]!.ends(1);
    for (const [wanted, ms] of [
      [2, 200],
      [3, 400],
      [4, 800],
    ] as const) {
      pass(ms - 1);
      assert.equal(starts(), wanted - 1);
      pass(1);
      assert.equal(starts(), wanted);
      made.at(-1)!.emit('error', new Error('spawn EAGAIN'));
    }
    await workers.stop();
  });

  it('and when it never listens', async (t) => {
    const { made, pass, starts, workers } = await started(t);
    made[0]!.ends(1);
    pass(200);
    pass(LISTEN_WITHIN_MS);
    assert.deepEqual(made[1]!.got, ['SIGKILL']);
    pass(400);
    assert.equal(starts(), 3);
    await workers.stop();
  });

  it('but not because a message to it failed', async (t) => {
    const { made, pass, starts, workers } = await started(t);
    made[0]!.emit('error', new Error('write EPIPE'));
    pass(LISTEN_WITHIN_MS);
    assert.equal(starts(), 1);
    await workers.stop();
  });
});

describe('a worker that is there and does not answer', () => {
  const WITHIN_MS = 12_000;
  const killed = ({ got }: FakeWorker): boolean => got.includes('SIGKILL');

  it('is killed within twelve seconds and replaced; one that answers is left alone', async (t) => {
    const { made, pass, starts, workers } = await started(t, 2);
    made[1]!.emit('listening', { port: 8080 });
    made[1]!.answers = false;
    pass(WITHIN_MS);
    assert.deepEqual(made.map(killed), [false, true]);
    pass(200);
    assert.equal(starts(), 3);
    await workers.stop();
  });

  it('is left alone where it answers again after eight seconds', async (t) => {
    const { made, pass, starts, workers } = await started(t);
    for (let round = 0; round < 3; round++) {
      made[0]!.answers = false;
      pass(8000);
      made[0]!.answers = true;
      pass(2000);
    }
    assert.equal(killed(made[0]!), false);
    assert.equal(starts(), 1);
    await workers.stop();
  });

  it('is not judged before it listens: it has longer for that', async (t) => {
    const { made, pass, workers } = await started(t, 2);
    made[1]!.answers = false;
    pass(2 * WITHIN_MS);
    assert.equal(killed(made[1]!), false);
    await workers.stop();
  });
});

describe('stop', () => {
  it('during the pause before a worker is started again: none is started, nothing is waited for', async (t) => {
    const { made, pass, starts, workers } = await started(t);
    made[0]!.ends(1);
    await workers.stop();
    pass(LISTEN_WITHIN_MS);
    assert.equal(starts(), 1);
  });

  it('tells each worker, and signals one whose channel is closed', async (t) => {
    const { made, workers } = await started(t, 2);
    made[1]!.connected = false;
    await workers.stop();
    assert.deepEqual([made[0]!.got, made[1]!.got], [['stop'], ['SIGTERM']]);
  });
});
