import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const STOP_WITHIN_MS = 5000;
/** Linux counts the CPU time of a process in hundredths of a second, on every architecture. */
const TICKS_PER_SECOND = 100;

const running = new Set<ChildProcess>();

/** Starts node with a file of this project. */
export function startNode(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return startProgram(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...options });
}

/** Starts a program. Each child leads a process group, so that its own children end with it. */
export function startProgram(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, [...args], { detached: true, ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Path of a file of this project, given from the folder `bench`. */
export function projectFile(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Ends a child as an operator would, and by force when it does not listen. What it started and left behind (npm does) ends, too. */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => killGroup(child), STOP_WITHIN_MS);
  await ended;
  clearTimeout(late);
  killGroup(child);
}

/** Ends every child still there, at once: for the way out of this process. */
export function killAll(): void {
  for (const child of running) if (!hasEnded(child)) killGroup(child);
}

/** Waits for the end. Throws unless it was a good one. */
export async function finished(child: ChildProcess, what: string): Promise<void> {
  const [code, signal] = hasEnded(child) ? [child.exitCode, child.signalCode] : await once(child, 'exit');
  if (code !== 0) throw new Error(`${what} ended with ${signal ?? `code ${code}`}`);
}

/** The next message of a child. Throws when it ends without one. */
export async function nextMessage<T>(child: ChildProcess, what: string): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onMessage = (message: unknown): void => resolve(message as T);
  const onExit = (): void => reject(new Error(`${what} ended before it answered`));
  child.once('message', onMessage);
  child.once('exit', onExit);
  try {
    return await promise;
  } finally {
    child.off('message', onMessage);
    child.off('exit', onExit);
  }
}

/** CPU seconds, user and system, all threads, its own child processes too; null where /proc does not tell. */
export function cpuSeconds({ pid }: Pick<ChildProcess, 'pid'>): number | null {
  const fields = statFields(pid);
  if (fields === null) return null;
  // Of the process, and of its children that have ended.
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
  return childPids(pid).reduce((sum, child) => sum + (cpuSeconds({ pid: child }) ?? 0), ticks / TICKS_PER_SECOND);
}

/** CPU seconds of all children of this process that have ended, and of theirs; null where /proc does not tell. */
export function endedChildrenCpuSeconds(): number | null {
  const fields = statFields('self');
  return fields === null ? null : (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** Resident bytes of a process and of its child processes, those that only it has and those of files; null where /proc does not tell. */
export function residentBytes(pid: number | undefined): { own: number; files: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1]);
    const total = { own: kib('RssAnon') * 1024, files: (kib('RssFile') + kib('RssShmem')) * 1024 };
    for (const child of childPids(pid)) {
      const other = residentBytes(child);
      total.own += other?.own ?? 0;
      total.files += other?.files ?? 0;
    }
    return total;
  } catch {
    return null;
  }
}

/** Processes that the main thread of a process started. */
function childPids(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function statFields(pid: number | 'self' | undefined): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
  } catch {
    return null;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}
