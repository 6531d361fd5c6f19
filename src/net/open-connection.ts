import { connect, type Socket } from 'node:net';
import { isPublicIp } from '../analysis/ip-address.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { Endpoint } from './network-client.ts';
import type { HttpProxy } from './http-proxy.ts';

/** The next address is tried that much later, while the first may still answer (RFC 8305, 5). */
const CONNECTION_ATTEMPT_DELAY_MS = 300;
const MAX_ADDRESSES_PER_FAMILY = 3;

export interface Connection {
  socket: Socket;
  address: string;
  /** When connecting began (`performance.now()`). */
  startedAt: number;
}

/** How connections are made: through the operator's proxy, where addresses are public, or directly; `dial` says where a vetted address really is. */
interface ConnectionRoute {
  proxy: HttpProxy | null;
  mapEndpoint: (to: Endpoint) => Endpoint;
}

/**
 * Connects to whichever of the addresses answers first: these and no others. The socket is destroyed when the exchange ends early.
 * Throws `NetError`.
 */
export async function openConnection(
  addresses: readonly string[],
  port: number,
  deadline: RequestDeadline,
  route: ConnectionRoute,
): Promise<Connection> {
  const startedAt = performance.now();
  const stop = new AbortController();
  const connecting = connectFirst(candidateAddresses(addresses), stop.signal, (address) => {
    const to = { address, port };
    // A private network is this side of the proxy.
    const direct = route.proxy === null || !isPublicIp(address);
    return direct ? connectDirectly(route.mapEndpoint(to), stop.signal) : route.proxy!.connect(to, stop.signal);
  });
  try {
    const connection = await Promise.race([connecting, deadline.abortRejection]);
    deadline.onAbort(() => connection.socket.destroy(deadline.signal.reason));
    return { ...connection, startedAt };
  } catch (error) {
    connecting.then(({ socket }) => socket.destroy()).catch(() => {});
    throw deadline.toNetError(error);
  } finally {
    stop.abort();
  }
}

/** Some of each kind: a machine may be without a way for one of them. */
function candidateAddresses(addresses: readonly string[]): string[] {
  const v6 = addresses.filter((address) => address.includes(':'));
  const v4 = addresses.filter((address) => !address.includes(':'));
  return [...v4.slice(0, MAX_ADDRESSES_PER_FAMILY), ...v6.slice(0, MAX_ADDRESSES_PER_FAMILY)];
}

/** Opens connections one after the other, each with a head start, until one stands. `signal` ends those under way. */
function connectFirst(
  addresses: readonly string[],
  signal: AbortSignal,
  open: (address: string) => Promise<Socket>,
): Promise<Omit<Connection, 'startedAt'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Connection, 'startedAt'>>();
  const left = [...addresses];
  let pendingCount = 0;
  let done = false;
  let nextAttemptTimer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const next = (): void => {
    clearTimeout(nextAttemptTimer);
    const address = left.shift();
    if (address === undefined || done || signal.aborted) return;
    if (left.length > 0) nextAttemptTimer = setTimeout(next, CONNECTION_ATTEMPT_DELAY_MS);
    void attempt(address);
  };
  const attempt = async (address: string): Promise<void> => {
    pendingCount++;
    try {
      const socket = await open(address);
      if (done || signal.aborted) {
        socket.destroy();
        return;
      }
      done = true;
      clearTimeout(nextAttemptTimer);
      resolve({ socket, address });
    } catch (error) {
      failure ??= error;
      pendingCount--;
      if (left.length > 0) next();
      else if (pendingCount === 0) reject(failure);
    }
  };
  signal.addEventListener('abort', () => clearTimeout(nextAttemptTimer), { once: true });
  next();
  return promise;
}

/** A connection, or what kept it from standing; `signal` ends the waiting. */
function connectDirectly({ address, port }: Endpoint, signal: AbortSignal): Promise<Socket> {
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
