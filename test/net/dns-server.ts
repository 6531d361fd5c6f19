/** A resolver on 127.0.0.1, over UDP and TCP on one port, that answers as a test wants. */

import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, type Question } from 'dns-packet';

export interface Asked {
  id: number;
  name: string;
  type: string;
  over: 'udp' | 'tcp';
  packet: Packet;
}

/** What goes back: parts of an answer, bytes as they are, several messages in a row, or nothing. */
type Reply = Partial<Packet> & { rcode?: number; truncated?: boolean };
export type Respond = (asked: Asked) => Reply | Buffer | readonly (Reply | Buffer)[] | null;

export interface DnsTestServer {
  /** `127.0.0.1:port`, as in the settings. */
  address: string;
  asked: Asked[];
}

const RESPONSE_FLAGS = 0x0180;
const TRUNCATED = 0x0200;

/** A test's context, for example. */
interface Owner {
  after(end: () => Promise<void>): void;
}

export async function serveDns(owner: Owner, respond: Respond): Promise<DnsTestServer> {
  const running: DnsTestServer = { address: '', asked: [] };
  const answersTo = (bytes: Buffer, over: 'udp' | 'tcp'): Buffer[] => {
    const packet = decode(bytes);
    const question = packet.questions![0]!;
    const asked: Asked = { id: packet.id!, name: question.name, type: question.type, over, packet };
    running.asked.push(asked);
    const replies = respond(asked);
    if (replies === null) return [];
    const listed = Array.isArray(replies) ? replies : [replies];
    return listed.map((reply: Reply | Buffer) => (Buffer.isBuffer(reply) ? reply : message(asked.id, question, reply)));
  };
  const { tcp, udp, port, sockets } = await bothOn();
  udp.on('message', (bytes, from) => {
    for (const answer of answersTo(bytes, 'udp')) udp.send(answer, from.port, from.address);
  });
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      for (const answer of answersTo(received.subarray(2), 'tcp'))
        socket.write(Buffer.concat([lengthOf(answer), answer]));
    });
  });
  running.address = `127.0.0.1:${port}`;
  owner.after(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([
      new Promise<void>((resolve) => udp.close(() => resolve())),
      new Promise((resolve) => tcp.close(resolve)),
    ]);
  });
  return running;
}

/** A resolver that knows these names; others do not exist. `[]`: the name exists, without such records. */
export function zone(records: Readonly<Record<string, readonly string[] | (() => readonly string[])>>): Respond {
  return ({ name, type }) => {
    const known = records[name.toLowerCase()];
    if (known === undefined) return { rcode: 3 };
    const values = typeof known === 'function' ? known() : known;
    const answers = values.flatMap((value): Answer[] => {
      const of = /^[\d.]+$/.test(value) ? 'A' : value.includes(':') ? 'AAAA' : 'CNAME';
      return of === type || of === 'CNAME' ? [{ name, type: of, ttl: 60, data: value }] : [];
    });
    return { answers };
  };
}

/** `rcode`: 2 is SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
export function message(id: number, question: Question, { rcode = 0, truncated = false, ...parts }: Reply): Buffer {
  const flags = RESPONSE_FLAGS | (truncated ? TRUNCATED : 0) | (parts.flags ?? 0) | rcode;
  return encode({ id, type: 'response', questions: [question], ...parts, flags });
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}

/** One port for both: the number that TCP got may be taken for UDP. */
async function bothOn() {
  for (let tries = 0; ; tries++) {
    const tcp = createServer();
    const sockets = new Set<Socket>();
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4');
    try {
      await new Promise<void>((resolve, reject) => {
        udp.once('error', reject);
        udp.bind(port, '127.0.0.1', resolve);
      });
      return { tcp, udp, port, sockets };
    } catch (error) {
      tcp.close();
      if (tries > 5) throw error;
    }
  }
}
