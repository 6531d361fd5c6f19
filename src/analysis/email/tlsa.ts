/** A TLSA record (RFC 6698, section 2.1). */
export interface TlsaRecord {
  /** 0 PKIX-TA, 1 PKIX-EE, 2 DANE-TA, 3 DANE-EE (RFC 7218). */
  usage: number;
  /** 0: the whole certificate, 1: its public key. */
  selector: number;
  /** 0: as it is, 1: SHA-256, 2: SHA-512. */
  matchingType: number;
  /** Hex, lower case. */
  data: string;
}

/** A certificate in the forms that TLSA records name; hex, lower case. */
export interface CertificateForms {
  /** By selector, then by matching type. */
  readonly forms: readonly (readonly string[])[];
}

const DIGEST_LENGTHS: Readonly<Record<number, number>> = { 1: 64, 2: 128 };

/** Why a record is without effect for mail servers; null: it can be used (RFC 7672, section 3.1). */
export function tlsaProblem({ usage, selector, matchingType, data }: TlsaRecord): string | null {
  if (usage === 0 || usage === 1) return `usage ${usage}, which mail servers pass over (RFC 7672, section 3.1.3)`;
  if (usage > 3) return `usage ${usage}, which does not exist`;
  if (selector > 1) return `selector ${selector}, which does not exist`;
  if (matchingType > 2) return `matching type ${matchingType}, which does not exist`;
  const length = DIGEST_LENGTHS[matchingType];
  if (length !== undefined && data.length !== length)
    return `${data.length / 2} bytes of data where matching type ${matchingType} has ${length / 2}`;
  return data === '' ? 'no data' : null;
}

/** As zone files write it: `3 1 1 e3b0…`. */
export function formatTlsa({ usage, selector, matchingType, data }: TlsaRecord): string {
  return `${usage} ${selector} ${matchingType} ${data}`;
}

/**
 * Whether a record matches the certificates of a server, the leaf first: usage 3 the leaf, usage 2 an authority above it, which has to
 * be sent (RFC 7672, section 3.1.2).
 */
export function matchesTlsa(record: TlsaRecord, chain: readonly CertificateForms[]): boolean {
  if (tlsaProblem(record) !== null) return false;
  const candidates = record.usage === 3 ? chain.slice(0, 1) : chain.slice(1);
  return candidates.some(({ forms }) => forms[record.selector]?.[record.matchingType] === record.data);
}
