/** Signs zones: DNSKEY, DS, RRSIG, NSEC (RFC 4034, 4035) and NSEC3 (RFC 5155). */

import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import * as packet from 'dns-packet';
import { keyFor } from './x509.ts';
import { nameExists, parentName, type Rr, TTL, type Zone } from './zone.ts';

export interface DelegationSigner {
  keyTag: number;
  algorithm: number;
  digestType: 2;
  digest: Buffer;
}

interface ZoneKey {
  key: KeyObject;
  record: Rr & { data: { flags: number; algorithm: number; key: Buffer } };
  tag: number;
}

const DAY_SECONDS = 86_400;
const KEY_KINDS = { 8: 'rsa2048', 13: 'p256', 15: 'ed25519' } as const;

export class ZoneSigner {
  readonly zone: Zone;
  readonly #keySigning: ZoneKey;
  readonly #zoneSigning: ZoneKey;
  readonly #signatures = new Map<string, Rr>();
  #ordered: string[] | null = null;

  constructor(zone: Zone) {
    this.zone = zone;
    this.#keySigning = zoneKey(zone, 'ksk', 257);
    this.#zoneSigning = zoneKey(zone, 'zsk', 256);
    if (zone.signing === 'stripped') return;
    zone.nodes.get(zone.name)!.set('DNSKEY', [this.#keySigning.record, this.#zoneSigning.record]);
    if (zone.signing === 'nsec3') {
      const data = Buffer.from([1, 0, 0, 0, 0]);
      zone.nodes.get(zone.name)!.set('NSEC3PARAM', [{ name: zone.name, type: 'NSEC3PARAM', ttl: 0, data }]);
    }
  }

  /** What the zone above says of this one. */
  get delegation(): DelegationSigner {
    const { record, tag } = this.#keySigning;
    const signed = Buffer.concat([wireName(this.zone.name), rdataOf(record)]);
    const digest = createHash('sha256').update(signed).digest();
    if (this.zone.signing === 'wrong-ds') digest[0]! ^= 0xff;
    return { keyTag: tag, algorithm: this.zone.algorithm, digestType: 2, digest };
  }

  /** The signature over records of one name and type; `owner` is the wildcard that they came from, where they did. */
  signature(records: readonly Rr[], owner = records[0]!.name): Rr {
    const [first] = records as [Rr];
    const id = `${first.name} ${first.type}`;
    const known = this.#signatures.get(id);
    if (known !== undefined) return known;
    const { key, tag } = first.type === 'DNSKEY' ? this.#keySigning : this.#zoneSigning;
    const end = Math.floor(Date.now() / 1000) + (this.zone.signing === 'expired' ? -30 : 30) * DAY_SECONDS;
    const data = {
      typeCovered: first.type,
      algorithm: this.zone.algorithm,
      labels: labelsOf(owner).filter((label) => label !== '*').length,
      originalTTL: first.ttl,
      expiration: end,
      inception: end - 40 * DAY_SECONDS,
      keyTag: tag,
      signersName: this.zone.name === '' ? '.' : this.zone.name,
      signature: Buffer.alloc(0),
    };
    const unsigned = { name: owner, type: 'RRSIG', ttl: first.ttl, data } as Rr;
    const signed = Buffer.concat([
      rdataOf(unsigned),
      ...records
        .map((record) => ({ ...record, name: owner }) as Rr)
        .sort((a, b) => Buffer.compare(rdataOf(a), rdataOf(b)))
        .map(wire),
    ]);
    data.signature = sign(this.zone.algorithm === 15 ? null : 'sha256', signed, { key, dsaEncoding: 'ieee-p1363' });
    if (this.zone.signing === 'tampered' && first.type !== 'DNSKEY') data.signature[8]! ^= 0xff;
    const made = { ...unsigned, name: first.name } as Rr;
    this.#signatures.set(id, made);
    return made;
  }

  /** Proof, unsigned, that a name has no records of a type. */
  denyType(name: string): Rr[] {
    return [this.zone.signing === 'nsec3' ? this.#nsec3(name, 'at') : this.#nsec(this.#at(name))];
  }

  /** Proof, unsigned, that neither a name nor a wildcard in its place exists. */
  denyName(name: string): Rr[] {
    let closest = parentName(name);
    let next = name;
    while (!nameExists(this.zone, closest) && closest !== this.zone.name) {
      next = closest;
      closest = parentName(closest);
    }
    const wildcard = closest === '' ? '*' : `*.${closest}`;
    const proofs =
      this.zone.signing === 'nsec3'
        ? [this.#nsec3(closest, 'at'), this.#nsec3(next, 'covers'), this.#nsec3(wildcard, 'covers')]
        : [this.#nsec(this.#at(name)), this.#nsec(this.#at(wildcard))];
    return [...new Map(proofs.map((proof) => [proof.name, proof])).values()];
  }

  /** Index of the name, or of the last one before it. */
  #at(name: string): number {
    return this.#names().findLastIndex((other) => compareNames(other, name) <= 0);
  }

  #names(): string[] {
    this.#ordered ??= [...this.zone.nodes.keys()].toSorted(compareNames);
    return this.#ordered;
  }

  #nsec(index: number): Rr {
    const names = this.#names();
    const name = names[index]!;
    const next = names[(index + 1) % names.length]!;
    const rrtypes = [...this.zone.nodes.get(name)!.keys(), 'RRSIG', 'NSEC'];
    return { name, type: 'NSEC', ttl: TTL, data: { nextDomain: next === '' ? '.' : next, rrtypes } };
  }

  #nsec3(name: string, wanted: 'at' | 'covers'): Rr {
    const existing = new Set([...this.zone.nodes.keys()].flatMap((node) => ancestorsWithin(node, this.zone.name)));
    const hashes = [...existing]
      .map((node) => ({ node, hash: nsec3Hash(node) }))
      .sort((a, b) => a.hash.compare(b.hash));
    const hash = nsec3Hash(name);
    const order = wanted === 'at' ? 0 : -1;
    const found = hashes.findLastIndex((other) => other.hash.compare(hash) <= order);
    const { node, hash: own } = hashes.at(found)!;
    const next = hashes[(found + 1 + hashes.length) % hashes.length]!;
    const types = [...(this.zone.nodes.get(node)?.keys() ?? [])];
    const data = {
      algorithm: 1,
      flags: 0,
      iterations: 0,
      salt: Buffer.alloc(0),
      nextDomain: next.hash,
      rrtypes: types.length === 0 ? [] : [...types, 'RRSIG'],
    };
    return { name: `${base32hex(own)}.${this.zone.name}`, type: 'NSEC3', ttl: TTL, data };
  }
}

function zoneKey(zone: Zone, role: string, flags: number): ZoneKey {
  const key = keyFor(`${zone.name} ${role}`, KEY_KINDS[zone.algorithm]);
  const record = {
    name: zone.name,
    type: 'DNSKEY' as const,
    ttl: TTL,
    data: { flags, algorithm: zone.algorithm, key: publicKeyBytes(key) },
  };
  return { key, record, tag: keyTag(rdataOf(record)) };
}

function publicKeyBytes(key: KeyObject): Buffer {
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  const part = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
  if (jwk.kty === 'EC') return Buffer.concat([part(jwk.x), part(jwk.y)]);
  if (jwk.kty === 'OKP') return part(jwk.x);
  const exponent = part(jwk.e);
  return Buffer.concat([Buffer.of(exponent.length), exponent, part(jwk.n)]);
}

/** RFC 4034 appendix B. */
function keyTag(rdata: Buffer): number {
  let sum = 0;
  for (const [index, byte] of rdata.entries()) sum += index % 2 === 0 ? byte << 8 : byte;
  return (sum + (sum >>> 16)) & 0xffff;
}

/** A record as it goes over the wire: canonical, for all names here are in lower case and none is compressed. */
function wire(record: Rr): Buffer {
  return packet.encode({ answers: [structuredCopy(record)] }).subarray(12);
}

function rdataOf(record: Rr): Buffer {
  return wire(record).subarray(wireName(record.name).length + 10);
}

/** `dns-packet` changes the strings of TXT records that it is given. */
export function structuredCopy(record: Rr): Rr {
  return Array.isArray(record.data) ? ({ ...record, data: [...record.data] } as Rr) : record;
}

function wireName(name: string): Buffer {
  return Buffer.concat([
    ...labelsOf(name).map((label) => Buffer.concat([Buffer.of(Buffer.byteLength(label)), Buffer.from(label)])),
    Buffer.of(0),
  ]);
}

function labelsOf(name: string): string[] {
  return name === '' ? [] : name.split('.');
}

/** Canonical order (RFC 4034 6.1): label by label from the right. */
function compareNames(a: string, b: string): number {
  const [left, right] = [labelsOf(a).toReversed(), labelsOf(b).toReversed()];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = Buffer.compare(Buffer.from(left[i]!), Buffer.from(right[i]!));
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function ancestorsWithin(name: string, zone: string): string[] {
  return name === zone ? [name] : [name, ...ancestorsWithin(parentName(name), zone)];
}

function nsec3Hash(name: string): Buffer {
  return createHash('sha1').update(wireName(name)).digest();
}

function base32hex(bytes: Buffer): string {
  const digits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return digits
    .match(/.{5}/g)!
    .map((five) => Number.parseInt(five, 2).toString(32))
    .join('');
}
