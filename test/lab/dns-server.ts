import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import * as packet from 'dns-packet';
import { type DelegationSigner, structuredCopy } from './dnssec.ts';
import { DNS_TWINS, type DnsTwin } from './evil-dns.ts';
import type { RequestLog } from './requests.ts';
import type { Resolved, Resolver } from './resolver.ts';
import type { Rr } from './zone.ts';
import { type Asked, RCODES } from './dns-question.ts';

/** Of a UDP answer where the asker does not say more (RFC 1035 4.2.1). */
const PLAIN_UDP_BYTES = 512;

/** A resolver on UDP and TCP, one port for both. */
export class DnsServer {
  readonly port: number;
  /** Validates as real resolvers do: AD on secure answers, SERVFAIL on bogus ones unless CD. */
  validating = false;
  readonly #resolver: Resolver;
  readonly #log: RequestLog;
  readonly #delayMs: number;
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #open = new Set<Socket>();
  readonly #times = new Map<string, number>();
  readonly #closed = new AbortController();

  static async start(resolver: Resolver, log: RequestLog, delayMs: number): Promise<DnsServer> {
    for (;;) {
      const tcp = createServer();
      await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
      const { port } = tcp.address() as AddressInfo;
      const udp = createSocket('udp4');
      const bound = await new Promise<boolean>((done) => {
        udp.once('error', () => done(false)).bind(port, '127.0.0.1', () => done(true));
      });
      if (bound) return new DnsServer({ tcp, udp, port }, resolver, log, delayMs);
      udp.close();
      tcp.close();
    }
  }

  private constructor(
    { tcp, udp, port }: { tcp: Server; udp: UdpSocket; port: number },
    resolver: Resolver,
    log: RequestLog,
    delayMs: number,
  ) {
    this.port = port;
    this.#resolver = resolver;
    this.#log = log;
    this.#delayMs = delayMs;
    this.#udp = udp;
    this.#tcp = tcp;
    udp.on('error', () => {});
    udp.on('message', (message, from) => void this.#onDatagram(message, from));
    tcp.on('connection', (socket) => this.#onConnection(socket));
  }

  get trustAnchor(): DelegationSigner {
    return this.#resolver.trustAnchor;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    for (const socket of this.#open) socket.destroy();
    await Promise.all([
      new Promise<void>((done) => this.#udp.close(done)),
      new Promise((done) => this.#tcp.close(done)),
    ]);
  }

  async #onDatagram(message: Buffer, from: RemoteInfo): Promise<void> {
    await this.#serve(message, false, (bytes) => this.#udp.send(bytes, from.port, from.address));
  }

  #onConnection(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => {}).on('close', () => this.#open.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const message = received.subarray(2, 2 + received.readUInt16BE(0));
        received = received.subarray(2 + message.length);
        void this.#serve(message, true, (bytes) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(bytes.length);
          if (!socket.destroyed) socket.write(Buffer.concat([length, bytes]));
        });
      }
    });
  }

  async #serve(message: Buffer, tcp: boolean, send: (bytes: Buffer) => void): Promise<void> {
    const query = decode(message);
    const question = query?.questions?.[0];
    if (query === null || question === undefined) return;
    const name = question.name.toLowerCase().replace(/^\.$|\.$/, '');
    this.#log.add('dns', name, question.type);
    const times = this.#times.get(`${name} ${question.type}`) ?? 0;
    this.#times.set(`${name} ${question.type}`, times + 1);
    const asked: Asked = {
      query,
      name,
      type: question.type,
      tcp,
      times,
      answer: ({ rcode = 'NOERROR', answers = [], authorities = [], flags = 0 }) =>
        this.#write(asked, RCODES[rcode], answers, authorities, flags),
      honest: () => this.#honest(asked),
    };
    const pause = (ms: number): Promise<unknown> => wait(ms, undefined, { signal: this.#closed.signal, ref: false });
    try {
      if (this.#delayMs > 0) await pause(this.#delayMs);
      const twin = twinOf(name);
      if (twin === undefined) send(this.#fitting(asked, asked.honest()));
      else for await (const bytes of twin.answers(asked, pause)) send(this.#fitting(asked, bytes));
    } catch (error) {
      if (!this.#closed.signal.aborted) throw error;
    }
  }

  #honest(asked: Asked): Buffer {
    const wantsSignatures = dnssecOk(asked.query);
    const found = this.#resolver.resolve(asked.name, asked.type, wantsSignatures);
    if (this.validating && found.security === 'bogus' && !asked.query.flag_cd)
      return asked.answer({ rcode: 'SERVFAIL' });
    return asked.answer({ ...found, flags: this.#authentic(asked, found, wantsSignatures) });
  }

  #authentic({ query }: Asked, { security }: Resolved, wantsSignatures: boolean): number {
    const wanted = wantsSignatures || query.flag_ad;
    return this.validating && wanted && security === 'secure' ? packet.AUTHENTIC_DATA : 0;
  }

  #write({ query }: Asked, rcode: number, answers: Rr[], authorities: Rr[], flags: number): Buffer {
    const edns = ednsOf(query);
    return packet.encode({
      type: 'response',
      id: query.id ?? 0,
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | flags | rcode,
      questions: query.questions ?? [],
      answers: answers.map(structuredCopy),
      authorities: authorities.map(structuredCopy),
      additionals: edns === undefined ? [] : [{ ...edns, flags: dnssecOk(query) ? packet.DNSSEC_OK : 0, options: [] }],
    });
  }

  /** Over UDP, an answer that is too long is cut: the asker comes again over TCP. */
  #fitting({ query, tcp }: Asked, bytes: Buffer): Buffer {
    const limit = tcp ? 65_535 : (ednsOf(query)?.udpPayloadSize ?? PLAIN_UDP_BYTES);
    if (bytes.length <= limit) return bytes;
    const flags = packet.TRUNCATED_RESPONSE | packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE;
    return packet.encode({ type: 'response', id: query.id ?? 0, flags, questions: query.questions ?? [] });
  }
}

function decode(message: Buffer): packet.DecodedPacket | null {
  try {
    return packet.decode(message);
  } catch {
    return null;
  }
}

function twinOf(name: string): DnsTwin | undefined {
  return DNS_TWINS.find(({ host }) => name === host || name.endsWith(`.${host}`));
}

function ednsOf(query: packet.Packet): packet.OptAnswer | undefined {
  return query.additionals?.find((record): record is packet.OptAnswer => record.type === 'OPT');
}

function dnssecOk(query: packet.Packet): boolean {
  return ednsOf(query)?.flag_do === true;
}
