import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chownSync, constants, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Real engines, each started for the test that wants it, on a free port of 127.0.0.1 and in a temporary folder. A test skips
 * by the reason below where the machine has no such server.
 */
const REDIS = executable('redis-server') ?? executable('valkey-server');
const POSTGRES = executable('postgres', '/usr/lib/postgresql/*/bin');

export const NO_REDIS: string | false = REDIS === null && 'no redis-server';
export const NO_POSTGRES: string | false = POSTGRES === null && 'no postgres';

const READY_WITHIN_MS = 60_000;
/** Of a PostgreSQL that is told to end in an orderly way. */
const END_WITHIN_MS = 20_000;

/** Who ends the engine: a test's context, or `{ after }` of a whole file. */
interface Owner {
  after(end: () => Promise<void>): void;
}

export interface Engine {
  url: string;
  port: number;
  pid: () => number;
  /** `kill -9`. */
  kill: () => Promise<void>;
  /** The process is there, and answers nothing. */
  stop: () => void;
  resume: () => void;
  /** After `kill`: the same data, as far as the engine keeps any, on the same port. */
  restart: () => Promise<void>;
}

export interface RedisEngine extends Engine {
  /** One command, words with spaces between; the raw reply. */
  say: (command: string) => Promise<string>;
}

/** Keeps nothing on the disk. `start: false`: the port is there, the server not yet (`restart` starts it). */
export async function startRedis(owner: Owner, { cluster = false, start = true } = {}): Promise<RedisEngine> {
  const folder = ownFolder();
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  if (cluster) args.push('--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf');
  const say = (command: string): Promise<string> => tell(port, command);
  const engine = await run(owner, folder, start, {
    url: `redis://127.0.0.1:${port}${cluster ? '?cluster=true' : ''}`,
    port,
    launch: () => spawn(REDIS!, args, { stdio: 'ignore' }),
    async isReady() {
      if (cluster) await say('CLUSTER ADDSLOTSRANGE 0 16383');
      return cluster ? (await say('CLUSTER INFO')).includes('cluster_state:ok') : (await say('PING')).includes('PONG');
    },
    pids: (pid) => [pid],
    end: 'SIGKILL',
  });
  return { ...engine, say };
}

/** A cluster of databases, with one database `sextant`; everybody on 127.0.0.1 may log in. */
export async function startPostgres(owner: Owner, { start = true } = {}): Promise<Engine> {
  const folder = ownFolder();
  const port = await freePort();
  const user = ordinaryUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const as = { cwd: folder, stdio: 'ignore' as const, ...user };
  const data = join(folder, 'data');
  const init = [
    '-D',
    data,
    '-U',
    'sextant',
    '-A',
    'trust',
    '--no-sync',
    '--no-instructions',
    '-E',
    'UTF8',
    '--locale',
    'C',
  ];
  execFileSync(join(POSTGRES!, '..', 'initdb'), init, as);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=50'];
  const args = ['-D', data, '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])];
  return run(owner, folder, start, {
    url: `postgres://sextant@127.0.0.1:${port}/postgres`,
    port,
    launch: () => spawn(POSTGRES!, args, as),
    isReady: () => acceptsLogin(port),
    pids: (pid) => [pid, ...childrenOf(pid)],
    end: 'SIGQUIT',
  });
}

/** A port on which nobody listens at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const LONGEST_PAUSE_MS = 400;

/** Tries until it holds; fails with the last error, or what is missing. */
export async function eventually(holds: () => unknown, what: string, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  // Looks are work for both sides: what takes long is looked at less often.
  let pauseMs = 25;
  for (;;) {
    try {
      if (await holds()) return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await pause(pauseMs);
    pauseMs = Math.min(1.5 * pauseMs, LONGEST_PAUSE_MS);
  }
}

interface Kind {
  url: string;
  port: number;
  launch: () => ChildProcess;
  isReady: () => Promise<boolean>;
  /** The process and all that work for it. */
  pids: (pid: number) => number[];
  end: NodeJS.Signals;
}

async function run(owner: Owner, folder: string, start: boolean, kind: Kind): Promise<Engine> {
  let child: ChildProcess | null = null;
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of child === null ? [] : kind.pids(child.pid!)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
    }
  };
  const gone = async (): Promise<void> => {
    if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    child = null;
  };
  const launch = async (): Promise<void> => {
    await eventually(
      async () => {
        if (child === null || child.exitCode !== null || child.signalCode !== null) child = kind.launch();
        return kind.isReady();
      },
      'the engine is ready',
      READY_WITHIN_MS,
    );
  };
  const killAtExit = (): void => signal('SIGKILL');
  process.once('exit', killAtExit);
  owner.after(async () => {
    signal('SIGCONT');
    if (child !== null) process.kill(child.pid!, kind.end);
    const late = setTimeout(() => signal('SIGKILL'), END_WITHIN_MS);
    await gone();
    clearTimeout(late);
    process.off('exit', killAtExit);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  if (start) await launch();
  return {
    url: kind.url,
    port: kind.port,
    pid: () => child!.pid!,
    async kill() {
      signal('SIGKILL');
      await gone();
    },
    stop: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    restart: launch,
  };
}

function executable(name: string, ...more: string[]): string | null {
  // oxlint-disable-next-line node/no-process-env
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...more.flatMap((pattern) => globSync(pattern))];
  // A package may put a link to the server on the path, without the tools that stand beside it.
  for (const folder of folders.toReversed()) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this one.
    }
  }
  return null;
}

function ownFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sextant-engine-'));
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const [, uid, gid] = /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))!;
  return { uid: Number(uid), gid: Number(gid) };
}

/** Processes that a process started (Linux). */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Redis takes plain lines; the reply is read until it pauses. */
async function tell(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(20_000, () => socket.destroy(new Error('no reply')));
  try {
    await once(socket, 'connect');
    socket.end(`${command}\r\nQUIT\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  } finally {
    socket.destroy();
  }
}

/** Whether a start-up message is answered as by a server that lets people in. */
async function acceptsLogin(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(20_000, () => socket.destroy(new Error('no reply')));
  try {
    await once(socket, 'connect');
    const words = Buffer.from('user\0sextant\0database\0postgres\0\0');
    const head = Buffer.alloc(8);
    head.writeInt32BE(words.length + 8, 0);
    head.writeInt32BE(196_608, 4);
    socket.write(Buffer.concat([head, words]));
    // A server that is just starting or ending closes without an answer.
    for await (const reply of socket) return (reply as Buffer)[0] === 'R'.charCodeAt(0);
    return false;
  } finally {
    socket.destroy();
  }
}
