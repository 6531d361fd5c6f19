/** Numbers of record types by the names that `dns-packet` decodes (IANA, "Resource Record (RR) TYPEs"). */
const TYPE_NUMBERS: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  NULL: 10,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  SIG: 24,
  KEY: 25,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  HIP: 55,
  CDS: 59,
  CDNSKEY: 60,
  SPF: 99,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
  CAA: 257,
  TA: 32_768,
  DLV: 32_769,
};

/** The number of a record type; `UNKNOWN_65` is type 65; 0 for other names. */
export function typeNumber(type: string): number {
  return TYPE_NUMBERS[type] ?? Number(/^UNKNOWN_(\d{1,5})$/.exec(type)?.[1] ?? 0);
}

/** The Type Bit Maps field (RFC 4034, 4.1.2): one bit for each type, in windows of 256. */
export function typeBitmap(types: readonly string[]): Uint8Array {
  const windows = new Map<number, number[]>();
  for (const number of types.map(typeNumber).sort((one, other) => one - other)) {
    const window = windows.get(number >> 8) ?? [];
    const at = (number & 0xff) >> 3;
    while (window.length <= at) window.push(0);
    window[at]! |= 0x80 >> (number & 7);
    windows.set(number >> 8, window);
  }
  return Uint8Array.from([...windows].flatMap(([number, bytes]) => [number, bytes.length, ...bytes]));
}
