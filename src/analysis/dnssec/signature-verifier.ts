import { algorithmName, type DnssecCrypto, type DigestHash, isTrustedAlgorithm } from './algorithms.ts';
import { computeKeyTag, signedData } from './canonical-rdata.ts';
import { isAtOrBelow, labelsOf } from './names.ts';
import { type DnskeyData, type ResourceRecord, type RrsigData, findSignatures } from './records.ts';
import { normalizeDnsName } from '../domain-name.ts';

/** A zone with its trusted keys. */
export interface Zone {
  name: string;
  keys: readonly ZoneKey[];
}

export interface ZoneKey extends DnskeyData {
  tag: number;
}

/** The valid signature, or why none is valid. */
export type SignatureCheck = { signature: RrsigData } | { problem: string };

/** Limit of signatures and digests computed in one validation: colliding key tags must not make it costly (CVE-2023-50387). */
const MAX_ATTEMPTS = 64;
/** DNSKEY flags: the key may sign records of its zone (RFC 4034, 2.1.1); it is revoked (RFC 5011, 7). */
const ZONE_KEY = 0x100;
const REVOKED = 0x80;

/** The validation needs more signatures and digests than the limit allows. */
export class TooManyAttemptsError extends Error {
  override readonly name = 'TooManyAttemptsError';
}

export class SignatureVerifier {
  readonly #crypto: DnssecCrypto;
  readonly #nowSeconds: number;
  #attempts = 0;

  constructor(crypto: DnssecCrypto, now: Date) {
    this.#crypto = crypto;
    this.#nowSeconds = Math.floor(now.getTime() / 1000);
  }

  readonly sha1 = (data: Uint8Array): Uint8Array => this.#crypto.digest('sha1', data);

  /** Throws `TooManyAttemptsError`. */
  digest(hash: DigestHash, data: Uint8Array): Uint8Array {
    this.#countAttempt();
    return this.#crypto.digest(hash, data);
  }

  /**
   * Checks that records of one name and type are signed by the zone now (RFC 4035, 5.3), by a signature in `section`. Of several
   * problems that of the most nearly valid signature is returned. Throws `TooManyAttemptsError`.
   */
  check(records: readonly ResourceRecord[], section: readonly ResourceRecord[], zone: Zone): SignatureCheck {
    const [{ name, type }] = records as [ResourceRecord, ...ResourceRecord[]];
    let nearest = { stage: -1, problem: `the ${type} records of ${name} are not signed` };
    for (const signature of findSignatures(section, name, type)) {
      const failed = this.#findFailure(records, signature, zone);
      if (failed === null) return { signature };
      if (failed.stage > nearest.stage) nearest = failed;
    }
    return { problem: nearest.problem };
  }

  #findFailure(
    records: readonly ResourceRecord[],
    signature: RrsigData,
    zone: Zone,
  ): { stage: number; problem: string } | null {
    const [{ name, type }] = records as [ResourceRecord, ...ResourceRecord[]];
    const what = `the signature over the ${type} records of ${name}`;
    const { algorithm, keyTag, inception, expiration } = signature;
    const fail = (stage: number, problem: string) => ({ stage, problem: `${what} ${problem}` });
    if (normalizeDnsName(signature.signersName) !== zone.name || !isAtOrBelow(name, zone.name)) {
      return fail(0, `is not by ${zone.name === '.' ? 'the root' : zone.name}`);
    }
    if (signature.labels > labelsOf(name).length) return fail(0, 'is of another name');
    if (!isTrustedAlgorithm(algorithm)) return fail(1, `is by ${algorithmName(algorithm)}, which proves nothing`);
    const keys = zone.keys.filter((key) => key.tag === keyTag && key.algorithm === algorithm && isUsableKey(key));
    if (keys.length === 0) return fail(2, `is by key ${keyTag}, which the zone does not have`);
    if (this.#nowSeconds < inception) return fail(3, `is valid only from ${formatDay(inception)} on`);
    if (this.#nowSeconds > expiration) return fail(3, `expired on ${formatDay(expiration)}`);
    const data = signedData(records, signature);
    if (data === null) return fail(0, 'covers records of an unsupported type');
    const holds = keys.some((key) => this.#verify(key, signature, data));
    return holds ? null : fail(4, `is not one that key ${keyTag} made`);
  }

  #verify({ algorithm, key }: ZoneKey, { signature }: RrsigData, data: Uint8Array): boolean {
    this.#countAttempt();
    return this.#crypto.verify(algorithm, key, signature, data);
  }

  #countAttempt(): void {
    if (++this.#attempts > MAX_ATTEMPTS) throw new TooManyAttemptsError();
  }
}

/** DNSKEY records as keys with their tags. */
export function toZoneKeys(records: readonly ResourceRecord[]): ZoneKey[] {
  return records.map(({ data }) => ({ ...(data as DnskeyData), tag: computeKeyTag(data as DnskeyData) }));
}

/** `2026-01-31` in UTC; `seconds` since 1970. */
export function formatDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function isUsableKey({ flags }: DnskeyData): boolean {
  return (flags & ZONE_KEY) !== 0 && (flags & REVOKED) === 0;
}
