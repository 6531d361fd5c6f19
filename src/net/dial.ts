import { connect, type Socket } from 'node:net';
import { isPublic } from '../analysis/ip-address.ts';
import type { Exchange } from './exchange.ts';
import type { Endpoint } from './net.ts';
import type { Proxy } from './proxy.ts';

/** The next address is tried that much later, while the first may still answer (RFC 8305, 5). */
const HEAD_START_MS = 300;
const MAX_TRIED_OF_A_KIND = 3;

export interface Dialled {
  socket: Socket;
  address: string;
  /** When connecting began (`performance.now()`). */
  startedAt: number;
}

/** How connections are made: through the operator's proxy, where addresses are public, or directly; `dial` says where a vetted address really is. */
interface Route {
  proxy: Proxy | null;
  dial: (to: Endpoint) => Endpoint;
}

/**
 * Connects to whichever of the addresses answers first: these and no others. The socket is destroyed when the exchange ends early.
 * Throws `NetError`.
 */
export async function dial(
  addresses: readonly string[],
  port: number,
  exchange: Exchange,
  route: Route,
): Promise<Dialled> {
  const startedAt = performance.now();
  const stop = new AbortController();
  const connecting = firstOf(worthTrying(addresses), stop.signal, (address) => {
    const to = { address, port };
    // A private network is this side of the proxy.
    const direct = route.proxy === null || !isPublic(address);
    return direct ? connectTo(route.dial(to), stop.signal) : route.proxy!.connect(to, stop.signal);
  });
  try {
    const dialled = await Promise.race([connecting, exchange.aborted]);
    exchange.whenAborted(() => dialled.socket.destroy(exchange.signal.reason));
    return { ...dialled, startedAt };
  } catch (error) {
    connecting.then(({ socket }) => socket.destroy()).catch(() => {});
    throw exchange.failure(error);
  } finally {
    stop.abort();
  }
}

/** Some of each kind: a machine may be without a way for one of them. */
function worthTrying(addresses: readonly string[]): string[] {
  const v6 = addresses.filter((address) => address.includes(':'));
  const v4 = addresses.filter((address) => !address.includes(':'));
  return [...v4.slice(0, MAX_TRIED_OF_A_KIND), ...v6.slice(0, MAX_TRIED_OF_A_KIND)];
}

/** Opens connections one after the other, each with a head start, until one stands. `signal` ends those under way. */
function firstOf(
  addresses: readonly string[],
  signal: AbortSignal,
  open: (address: string) => Promise<Socket>,
): Promise<Omit<Dialled, 'startedAt'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Dialled, 'startedAt'>>();
  const left = [...addresses];
  let underway = 0;
  let done = false;
  let headStart: NodeJS.Timeout | undefined;
  let failure: unknown;
  const next = (): void => {
    clearTimeout(headStart);
    const address = left.shift();
    if (address === undefined || done || signal.aborted) return;
    if (left.length > 0) headStart = setTimeout(next, HEAD_START_MS);
    void attempt(address);
  };
  const attempt = async (address: string): Promise<void> => {
    underway++;
    try {
      const socket = await open(address);
      if (done || signal.aborted) {
        socket.destroy();
        return;
      }
      done = true;
      clearTimeout(headStart);
      resolve({ socket, address });
    } catch (error) {
      failure ??= error;
      underway--;
      if (left.length > 0) next();
      else if (underway === 0) reject(failure);
    }
  };
  signal.addEventListener('abort', () => clearTimeout(headStart), { once: true });
  next();
  return promise;
}

/** A connection, or what kept it from standing; `signal` ends the waiting. */
function connectTo({ address, port }: Endpoint, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, noDelay: true });
    const stop = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    // Errors after connecting reach whoever reads; nobody listening must not end the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', stop);
      reject(error);
    });
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop);
      resolve(socket);
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
