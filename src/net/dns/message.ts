import {
  AUTHENTIC_DATA,
  CHECKING_DISABLED,
  type DecodedPacket,
  DNSSEC_OK,
  decode,
  encode,
  RECURSION_DESIRED,
} from 'dns-packet';
import { parseIp } from '../../analysis/ip-address.ts';
import type { DnsRecord, RecordType } from './answer.ts';
import { normalName } from './name.ts';

/** What a resolver may send over UDP: fits the path everywhere (DNS flag day 2020). */
const UDP_PAYLOAD = 1232;
/** Names may point to names: reading a message takes time by the product of both. */
const MAX_RECORDS = 1000;
const MAX_BYTES = 32 * 1024;
const HEADER_BYTES = 12;

export interface Question {
  name: string;
  type: RecordType;
  dnssec: boolean;
  /** Answers that do not validate are wanted too. */
  unchecked?: boolean;
}

export interface Message {
  rcode: string;
  truncated: boolean;
  authenticated: boolean;
  answers: readonly DnsRecord[];
  authorities: readonly DnsRecord[];
}

/** `edns` false: for servers that do not know EDNS(0) (RFC 6891). */
export function encodeQuestion(id: number, { name, type, dnssec, unchecked = false }: Question, edns: boolean): Buffer {
  const opt = {
    type: 'OPT' as const,
    name: '.' as const,
    udpPayloadSize: UDP_PAYLOAD,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: dnssec ? DNSSEC_OK : 0,
    flag_do: dnssec,
    options: [],
  };
  return encode({
    type: 'query',
    id,
    // AD in a question asks for AD in the answer (RFC 6840, 5.7).
    flags: RECURSION_DESIRED | AUTHENTIC_DATA | (unchecked ? CHECKING_DISABLED : 0),
    questions: [{ name, type, class: 'IN' }],
    additionals: edns ? [opt] : [],
  });
}

/** Whether `bytes` claim to answer the question with this id. */
export function isAnswerTo(id: number, bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_BYTES && ((bytes[0]! << 8) | bytes[1]!) === id;
}

/** Reads an answer to `question`. Throws an `Error` for what is not well-formed or answers something else. */
export function decodeAnswer(bytes: Buffer, question: Question): Message {
  if (bytes.length > MAX_BYTES) throw new Error('larger than allowed');
  const counted = [4, 6, 8, 10].reduce((sum, at) => sum + bytes.readUInt16BE(at), 0);
  if (counted > MAX_RECORDS) throw new Error('more records than allowed');
  const packet = decode(bytes) as DecodedPacket & { rcode: string; opcode: string };
  if (!packet.flag_qr || packet.opcode !== 'QUERY') throw new Error('not an answer');
  const [asked, ...more] = packet.questions ?? [];
  // A server that could not read the question, or will not answer it, need not repeat it.
  const repeats = asked !== undefined && normalName(asked.name) === question.name && asked.type === question.type;
  const failed = packet.rcode !== 'NOERROR' && packet.rcode !== 'NXDOMAIN';
  if (more.length > 0 || !(repeats || (failed && asked === undefined)))
    throw new Error('an answer to another question');
  return {
    rcode: packet.rcode,
    truncated: packet.flag_tc,
    authenticated: packet.flag_ad,
    answers: recordsOf(packet.answers),
    authorities: recordsOf(packet.authorities),
  };
}

function recordsOf(section: DecodedPacket['answers']): DnsRecord[] {
  return (section ?? []).flatMap((record) => {
    if (record.type === 'OPT' || record.class !== 'IN') return [];
    return [{ name: normalName(record.name), type: record.type, ttl: record.ttl ?? 0, data: dataOf(record) }];
  });
}

type Answer = NonNullable<DecodedPacket['answers']>[number];

function dataOf(record: Answer): unknown {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return addressOf(record.data);
    case 'NS':
    case 'CNAME':
    case 'DNAME':
    case 'PTR':
      return normalName(record.data);
    case 'MX':
      return { ...record.data, exchange: normalName(record.data.exchange) };
    case 'SOA':
      return { ...record.data, mname: normalName(record.data.mname), rname: normalName(record.data.rname) };
    case 'TXT':
      return Buffer.concat([record.data].flat().map((part) => Buffer.from(part))).toString('utf8');
    default:
      return 'data' in record ? record.data : null;
  }
}

function addressOf(data: string): string {
  const address = parseIp(data);
  if (address === null) throw new Error('a malformed address record');
  return address;
}
