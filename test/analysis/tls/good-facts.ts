/** Facts of a server that is well kept, for tests that change one of them. */

import type {
  CertificateFacts,
  ProtocolVersion,
  TakenSuite,
  TlsConfiguration,
  TlsFacts,
} from '../../../src/analysis/tls/tls-facts.ts';

export const GOOD_LEAF: CertificateFacts = {
  commonName: 'site.example',
  organization: null,
  issuerName: 'An authority',
  issuerOrganization: null,
  notBefore: '2025-12-01T00:00:00.000Z',
  notAfter: '2026-03-01T00:00:00.000Z',
  names: ['site.example'],
  serial: '01',
  fingerprint256: 'a',
  key: { type: 'rsa', bits: 4096 },
  signatureAlgorithm: 'sha256WithRSAEncryption',
  selfSigned: false,
  ocspUrl: null,
  mustStaple: false,
  hasScts: true,
  from: 'sent',
  place: 0,
};

export const GOOD_CONFIGURATION: TlsConfiguration = {
  serverPreference: true,
  groups: ['X25519MLKEM768', 'x25519'],
  postQuantumGroups: ['X25519MLKEM768'],
  signatureSchemes: ['rsa_pss_rsae_sha256'],
  alpn: ['h2'],
  resumption: { sessionIds: false, tickets: false, psk: true },
  renegotiation: { secure: true, clientInitiated: false },
  compression: false,
  fallbackScsv: true,
  heartbeat: false,
  extendedMasterSecret: true,
  encryptThenMac: null,
  dhReused: false,
};

export const suite = (
  name: string,
  version: ProtocolVersion = 'TLSv1.2',
  dhPrime: TakenSuite['dhPrime'] = null,
): TakenSuite => ({
  version,
  code: 0,
  name,
  dhPrime,
});

export const takes = (...taken: ProtocolVersion[]): TlsFacts['protocols'] => ({
  SSLv2: taken.includes('SSLv2'),
  SSLv3: taken.includes('SSLv3'),
  TLSv1: taken.includes('TLSv1'),
  'TLSv1.1': taken.includes('TLSv1.1'),
  'TLSv1.2': taken.includes('TLSv1.2'),
  'TLSv1.3': taken.includes('TLSv1.3'),
});

export const GOOD_FACTS: TlsFacts = {
  negotiated: { protocol: 'TLSv1.3', cipher: '', standardCipher: 'TLS_AES_256_GCM_SHA384', bits: 256 },
  keyExchange: { type: 'ECDH', name: 'secp384r1', bits: 384 },
  protocols: takes('TLSv1.2', 'TLSv1.3'),
  suites: [suite('TLS_AES_256_GCM_SHA384', 'TLSv1.3'), suite('TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384')],
  suitesComplete: true,
  configuration: GOOD_CONFIGURATION,
  chain: [GOOD_LEAF],
  chainOmitted: 0,
  otherCertificates: [],
  trust: 'trusted',
  trustStores: { mozilla: true, system: true },
  issuerUnknown: false,
  nameMatches: true,
  staple: null,
  scts: [],
  gaps: [],
  connections: 30,
  latencyMs: 1,
};
