import { connect, type Socket } from 'node:net';
import { isPublicIp } from '../analysis/ip-address.ts';
import type { RequestDeadline } from './request-deadline.ts';
import { onAbort } from './on-abort.ts';
import type { IpEndpoint } from './network-client.ts';
import type { HttpProxyClient } from './http-proxy.ts';

/** Delay before the next address is tried while the previous one has not answered (RFC 8305, 5). */
const CONNECTION_ATTEMPT_DELAY_MS = 300;
const MAX_ADDRESSES_PER_FAMILY = 3;

export interface Connection {
  socket: Socket;
  address: string;
  /** When connecting began (`performance.now()`). */
  startedAt: number;
}

/** `proxy`: for public addresses; null: all are reached directly. `mapEndpoint` returns the endpoint to connect to. */
interface ConnectionRoute {
  proxy: HttpProxyClient | null;
  mapEndpoint: (to: IpEndpoint) => IpEndpoint;
}

/**
 * Connects to the first of the addresses that answers. The socket is destroyed when the deadline is aborted.
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
    // Private networks are not reached through the proxy.
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

/** The first addresses of each family: the machine may have no route for one family. */
function candidateAddresses(addresses: readonly string[]): string[] {
  const v6 = addresses.filter((address) => address.includes(':'));
  const v4 = addresses.filter((address) => !address.includes(':'));
  return [...v4.slice(0, MAX_ADDRESSES_PER_FAMILY), ...v6.slice(0, MAX_ADDRESSES_PER_FAMILY)];
}

/** Opens connections one after the other, each with a delay, until one is open. `signal` ends the pending ones. */
function connectFirst(
  addresses: readonly string[],
  signal: AbortSignal,
  open: (address: string) => Promise<Socket>,
): Promise<Omit<Connection, 'startedAt'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Connection, 'startedAt'>>();
  const untried = [...addresses];
  let pendingCount = 0;
  let done = false;
  let nextAttemptTimer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const next = (): void => {
    clearTimeout(nextAttemptTimer);
    const address = untried.shift();
    if (address === undefined || done || signal.aborted) return;
    if (untried.length > 0) nextAttemptTimer = setTimeout(next, CONNECTION_ATTEMPT_DELAY_MS);
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
      if (untried.length > 0) next();
      else if (pendingCount === 0) reject(failure);
    }
  };
  onAbort(signal, () => clearTimeout(nextAttemptTimer));
  next();
  return promise;
}

function connectDirectly({ address, port }: IpEndpoint, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, noDelay: true });
    const removeListener = onAbort(signal, () => {
      socket.destroy();
      reject(signal.reason);
    });
    // Later errors reach the reader; without a listener an error would end the process.
    socket.on('error', (error) => {
      removeListener();
      reject(error);
    });
    socket.once('connect', () => {
      removeListener();
      resolve(socket);
    });
  });
}
