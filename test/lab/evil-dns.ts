import type { Asked } from './dns-question.ts';
import { type Rr, TTL } from './zone.ts';

/** A name that is answered as no honest server would; names below it too. */
export interface DnsTwin {
  host: string;
  shows: string;
  answers(asked: Asked, pause: (ms: number) => Promise<unknown>): AsyncGenerator<Buffer>;
}

const PUBLIC = '5.57.254.1';
const OTHER_PUBLIC = '5.57.254.2';
const SLOW_MS = 3000;

export const DNS_TWINS: readonly DnsTwin[] = [
  {
    host: 'slow.dns.lab',
    shows: `answers after ${SLOW_MS / 1000} s`,
    async *answers(asked, pause) {
      await pause(SLOW_MS);
      yield addresses(asked, PUBLIC);
    },
  },
  { host: 'silent.dns.lab', shows: 'never answers', async *answers() {} },
  {
    host: 'servfail.dns.lab',
    shows: 'SERVFAIL',
    async *answers(asked) {
      yield asked.answer({ rcode: 'SERVFAIL' });
    },
  },
  {
    host: 'refused.dns.lab',
    shows: 'REFUSED',
    async *answers(asked) {
      yield asked.answer({ rcode: 'REFUSED' });
    },
  },
  {
    host: 'malformed.dns.lab',
    shows: 'a record that is longer than its packet',
    async *answers(asked) {
      yield addresses(asked, PUBLIC).subarray(0, -2);
    },
  },
  {
    host: 'garbage.dns.lab',
    shows: 'the right id, then bytes without sense',
    async *answers(asked) {
      yield Buffer.concat([addresses(asked, PUBLIC).subarray(0, 4), Buffer.alloc(40, 0xff)]);
    },
  },
  {
    host: 'compression-loop.dns.lab',
    shows: 'a name that points to itself',
    async *answers(asked) {
      const bytes = Buffer.from(addresses(asked, PUBLIC).subarray(0, 12));
      bytes.writeUInt16BE(0, 4);
      bytes.writeUInt16BE(1, 6);
      bytes.writeUInt16BE(0, 10);
      yield Buffer.concat([bytes, Buffer.from('c00c00010001000000000004053901fe', 'hex')]);
    },
  },
  {
    host: 'wrong-id.dns.lab',
    shows: 'an answer to a question that nobody asked, and nothing else',
    async *answers(asked) {
      yield withOtherId(addresses(asked, OTHER_PUBLIC));
    },
  },
  {
    host: 'spoofed.dns.lab',
    shows: `a forged answer (another id, ${OTHER_PUBLIC}) before the true one (${PUBLIC})`,
    async *answers(asked) {
      yield withOtherId(addresses(asked, OTHER_PUBLIC));
      yield addresses(asked, PUBLIC);
    },
  },
  {
    host: 'wrong-question.dns.lab',
    shows: 'the answer to another question',
    async *answers(asked) {
      const bytes = addresses(asked, OTHER_PUBLIC);
      // The first letter of the name, in the question and in the answer.
      const letter = bytes[13]!;
      for (const [index, byte] of bytes.entries()) if (index > 12 && byte === letter) bytes[index] = 0x71;
      yield bytes;
    },
  },
  {
    host: 'foreign.dns.lab',
    shows: 'addresses of names that were not asked for',
    async *answers(asked) {
      const record: Rr = { name: 'kept.lab', type: 'A', ttl: TTL, data: OTHER_PUBLIC };
      yield asked.answer({ answers: asked.type === 'A' ? [record] : [] });
    },
  },
  {
    host: 'rebind.dns.lab',
    shows: 'a public address the first time, 127.0.0.1 from then on',
    async *answers(asked) {
      yield addresses(asked, asked.times === 0 ? PUBLIC : '127.0.0.1');
    },
  },
  {
    host: 'huge.dns.lab',
    shows: '60 KB of records, over TCP alone',
    async *answers(asked) {
      const texts = Array.from({ length: 230 }, (_, index): Rr => {
        const data = [`${index}:`.padEnd(245, '.')];
        return { name: asked.name, type: 'TXT', ttl: TTL, data };
      });
      const hosts = Array.from({ length: 1500 }, (_, index): Rr => {
        const data = `5.57.${240 + Math.floor(index / 250)}.${(index % 250) + 1}`;
        return { name: asked.name, type: 'A', ttl: TTL, data };
      });
      yield asked.answer({ answers: asked.type === 'TXT' ? texts : asked.type === 'A' ? hosts : [] });
    },
  },
  {
    host: 'cut.dns.lab',
    shows: 'cut over UDP, silent over TCP',
    async *answers(asked) {
      if (!asked.tcp) yield asked.answer({ flags: 0x200 });
    },
  },
];

function addresses(asked: Asked, address: string): Buffer {
  const record: Rr = { name: asked.name, type: 'A', ttl: 0, data: address };
  return asked.answer({ answers: asked.type === 'A' ? [record] : [] });
}

function withOtherId(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt16BE(changed.readUInt16BE(0) ^ 0x5555, 0);
  return changed;
}
