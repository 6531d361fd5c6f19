import { randomInt } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { start, temporaryFolder } from '../cli/command-line.ts';

/** `sextant serve` in a process of its own. Who starts it stops it; what is left is killed when the tests of the file end. */
export interface ServeProcess {
  base: string;
  port: number;
  pid: number;
  dataDir: string;
  /** All that it wrote to standard error so far. */
  log: () => string;
  /** Default SIGTERM: in an orderly way. Gives the exit status, null where a signal ended it. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

const LISTENING = /listening at http:\/\/127\.0\.0\.1:(\d+)/;
const START_WITHIN_MS = 120_000;
const END_WITHIN_MS = 60_000;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the service on a free port, over the starter catalog, and waits until it listens. Nothing is synced, no source is reached. */
export async function startServe(
  settings: Record<string, string> = {},
  words: readonly string[] = [],
  through: readonly string[] = [],
): Promise<ServeProcess> {
  const dataDir = settings.SEXTANT_DATA_DIR ?? temporaryFolder();
  const all = {
    SEXTANT_SYNC: 'off',
    SEXTANT_PORT: '0',
    SEXTANT_DATA_DIR: dataDir,
    SEXTANT_SOURCE_GITHUB_URL: 'http://127.0.0.1:9/',
    SEXTANT_SOURCE_SHODAN_CVEDB_URL: 'http://127.0.0.1:9/',
    ...settings,
  };
  const child = start(['serve', ...words], all, false, through);
  running.add(child);
  child.once('exit', () => running.delete(child));
  let log = '';
  child.stdout!.resume();
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const port = await new Promise<number>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`it does not listen:\n${log}`));
    }, START_WITHIN_MS);
    child.stderr!.on('data', () => {
      const found = LISTENING.exec(log)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(Number(found));
    });
    child.once('close', (status) => {
      clearTimeout(late);
      reject(new Error(`it ended with ${status}:\n${log}`));
    });
  });
  // A test that fails before it stops the service does not keep its process waiting: what is left at its end is killed.
  child.unref();
  for (const output of [child.stdout, child.stderr]) (output as Socket).unref();
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid!,
    dataDir,
    log: () => log,
    stop: (signal = 'SIGTERM') => end(child, signal),
  };
}

/**
 * A port on which nothing listens at this moment, for a service that must know its address before it starts. Not one that the system gives to whoever
 * connects or listens somewhere meanwhile (from 32768 on).
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'close');
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
  await ended;
  clearTimeout(late);
  return child.exitCode;
}

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Client {
  get: (url: string, headers?: Record<string, string>) => Promise<Answered>;
  close: () => void;
}

/** Asks from this address of the loopback network, on as many connections as there are questions at once. */
export function clientFrom(localAddress: string, keepAlive = true): Client {
  const agent = new Agent({ keepAlive, maxSockets: Number.POSITIVE_INFINITY });
  return {
    get: (url, headers = {}) =>
      new Promise((resolve, reject) => {
        const asked = request(url, { agent, localAddress, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part) => {
            text += part;
          });
          response.once('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
          response.once('error', reject);
        });
        asked.setTimeout(120_000, () => asked.destroy(new Error('no answer')));
        asked.once('error', reject);
        asked.end();
      }),
    close: () => agent.destroy(),
  };
}
