/**
 * What can be true of a TLS server, as texts: `protocol TLS 1.2`, `suite TLS 1.2 0xc02f`, `group x25519`, `signature rsa_pss_rsae_sha256`,
 * `key rsa 2048`, `feature …`, `attack …`. A server has a fact or has it not; its settings say which.
 */
export type Fact = string;

/** Facts by what they are about. */
export type FactGroup = 'protocols, suites and groups' | 'certificates, features and attacks';

export function groupOf(fact: Fact): FactGroup {
  return /^(protocol|suite|group) /.test(fact) ? 'protocols, suites and groups' : 'certificates, features and attacks';
}

/** `suite TLS 1.2 0xc02f` is `suite`, so that mistakes of one kind are counted together. */
export function kindOf(fact: Fact): string {
  return /^(feature|attack) /.test(fact) ? fact : fact.split(' ')[0]!;
}

export const VERSIONS = ['SSL 2', 'SSL 3', 'TLS 1.0', 'TLS 1.1', 'TLS 1.2', 'TLS 1.3'] as const;
export type Version = (typeof VERSIONS)[number];

export const FEATURES = [
  'server order',
  'secure renegotiation',
  'client renegotiation',
  'compression',
  'fallback SCSV',
  'OCSP staple',
  'session tickets',
  'session ids',
  'heartbeat',
] as const;
export type Feature = (typeof FEATURES)[number];

export const ATTACKS = ['DROWN', 'POODLE', 'BEAST', 'SWEET32', 'FREAK', 'Logjam', 'RC4', 'CRIME'] as const;
export type Attack = (typeof ATTACKS)[number];

export function suiteFact(version: string, code: number): Fact {
  return `suite ${version} 0x${code.toString(16).padStart(version === 'SSL 2' ? 6 : 4, '0')}`;
}
