import { createServer, type Server, type Socket } from 'node:net';
import { closeServer, listenOnLoopback } from './loopback.ts';
import type { RequestLog } from './requests.ts';
import { WHOIS_PLANS, type WhoisPlan } from './whois.ts';

const MAX_LINE = 1000;

/** The WHOIS servers of the lab, each on a port of its own. */
export class WhoisServers {
  readonly ports = new Map<string, number>();
  readonly #servers: { server: Server; open: Set<Socket> }[] = [];

  static async start(log: RequestLog, delayMs: number): Promise<WhoisServers> {
    const started = new WhoisServers();
    await Promise.all(WHOIS_PLANS.map((plan) => started.#start(plan, log, delayMs)));
    return started;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ server, open }) => closeServer(server, open)));
  }

  async #start(plan: WhoisPlan, log: RequestLog, delayMs: number): Promise<void> {
    const server = createServer((socket) => {
      onLine(socket, (line) => {
        log.add('whois', plan.host, line);
        setTimeout(() => reply(plan, line, socket), delayMs);
      });
    });
    const { port, open } = await listenOnLoopback(server);
    this.ports.set(plan.host, port);
    this.#servers.push({ server, open });
  }
}

function onLine(socket: Socket, take: (line: string) => void): void {
  let received = '';
  const read = (data: Buffer): void => {
    received += data.toString();
    if (received.length > MAX_LINE) return void socket.destroy();
    if (!received.includes('\n')) return;
    socket.off('data', read).resume();
    take(received.split('\n')[0]!.trim());
  };
  socket.on('data', read);
}

function reply(plan: WhoisPlan, line: string, socket: Socket): void {
  if (socket.destroyed) return;
  const answer = plan.answer(line);
  if (typeof answer === 'string') socket.end(answer);
  else answer(socket);
}
