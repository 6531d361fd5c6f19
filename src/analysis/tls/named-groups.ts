/**
 * Groups of a key exchange (IANA, "TLS Supported Groups"). `bits`: of the field or modulus, for hybrids and ML-KEM the security of the
 * classical part or category as an RSA-like measure is not defined: null. `postQuantum`: holds against a quantum computer
 * (draft-ietf-tls-ecdhe-mlkem, draft-ietf-tls-mlkem).
 */
export interface NamedGroup {
  readonly code: number;
  readonly name: string;
  readonly bits: number | null;
  readonly kind: 'ec' | 'ffdh' | 'hybrid' | 'ml-kem';
}

const ec = (code: number, name: string, bits: number): NamedGroup => ({ code, name, bits, kind: 'ec' });

/** In the order in which they are offered: current ones first. */
export const NAMED_GROUPS: readonly NamedGroup[] = [
  { code: 0x11ec, name: 'X25519MLKEM768', bits: null, kind: 'hybrid' },
  { code: 0x11eb, name: 'SecP256r1MLKEM768', bits: null, kind: 'hybrid' },
  { code: 0x11ed, name: 'SecP384r1MLKEM1024', bits: null, kind: 'hybrid' },
  { code: 0x6399, name: 'X25519Kyber768Draft00', bits: null, kind: 'hybrid' },
  { code: 0x0201, name: 'MLKEM768', bits: null, kind: 'ml-kem' },
  { code: 0x0202, name: 'MLKEM1024', bits: null, kind: 'ml-kem' },
  { code: 0x0200, name: 'MLKEM512', bits: null, kind: 'ml-kem' },
  ec(0x001d, 'x25519', 253),
  ec(0x0017, 'secp256r1', 256),
  ec(0x001e, 'x448', 448),
  ec(0x0018, 'secp384r1', 384),
  ec(0x0019, 'secp521r1', 521),
  { code: 0x0100, name: 'ffdhe2048', bits: 2048, kind: 'ffdh' },
  { code: 0x0101, name: 'ffdhe3072', bits: 3072, kind: 'ffdh' },
  { code: 0x0102, name: 'ffdhe4096', bits: 4096, kind: 'ffdh' },
  { code: 0x0103, name: 'ffdhe6144', bits: 6144, kind: 'ffdh' },
  { code: 0x0104, name: 'ffdhe8192', bits: 8192, kind: 'ffdh' },
  ec(0x001a, 'brainpoolP256r1', 256),
  ec(0x001b, 'brainpoolP384r1', 384),
  ec(0x001c, 'brainpoolP512r1', 512),
  ec(0x001f, 'brainpoolP256r1tls13', 256),
  ec(0x0020, 'brainpoolP384r1tls13', 384),
  ec(0x0021, 'brainpoolP512r1tls13', 512),
  ec(0x0029, 'curveSM2', 256),
  ec(0x0016, 'secp256k1', 256),
  ec(0x0015, 'secp224r1', 224),
  ec(0x0014, 'secp224k1', 224),
  ec(0x0013, 'secp192r1', 192),
  ec(0x0012, 'secp192k1', 192),
  ec(0x0010, 'secp160r1', 160),
  ec(0x000f, 'secp160k1', 160),
  ec(0x0011, 'secp160r2', 160),
  ...[
    'sect163k1:163',
    'sect163r1:162',
    'sect163r2:163',
    'sect193r1:193',
    'sect193r2:193',
    'sect233k1:232',
    'sect233r1:233',
    'sect239k1:238',
    'sect283k1:281',
    'sect283r1:282',
    'sect409k1:407',
    'sect409r1:409',
    'sect571k1:570',
    'sect571r1:570',
  ].map((row, index) => ec(index + 1, row.split(':')[0]!, Number(row.split(':')[1]))),
];

const BY_CODE = new Map(NAMED_GROUPS.map((group) => [group.code, group]));

export function findNamedGroup(code: number): NamedGroup | null {
  return BY_CODE.get(code) ?? null;
}

export function groupName(code: number): string {
  return findNamedGroup(code)?.name ?? `group_${code.toString(16).padStart(4, '0')}`;
}

/** Whether the exchange holds against a quantum computer: a key encapsulation of ML-KEM, alone or beside a curve. */
export function isPostQuantum(code: number): boolean {
  const kind = findNamedGroup(code)?.kind;
  return kind === 'hybrid' || kind === 'ml-kem';
}
