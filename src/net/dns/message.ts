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
import type { DnsRecord, DnsRecordType } from './answer.ts';
import { normalizeDnsName } from '../../analysis/domain-name.ts';

/** Size limit of UDP responses, which fits every network path (DNS flag day 2020). */
const UDP_PAYLOAD_BYTES = 1232;
/** Limits the cost of decompressing names, which grows with records and pointers. */
const MAX_RECORDS = 1000;
const MAX_MESSAGE_BYTES = 32 * 1024;
const HEADER_BYTES = 12;

export interface DnsQuery {
  name: string;
  type: DnsRecordType;
  dnssec: boolean;
  /** Accepts also responses that fail DNSSEC validation (CD). */
  checkingDisabled?: boolean;
}

export interface DnsMessage {
  rcode: string;
  truncated: boolean;
  authenticated: boolean;
  answers: readonly DnsRecord[];
  authorities: readonly DnsRecord[];
}

/** A query in wire format. `edns` false: for servers without EDNS(0) (RFC 6891). */
export function encodeQuery(
  id: number,
  { name, type, dnssec, checkingDisabled = false }: DnsQuery,
  edns: boolean,
): Buffer {
  const opt = {
    type: 'OPT' as const,
    name: '.' as const,
    udpPayloadSize: UDP_PAYLOAD_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: dnssec ? DNSSEC_OK : 0,
    flag_do: dnssec,
    options: [],
  };
  return encode({
    type: 'query',
    id,
    // AD in a query requests AD in the response (RFC 6840, 5.7).
    flags: RECURSION_DESIRED | AUTHENTIC_DATA | (checkingDisabled ? CHECKING_DISABLED : 0),
    questions: [{ name, type, class: 'IN' }],
    additionals: edns ? [opt] : [],
  });
}

/** Whether `bytes` have the id of the query. */
export function isResponseTo(id: number, bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_BYTES && ((bytes[0]! << 8) | bytes[1]!) === id;
}

/** Decodes the response to `question`. Throws an `Error` for one that is malformed or answers another query. */
export function decodeResponse(bytes: Buffer, question: DnsQuery): DnsMessage {
  if (bytes.length > MAX_MESSAGE_BYTES) throw new Error('larger than allowed');
  const counted = [4, 6, 8, 10].reduce((sum, at) => sum + bytes.readUInt16BE(at), 0);
  if (counted > MAX_RECORDS) throw new Error('more records than allowed');
  const packet = decode(bytes) as DecodedPacket & { rcode: string; opcode: string };
  if (!packet.flag_qr || packet.opcode !== 'QUERY') throw new Error('not an answer');
  const [asked, ...more] = packet.questions ?? [];
  // Error responses need not repeat the question.
  const repeatsQuestion =
    asked !== undefined && normalizeDnsName(asked.name) === question.name && asked.type === question.type;
  const failed = packet.rcode !== 'NOERROR' && packet.rcode !== 'NXDOMAIN';
  if (more.length > 0 || !(repeatsQuestion || (failed && asked === undefined)))
    throw new Error('an answer to another question');
  return {
    rcode: packet.rcode,
    truncated: packet.flag_tc,
    authenticated: packet.flag_ad,
    answers: toDnsRecords(packet.answers),
    authorities: toDnsRecords(packet.authorities),
  };
}

function toDnsRecords(section: DecodedPacket['answers']): DnsRecord[] {
  return (section ?? []).flatMap((record) => {
    if (record.type === 'OPT' || record.class !== 'IN') return [];
    return [{ name: normalizeDnsName(record.name), type: record.type, ttl: record.ttl ?? 0, data: recordData(record) }];
  });
}

type DecodedRecord = NonNullable<DecodedPacket['answers']>[number];

function recordData(record: DecodedRecord): unknown {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return canonicalAddress(record.data);
    case 'NS':
    case 'CNAME':
    case 'DNAME':
    case 'PTR':
      return normalizeDnsName(record.data);
    case 'MX':
      return { ...record.data, exchange: normalizeDnsName(record.data.exchange) };
    case 'SOA':
      return { ...record.data, mname: normalizeDnsName(record.data.mname), rname: normalizeDnsName(record.data.rname) };
    case 'TXT':
      return Buffer.concat([record.data].flat().map((part) => Buffer.from(part))).toString('utf8');
    default:
      return 'data' in record ? record.data : null;
  }
}

function canonicalAddress(data: string): string {
  const address = parseIp(data);
  if (address === null) throw new Error('a malformed address record');
  return address;
}
