import { algorithmName, type DnssecCrypto, type Hash, isTrusted } from './algorithms.ts';
import { keyTagOf, signedData } from './canonical.ts';
import { isBelow, labelsOf } from './names.ts';
import { type KeyData, plainName, type Rr, type SignatureData, signaturesOver } from './records.ts';

/** A zone with the keys that speak for it. */
export interface Zone {
  name: string;
  keys: readonly ZoneKey[];
}

export interface ZoneKey extends KeyData {
  tag: number;
}

/** The signature that holds, or why none does. */
export type Check = { signature: SignatureData } | { problem: string };

/** Signatures and digests that are tried in one validation: tags that collide must not make it costly (CVE-2023-50387). */
const MAX_TRIES = 64;
/** DNSKEY flags: the key signs records of its zone; it is taken back (RFC 4034, 2.1.1; RFC 5011, 7). */
const ZONE_KEY = 0x100;
const REVOKED = 0x80;

/** More would have to be tried than is. */
export class TooManyTries extends Error {
  override readonly name = 'TooManyTries';
}

export class Verifier {
  readonly #crypto: DnssecCrypto;
  readonly #seconds: number;
  #tries = 0;

  constructor(crypto: DnssecCrypto, now: Date) {
    this.#crypto = crypto;
    this.#seconds = Math.floor(now.getTime() / 1000);
  }

  readonly sha1 = (data: Uint8Array): Uint8Array => this.#crypto.digest('sha1', data);

  /** Throws `TooManyTries`. */
  digest(hash: Hash, data: Uint8Array): Uint8Array {
    this.#try();
    return this.#crypto.digest(hash, data);
  }

  /**
   * Whether records of one name and type are signed by the zone now (RFC 4035, 5.3), with a signature out of `section`. Of several
   * problems the one that came nearest to a valid signature is told. Throws `TooManyTries`.
   */
  check(records: readonly Rr[], section: readonly Rr[], zone: Zone): Check {
    const [{ name, type }] = records as [Rr, ...Rr[]];
    let nearest = { stage: -1, problem: `the ${type} records of ${name} are not signed` };
    for (const signature of signaturesOver(section, name, type)) {
      const failed = this.#failure(records, signature, zone);
      if (failed === null) return { signature };
      if (failed.stage > nearest.stage) nearest = failed;
    }
    return { problem: nearest.problem };
  }

  #failure(records: readonly Rr[], signature: SignatureData, zone: Zone): { stage: number; problem: string } | null {
    const [{ name, type }] = records as [Rr, ...Rr[]];
    const what = `the signature over the ${type} records of ${name}`;
    const { algorithm, keyTag, inception, expiration } = signature;
    const fail = (stage: number, problem: string) => ({ stage, problem: `${what} ${problem}` });
    if (plainName(signature.signersName) !== zone.name || !isBelow(name, zone.name)) {
      return fail(0, `is not by ${zone.name === '.' ? 'the root' : zone.name}`);
    }
    if (signature.labels > labelsOf(name).length) return fail(0, 'is of another name');
    if (!isTrusted(algorithm)) return fail(1, `is by ${algorithmName(algorithm)}, which proves nothing`);
    const keys = zone.keys.filter((key) => key.tag === keyTag && key.algorithm === algorithm && isUsable(key));
    if (keys.length === 0) return fail(2, `is by key ${keyTag}, which the zone does not have`);
    if (this.#seconds < inception) return fail(3, `is valid only from ${day(inception)} on`);
    if (this.#seconds > expiration) return fail(3, `expired on ${day(expiration)}`);
    const data = signedData(records, signature);
    if (data === null) return fail(0, 'is over records that are not judged');
    const holds = keys.some((key) => this.#verify(key, signature, data));
    return holds ? null : fail(4, `is not one that key ${keyTag} made`);
  }

  #verify({ algorithm, key }: ZoneKey, { signature }: SignatureData, data: Uint8Array): boolean {
    this.#try();
    return this.#crypto.verify(algorithm, key, signature, data);
  }

  #try(): void {
    if (++this.#tries > MAX_TRIES) throw new TooManyTries();
  }
}

export function zoneKeys(records: readonly Rr[]): ZoneKey[] {
  return records.map(({ data }) => ({ ...(data as KeyData), tag: keyTagOf(data as KeyData) }));
}

export function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function isUsable({ flags }: KeyData): boolean {
  return (flags & ZONE_KEY) !== 0 && (flags & REVOKED) === 0;
}
