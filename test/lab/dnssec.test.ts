import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { after, before, describe, test } from 'node:test';
import * as packet from 'dns-packet';
import { type Lab, openLab } from './lab.ts';

/** The zones are judged by a validator after RFC 4035 5.3, which the example of RFC 6605 proves first. */

type Rr = packet.Answer & { ttl?: number; data: unknown };
interface Signature extends packet.RrsigData {
  typeCovered: string;
}

describe('the validator itself', () => {
  const publicKey = 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==';
  const key: packet.DnskeyData = { flags: 257, algorithm: 13, key: Buffer.from(publicKey, 'base64') };
  const signature: Signature = {
    typeCovered: 'A',
    algorithm: 13,
    labels: 3,
    originalTTL: 3600,
    expiration: Date.parse('2010-09-09T10:04:39Z') / 1000,
    inception: Date.parse('2010-08-12T10:04:39Z') / 1000,
    keyTag: 55648,
    signersName: 'example.net',
    signature: Buffer.from(
      'qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==',
      'base64',
    ),
  };
  const during = new Date('2010-09-01T00:00:00Z');

  test('the example of RFC 6605 6.1', () => {
    assert.ok(isSigned([address('192.0.2.1')], signature, [key], during));
    assert.equal(digestOf('example.net', key), 'b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17');
  });

  test('another address, another time', () => {
    assert.ok(!isSigned([address('192.0.2.2')], signature, [key], during));
    assert.ok(!isSigned([address('192.0.2.1')], signature, [key], new Date('2010-10-01T00:00:00Z')));
  });

  function address(data: string): Rr {
    return { name: 'www.example.net', type: 'A', ttl: 3600, data };
  }
});

describe('zones of the lab', () => {
  let lab: Lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab.close());

  const expected: [zone: string, judged: string][] = [
    ['kept.lab', 'secure'],
    ['signed-ok.lab', 'secure'],
    ['signed-nsec3.lab', 'secure'],
    ['signed-rsa.lab', 'secure'],
    ['signed-ed25519.lab', 'secure'],
    ['signed-expired.lab', 'bogus: no key signs the keys'],
    ['signed-bogus.lab', 'bogus: A'],
    ['signed-stripped.lab', 'bogus: no key signs the keys'],
    ['signed-wrong-ds.lab', 'bogus: no key signs the keys'],
    ['signed-no-ds.lab', 'insecure'],
    ['unsigned.lab', 'insecure'],
  ];
  for (const [zone, judged] of expected)
    test(`${zone}: ${judged}`, async () => assert.equal(await judge(zone), judged));

  test('absence is proved: the name, the type, the wildcard', async () => {
    for (const zone of ['signed-ok.lab', 'signed-nsec3.lab']) {
      const keys = await keysOf(zone, await delegation(zone, await keysOfLab()));
      for (const [name, type] of [
        [`nobody.${zone}`, 'A'],
        [`a.b.${zone}`, 'A'],
        [zone, 'CAA'],
      ] as const) {
        const { authorities = [] } = await ask(name, type);
        const proofs = authorities.filter((record) => record.type === 'NSEC' || record.type === 'NSEC3') as Rr[];
        assert.ok(proofs.length > 0, `${name} ${type}`);
        for (const proof of proofs) assert.ok(signed([proof], authorities, keys), `${name} ${proof.type}`);
      }
    }
  });

  test('a validating resolver: AD, SERVFAIL, and CD to see all the same', async () => {
    lab.dns.validating = true;
    try {
      assert.equal((await ask('signed-ok.lab', 'A')).flag_ad, true);
      assert.equal((await ask('unsigned.lab', 'A')).flag_ad, false);
      const bogus = await ask('signed-bogus.lab', 'A');
      assert.deepEqual([(bogus as unknown as { rcode: string }).rcode, bogus.answers], ['SERVFAIL', []]);
      assert.equal((await ask('signed-bogus.lab', 'A', packet.CHECKING_DISABLED)).answers?.length, 2);
    } finally {
      lab.dns.validating = false;
    }
  });

  async function judge(zone: string): Promise<string> {
    const signers = await delegation(zone, await keysOfLab());
    if (signers.length === 0) return 'insecure';
    const keys = await keysOf(zone, signers);
    if (keys.length === 0) return 'bogus: no key signs the keys';
    for (const type of ['A', 'MX', 'TXT'] as const) {
      const { answers = [] } = await ask(zone, type);
      if (!signed(answers.filter((record) => record.type === type) as Rr[], answers, keys)) return `bogus: ${type}`;
    }
    return 'secure';
  }

  /** From the root, whose key is known, down to `.lab`. */
  async function keysOfLab(): Promise<packet.DnskeyData[]> {
    const { keyTag, digest } = lab.dns.trustAnchor;
    const root = await keysOf('.', [`${keyTag} ${digest.toString('hex')}`]);
    const keys = await keysOf('lab', await delegation('lab', root));
    assert.ok(keys.length > 0);
    return keys;
  }

  /** `keyTag digest` of the keys that the zone above, whose keys are given, vouches for. */
  async function delegation(zone: string, keys: packet.DnskeyData[]): Promise<string[]> {
    const { answers = [], authorities = [] } = await ask(zone, 'DS');
    const records = answers.filter((record) => record.type === 'DS');
    if (records.length > 0) assert.ok(signed(records as Rr[], answers, keys), `DS of ${zone}`);
    else
      assert.ok(
        signed(authorities.filter(({ type }) => type === 'NSEC') as Rr[], authorities, keys),
        `no DS of ${zone}`,
      );
    return records.map(({ data }) => `${data.keyTag} ${data.digest.toString('hex')}`);
  }

  /** The keys of a zone, where one that is vouched for signs them; else none. */
  async function keysOf(zone: string, vouched: string[]): Promise<packet.DnskeyData[]> {
    const { answers = [] } = await ask(zone, 'DNSKEY');
    const records = answers.filter((record) => record.type === 'DNSKEY');
    const entries = records.map(({ data }) => data);
    const entry = entries.find((key) => vouched.includes(`${tagOf(key)} ${digestOf(zone, key)}`));
    return entry !== undefined && signed(records as Rr[], answers, [entry]) ? entries : [];
  }

  function ask(name: string, type: packet.RecordType, flags = 0): Promise<packet.DecodedPacket> {
    const socket = createSocket('udp4');
    const edns = { type: 'OPT', name: '.', udpPayloadSize: 4096, flags: packet.DNSSEC_OK } as packet.OptAnswer;
    const query = packet.encode({ type: 'query', id: 1, flags, questions: [{ name, type }], additionals: [edns] });
    return new Promise((resolve) => {
      socket.once('message', (message) => {
        socket.close();
        resolve(packet.decode(message));
      });
      socket.send(query, lab.dns.port, '127.0.0.1');
    });
  }
});

/** Whether records are signed by one of the keys, with a signature among `beside`. */
function signed(records: Rr[], beside: packet.Answer[], keys: packet.DnskeyData[]): boolean {
  const signatures = beside.filter((record) => record.type === 'RRSIG' && record.name === records[0]?.name);
  return signatures
    .map((record) => (record as Rr).data as Signature)
    .filter(({ typeCovered }) => typeCovered === records[0]?.type)
    .some((signature) => isSigned(records, signature, keys, new Date()));
}

function isSigned(records: Rr[], signature: Signature, keys: packet.DnskeyData[], now: Date): boolean {
  const seconds = now.getTime() / 1000;
  const key = keys.find((candidate) => tagOf(candidate) === signature.keyTag);
  if (key === undefined || seconds < signature.inception || seconds > signature.expiration) return false;
  const head = rdata({ name: '.', type: 'RRSIG', data: { ...signature, signature: Buffer.alloc(0) } } as Rr);
  const lines = records
    .map((record) => ({ ...record, ttl: signature.originalTTL }) as Rr)
    .sort((a, b) => Buffer.compare(rdata(a), rdata(b)))
    .map((record) => packet.encode({ answers: [record] }).subarray(12));
  const [algorithm, jwk] = keyOf(key);
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  return verify(
    algorithm,
    Buffer.concat([head, ...lines]),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    signature.signature,
  );
}

function keyOf({ algorithm, key }: packet.DnskeyData): [hash: string | null, jwk: Record<string, string>] {
  const text = (from: number, to?: number): string => key.subarray(from, to).toString('base64url');
  if (algorithm === 13) return ['sha256', { kty: 'EC', crv: 'P-256', x: text(0, 32), y: text(32) }];
  if (algorithm === 15) return [null, { kty: 'OKP', crv: 'Ed25519', x: text(0) }];
  const length = key[0]!;
  return ['sha256', { kty: 'RSA', e: text(1, 1 + length), n: text(1 + length) }];
}

function rdata(record: Rr): Buffer {
  const name = record.name === '.' ? 1 : record.name.length + 2;
  return packet.encode({ answers: [{ ...record }] }).subarray(12 + name + 10);
}

function keyBytes(key: packet.DnskeyData): Buffer {
  return rdata({ name: '.', type: 'DNSKEY', data: key } as Rr);
}

/** RFC 4034 appendix B. */
function tagOf(key: packet.DnskeyData): number {
  const bytes = keyBytes(key);
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) sum += i % 2 === 0 ? bytes[i]! * 256 : bytes[i]!;
  return (sum + Math.floor(sum / 65_536)) % 65_536;
}

function digestOf(zone: string, key: packet.DnskeyData): string {
  const labels = zone === '.' ? [] : zone.split('.');
  const owner = Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ]);
  return createHash('sha256').update(owner).update(keyBytes(key)).digest('hex');
}
