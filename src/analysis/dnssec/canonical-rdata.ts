import ipaddr from 'ipaddr.js';
import { compareBytes, concatBytes, labelsOf, lastLabels, wildcardBelow, encodeName, lengthPrefixed } from './names.ts';
import { typeBitmap, typeNumber } from './record-types.ts';
import {
  type DsData,
  type DnskeyData,
  type Nsec3Data,
  type NsecData,
  type ResourceRecord,
  type RrsigData,
} from './records.ts';
import { withoutFinalDot, normalizeDnsName } from '../domain-name.ts';

const CLASS_IN = 1;

/** RDATA in canonical form (RFC 4034, 6.2; RFC 6840, 5.1); null: an unsupported type. */
export function canonicalRdata(type: string, data: unknown): Uint8Array | null {
  switch (type) {
    case 'A':
    case 'AAAA':
      return Uint8Array.from(ipaddr.parse(data as string).toByteArray());
    case 'NS':
    case 'CNAME':
      return encodeName(normalizeDnsName(data as string));
    case 'MX': {
      const { preference, exchange } = data as { preference: number; exchange: string };
      return concatBytes([uint16(preference), encodeName(normalizeDnsName(exchange))]);
    }
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = data as DsData;
      return concatBytes([uint16(keyTag), Uint8Array.of(algorithm, digestType), digest]);
    }
    case 'DNSKEY':
      return dnskeyRdata(data as DnskeyData);
    case 'NSEC': {
      const { nextDomain, rrtypes } = data as NsecData;
      // The next name keeps its case (RFC 6840, 5.1).
      return concatBytes([encodeName(withoutFinalDot(nextDomain)), typeBitmap(rrtypes)]);
    }
    case 'NSEC3': {
      const { algorithm, flags, iterations, salt, nextDomain, rrtypes } = data as Nsec3Data;
      const head = [
        Uint8Array.of(algorithm, flags),
        uint16(iterations),
        ...lengthPrefixed(salt),
        ...lengthPrefixed(nextDomain),
      ];
      return concatBytes([...head, typeBitmap(rrtypes)]);
    }
    default:
      return null;
  }
}

const PROTOCOL_DNSSEC = 3;

/** RDATA of a DNSKEY record (RFC 4034, 2.1). */
export function dnskeyRdata({ flags, algorithm, key }: DnskeyData): Uint8Array {
  return concatBytes([uint16(flags), Uint8Array.of(PROTOCOL_DNSSEC, algorithm), key]);
}

/** Key tag of a key (RFC 4034, appendix B). */
export function computeKeyTag(key: DnskeyData): number {
  const sum = dnskeyRdata(key).reduce((total, byte, index) => total + (index % 2 === 0 ? byte << 8 : byte), 0);
  return (sum + (sum >>> 16)) & 0xffff;
}

/**
 * The data that a signature covers (RFC 4034, 3.1.8.1): its own fields, then the records in canonical order, each once. Records from a
 * wildcard are signed under its name. `records`: at least one, all of one name and type. Null: an unsupported type.
 */
export function signedData(records: readonly ResourceRecord[], signature: RrsigData): Uint8Array | null {
  const [{ name, type }] = records as [ResourceRecord, ...ResourceRecord[]];
  const owner = encodeName(
    isWildcardExpansion(name, signature) ? wildcardBelow(lastLabels(name, signature.labels)) : name,
  );
  const head = concatBytes([owner, uint16(typeNumber(type)), uint16(CLASS_IN), uint32(signature.originalTTL)]);
  const values: Uint8Array[] = [];
  for (const { data } of records) {
    const value = canonicalRdata(type, data);
    if (value === null) return null;
    values.push(value);
  }
  const sorted = values
    .sort(compareBytes)
    .filter((value, index, all) => index === 0 || compareBytes(value, all[index - 1]!) !== 0);
  return concatBytes([rrsigRdataPrefix(signature), ...sorted.flatMap((value) => [head, uint16(value.length), value])]);
}

/** Whether the signature covers a wildcard from which the records of `name` were made (RFC 4035, 5.3.4). */
export function isWildcardExpansion(name: string, { labels }: RrsigData): boolean {
  return labels < labelsOf(name).filter((label, index) => index > 0 || label !== '*').length;
}

function rrsigRdataPrefix(signature: RrsigData): Uint8Array {
  const { typeCovered, algorithm, labels, originalTTL, expiration, inception, keyTag, signersName } = signature;
  const numbers = [uint32(originalTTL), uint32(expiration), uint32(inception), uint16(keyTag)];
  const signer = encodeName(normalizeDnsName(signersName));
  return concatBytes([uint16(typeNumber(typeCovered)), Uint8Array.of(algorithm, labels), ...numbers, signer]);
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}
