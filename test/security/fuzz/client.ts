import { Agent, request } from 'node:http';
import type { FuzzRequest } from './fuzz-request.ts';

/** What came back, or that nothing did. */
export interface FuzzReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  ms: number;
}

/** Longer than every operation may take: what has not answered by then never will. */
const NO_ANSWER_MS = 60_000;
const ADDRESSES = 200;

/** Sends requests from many loopback addresses, each with its own connections, as many callers would. */
export class FuzzClient {
  readonly #port: number;
  readonly #agents: readonly Agent[];

  constructor(port: number) {
    this.#port = port;
    this.#agents = Array.from({ length: ADDRESSES }, () => new Agent({ keepAlive: true, maxSockets: 64 }));
  }

  /** Rejects where the connection fails, or nothing is answered in time. `caller`: a number that stands for an address. */
  send(
    { method, path, headers, body }: Omit<FuzzRequest, 'surface' | 'operation'>,
    caller: number,
  ): Promise<FuzzReply> {
    const { promise, resolve, reject } = Promise.withResolvers<FuzzReply>();
    const started = performance.now();
    const at = caller % ADDRESSES;
    const bytes = body === undefined ? null : Buffer.from(body, 'base64');
    const asked = request(
      {
        host: '127.0.0.1',
        port: this.#port,
        localAddress: `127.1.0.${at + 1}`,
        agent: this.#agents[at]!,
        method,
        path,
        headers: { ...headers, ...(bytes === null ? {} : { 'content-length': bytes.length }) },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
            ms: performance.now() - started,
          }),
        );
        response.once('error', reject);
      },
    );
    asked.setTimeout(NO_ANSWER_MS, () => asked.destroy(new Error('no answer')));
    asked.once('error', (error: NodeJS.ErrnoException) => {
      // A kept connection that the server closed at the same moment says nothing of the request (Node's documentation of `reusedSocket`).
      if (asked.reusedSocket && error.code === 'ECONNRESET')
        resolve(this.send({ method, path, headers, ...(body === undefined ? {} : { body }) }, caller));
      else reject(error);
    });
    asked.end(bytes ?? undefined);
    return promise;
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }
}
