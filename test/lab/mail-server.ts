import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { type TlsPlan, tlsOptions } from './certificates.ts';
import { closeServer, listenOnLoopback } from './loopback.ts';
import type { RequestLog } from './requests.ts';

/** What a mail server of the lab shows on port 25. */
export interface MailServerPlan {
  host: string;
  address: string;
  shows: string;
  /** Null: it does not offer STARTTLS. */
  tls: Omit<TlsPlan, 'host' | 'shows'> | null;
}

export const MAIL_SERVER_PLANS: readonly MailServerPlan[] = [
  {
    host: 'mx1.kept.lab',
    address: '5.57.251.1',
    shows: 'STARTTLS with a valid certificate, which its TLSA record names',
    tls: {},
  },
  { host: 'mx2.kept.lab', address: '5.57.251.2', shows: 'STARTTLS with a valid certificate', tls: {} },
  { host: 'mx1.mail.lab', address: '5.57.252.1', shows: 'no STARTTLS', tls: null },
  {
    host: 'mx1.mail-dane.lab',
    address: '5.57.252.31',
    shows: 'STARTTLS with another certificate than its TLSA record names',
    tls: { sends: 'self-signed', versions: ['TLSv1.2', 'TLSv1.2'] },
  },
];

/** The mail servers of the lab, each on a port of its own: greeting, EHLO, STARTTLS, QUIT. */
export class MailServers {
  /** Ports by address. */
  readonly ports = new Map<string, number>();
  readonly #servers: { server: Server; open: Set<Socket> }[] = [];

  static async start(log: RequestLog, delayMs: number): Promise<MailServers> {
    const started = new MailServers();
    await Promise.all(MAIL_SERVER_PLANS.map((plan) => started.#start(plan, log, delayMs)));
    return started;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ server, open }) => closeServer(server, open)));
  }

  async #start(plan: MailServerPlan, log: RequestLog, delayMs: number): Promise<void> {
    const server = createServer((socket) => {
      setTimeout(() => socket.write(`220 ${plan.host} ESMTP\r\n`), delayMs);
      const onData = (data: Buffer): void => {
        const command = data.toString().trim();
        log.add('smtp', plan.host, command);
        if (/^EHLO /i.test(command))
          return void socket.write(
            `250-${plan.host}\r\n${plan.tls === null ? '' : '250-STARTTLS\r\n'}250 8BITMIME\r\n`,
          );
        if (command.toUpperCase() !== 'STARTTLS' || plan.tls === null) return void socket.end('502 no\r\n');
        socket.off('data', onData);
        socket.write('220 go ahead\r\n', () => secure(socket, plan));
      };
      socket.on('data', onData);
    });
    const { port, open } = await listenOnLoopback(server);
    this.ports.set(plan.address, port);
    this.#servers.push({ server, open });
  }
}

function secure(socket: Socket, { host, shows, tls }: MailServerPlan): void {
  const { options } = tlsOptions({ ...tls, host, shows });
  new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(options) }).on('error', () => {});
}
