/** A record to validate: names in lower case without the final dot, the root is `.`. */
export interface ResourceRecord {
  name: string;
  type: string;
  /** As `dns-packet` decodes it. */
  data: unknown;
}

/** The answer to one DNS query, with signatures. */
export interface SignedAnswer {
  exists: boolean;
  answerSection: readonly ResourceRecord[];
  authoritySection: readonly ResourceRecord[];
}

/** RFC 4034, section 5. */
export interface DsData {
  keyTag: number;
  algorithm: number;
  digestType: number;
  digest: Uint8Array;
}

/** RFC 4034, section 2. */
export interface DnskeyData {
  flags: number;
  algorithm: number;
  key: Uint8Array;
}

/** RFC 4034, section 3; times in seconds since 1970. */
export interface RrsigData {
  typeCovered: string;
  algorithm: number;
  labels: number;
  originalTTL: number;
  expiration: number;
  inception: number;
  keyTag: number;
  signersName: string;
  signature: Uint8Array;
}

/** RFC 4034, section 4. */
export interface NsecData {
  nextDomain: string;
  rrtypes: readonly string[];
}

/** RFC 5155, section 3. */
export interface Nsec3Data {
  algorithm: number;
  flags: number;
  iterations: number;
  salt: Uint8Array;
  nextDomain: Uint8Array;
  rrtypes: readonly string[];
}

/** The records of a name and type. */
export function findRecords(section: readonly ResourceRecord[], name: string, type: string): ResourceRecord[] {
  return section.filter((record) => record.name === name && record.type === type);
}

/** The signatures over the records of a name and type. */
export function findSignatures(section: readonly ResourceRecord[], name: string, type: string): RrsigData[] {
  return findRecords(section, name, 'RRSIG')
    .map(({ data }) => data as RrsigData)
    .filter(({ typeCovered }) => typeCovered === type);
}
